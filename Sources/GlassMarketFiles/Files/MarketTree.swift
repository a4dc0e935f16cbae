package import GlassBase

/// The files of a markets folder at a commit, in memory.
package struct MarketTree: Sendable {
    package enum File: Sendable, Equatable {
        /// The file's content.
        case text([UInt8])
        /// The reason why an entry cannot be read as a market file.
        case refused(String)
    }

    /// The name used for the commit.
    package let revision: String
    /// The path of the folder in the repository; empty for the repository itself.
    package let path: String
    /// The files, by path in the folder.
    package let files: [String: File]

    /// Creates an empty folder, in place of one that the commit does not contain.
    package init(missing path: String, at revision: String) {
        self.init(revision: revision, path: path, files: [:])
    }

    package init(revision: String, path: String, files: [String: File]) {
        self.revision = revision
        self.path = path
        self.files = files
    }

    /// The folder's name in git and in findings: `main:markets`.
    package var name: String { "\(revision):\(path.isEmpty ? "." : path)" }

    /// The content of a file, as if read from disk: up to the limit, plus one byte.
    package func bytes(_ name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        switch files[name] {
        case .text(let bytes)?: return Array(bytes.prefix(limit + 1))
        case .refused(let reason)?: throw FileFailure(reason: reason)
        case nil: throw FileFailure(reason: "there is no such file in \(revision)", kind: .missing)
        }
    }
}
