package import GlassBase

/// Names the newest snapshot (specification 1.0, section 4.6).
package struct TimestampMetadata: Sendable {
    /// The version.
    package let version: Int
    /// The time at which it expires.
    package let expires: UpdateTime
    /// The snapshot that it lists.
    package let snapshot: ListedFile
    /// The signed part, including unknown members.
    package let signed: StrictJSON

    /// Decodes a timestamp.
    init(_ file: SignedMetadata) throws(MetadataError) {
        version = file.version
        expires = file.expires
        signed = file.signed.json
        snapshot = try ListedFile(file.signed.object("meta").object("snapshot.json"))
    }
}

/// Lists the versions of the targets metadata that belong together (specification 1.0, section 4.4).
package struct SnapshotMetadata: Sendable {
    /// The version.
    package let version: Int
    /// The time at which it expires.
    package let expires: UpdateTime
    /// The signed part, including unknown members.
    package let signed: StrictJSON
    /// The listings by file name, such as `targets.json`.
    let files: ExactMap<ListedFile>

    /// Decodes a snapshot.
    init(_ file: SignedMetadata) throws(MetadataError) {
        version = file.version
        expires = file.expires
        signed = file.signed.json
        var files = ExactMap<ListedFile>()
        for (name, fields) in try file.signed.object("meta").objects() {
            files.insert(try ListedFile(fields), for: UTF8Key(name))
        }
        self.files = files
    }

    /// The listing of a role.
    package func file(of role: String) -> ListedFile? { files[UTF8Key(role + ".json")] }
}
