package import GlassBase

/// Which snapshot is the newest (specification 1.0, section 4.6).
package struct TimestampMetadata: Sendable {
    /// The version.
    package let version: Int
    /// Until when it is valid.
    package let expires: UpdateTime
    /// The snapshot that it lists.
    package let snapshot: ListedFile
    /// The signed part, with members that nobody here knows.
    package let signed: StrictJSON

    /// Decodes a timestamp.
    init(_ file: SignedMetadata) throws(MetadataError) {
        version = file.version
        expires = file.expires
        signed = file.signed.json
        snapshot = try ListedFile(file.signed.object("meta").object("snapshot.json"))
    }
}

/// Which versions of the targets files belong together (specification 1.0, section 4.4).
package struct SnapshotMetadata: Sendable {
    /// The version.
    package let version: Int
    /// Until when it is valid.
    package let expires: UpdateTime
    /// The signed part, with members that nobody here knows.
    package let signed: StrictJSON
    /// What is listed, by the names of the files, as `targets.json`.
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

    /// What it lists for a role.
    package func file(of role: String) -> ListedFile? { files[UTF8Key(role + ".json")] }
}
