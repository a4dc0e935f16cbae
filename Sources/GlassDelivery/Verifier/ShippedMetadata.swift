/// The metadata that came with an app, read and not verified.
///
/// Its root is trusted as the app's code is (specification 1.0, section 5.2), and whoever could change the other files could
/// change the root as well. It is for comparing versions, and for knowing the root: before a market is taken from these
/// files, ``TrustedSet/init(stored:at:knowing:limits:)`` verifies them.
package struct ShippedMetadata: Sendable {
    // What it has is not verified, so it never leaves this type.
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

    /// What the targets list.
    var listedTargets: [ListedTarget] { files.listedTargets }

    /// A set that begins with the root, if a store has the same file; ``TrustedSet/beginning(with:limits:)``.
    func beginning(with root: [UInt8], limits: UpdateLimits) -> TrustedSet? {
        files.beginning(with: root, limits: limits)
    }
}
