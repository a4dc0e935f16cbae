package import GlassBase

/// The available files, and the roles to which listing files is delegated (specification 1.0, section 4.5).
package struct TargetsMetadata: Sendable {
    /// The version.
    package let version: Int
    /// The time at which it expires.
    package let expires: UpdateTime
    /// The files, sorted by the UTF-8 bytes of their paths.
    package let files: [TargetFile]
    /// The delegated roles, in order.
    package let delegations: [Delegation]
    /// The signed part, including unknown members.
    package let signed: StrictJSON

    /// Decodes the metadata of the role `targets` or of a delegated role.
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

    /// The file with a path. O(log *n*).
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
