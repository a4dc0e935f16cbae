/// The metadata embedded in an app, parsed but not verified.
///
/// Its root is trusted as much as the app's code (specification 1.0, section 5.2), and anyone able to change the other
/// files could change the root as well. It serves only to compare versions and to recognize the root: before a market
/// from these files is used, ``TrustedSet/init(stored:at:knowing:limits:)`` verifies them.
package struct ShippedMetadata: Sendable {
    // The content is not verified, so it never leaves this type.
    private let files: TrustedSet

    /// Reads the files.
    init(_ files: [String: [UInt8]], limits: UpdateLimits) throws(MetadataError) {
        self.files = try TrustedSet.read(files, proves: false, limits: limits) { (error) throws(MetadataError) in
            throw error
        }
        guard self.files.targets != nil else { throw TrustedSet.noTargets }
    }

    /// The version of the root.
    var rootVersion: Int { files.root.version }

    /// The version of the targets.
    var version: Int { files.targets?.version ?? 0 }

    /// The files that the targets metadata lists.
    var listedTargets: [ListedTarget] { files.listedTargets }

    /// A set that starts with the root, if a store has the same file. See ``TrustedSet/beginning(with:limits:)``.
    func beginning(with root: [UInt8], limits: UpdateLimits) -> TrustedSet? {
        files.beginning(with: root, limits: limits)
    }
}
