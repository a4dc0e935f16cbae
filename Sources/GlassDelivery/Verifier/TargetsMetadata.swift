package import GlassBase

/// Which files there are, and who else may say so (specification 1.0, section 4.5).
package struct TargetsMetadata: Sendable {
    /// The version.
    package let version: Int
    /// Until when it is valid.
    package let expires: UpdateTime
    /// The files, sorted by their paths' UTF-8.
    package let files: [TargetFile]
    /// The roles that it delegates to, in their order.
    package let delegations: [Delegation]
    /// The signed part, with members that nobody here knows.
    package let signed: StrictJSON

    /// Decodes a targets file, of the role `targets` or of a delegated one.
    init(_ file: SignedMetadata) throws(MetadataError) {
        version = file.version
        expires = file.expires
        signed = file.signed.json
        var files: [TargetFile] = []
        for (path, fields) in try file.signed.object("targets").objects() {
            files.append(try TargetFile(path: path, fields))
        }
        self.files = files
        delegations =
            signed["delegations"] == nil ? [] : try Delegation.all(of: file.signed.object("delegations"))
    }

    /// The file of a path. O(log *n*).
    func file(_ path: String) -> TargetFile? {
        var low = 0
        var high = files.count
        while low < high {
            let middle = (low + high) / 2
            if files[middle].path.precedesInUTF8(path) { low = middle + 1 } else { high = middle }
        }
        return low < files.count && files[low].path.hasSameUTF8(as: path) ? files[low] : nil
    }
}
