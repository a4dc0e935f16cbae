import GlassBase

/// The files of a markets folder as a commit has them, in memory.
package struct MarketTree: Sendable {
    /// A file.
    package enum File: Sendable, Equatable {
        /// What it says.
        case text([UInt8])
        /// What it is, where that is nothing that markets read.
        case refused(String)
    }

    /// How the commit was named.
    package let revision: String
    /// The folder's path below the repository; empty for the repository itself.
    package let path: String
    /// The files, by their paths below the folder.
    let files: [String: File]

    /// A folder that the commit does not have.
    package init(missing path: String, at revision: String) {
        self.init(revision: revision, path: path, files: [:])
    }

    init(revision: String, path: String, files: [String: File]) {
        self.revision = revision
        self.path = path
        self.files = files
    }

    /// The folder as git and diagnostics call it: `main:markets`.
    package var name: String { "\(revision):\(path.isEmpty ? "." : path)" }

    /// The file of a name as it would be read from disk: as much as the limit allows, and a byte more.
    func bytes(_ name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        switch files[name] {
        case .text(let bytes)?: return Array(bytes.prefix(limit + 1))
        case .refused(let reason)?: throw FileFailure(reason: reason)
        case nil: throw FileFailure(reason: "there is no such file in \(revision)", kind: .missing)
        }
    }
}
