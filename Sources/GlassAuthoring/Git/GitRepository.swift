import Foundation
import GlassBase
package import GlassMarketFiles

/// The git repository that contains a markets folder.
///
/// ```swift
/// let repository = try GitRepository(around: "markets")
/// let base = try repository.commit("main")
/// let folder = MarketFolder(try repository.markets(at: base) ?? MarketTree(missing: repository.path, at: "main"))
/// ```
package struct GitRepository: Sendable {
    /// A commit.
    package struct Commit: Sendable, Hashable {
        /// The name by which it was found.
        package var name: String
        /// Its object id.
        package let id: String
    }

    /// The path of the markets folder in the repository; empty for the repository itself.
    package let path: String
    /// Whether the clone contains only the newest commits.
    package let isShallow: Bool
    private let git: GitCommand

    /// Finds the repository of a folder.
    package init(around folder: String, budget: GitBudget = GitBudget()) throws(GitFailure) {
        let (existing, missing) = Self.existing(folder)
        git = try GitCommand(in: existing, budget: budget)
        let place = try GitFolder(around: existing)
        // The path may contain a line feed, so it comes last.
        let answer = try git.run(["rev-parse", "--is-shallow-repository", "--absolute-git-dir", "--show-prefix"])
        guard answer.status == 0, let text = answer.line, let end = text.firstIndex(of: "\n") else {
            throw Self.failure(answer, "rev-parse", folder: existing)
        }
        isShallow = text[..<end] == "true"
        guard let place else { throw .noRepository(folder: existing) }
        let rest = text[text.index(after: end)...].utf8
        // Git skips a folder that it cannot use and takes one further up, which has not been checked.
        guard rest.starts(with: "\(place.path)\n".utf8) else {
            throw .refusedRepository("\(place.path) is not a repository: remove it, or repair its HEAD")
        }
        let prefix = Substring(rest.dropFirst(place.path.utf8.count + 1)).split(separator: "/").map(String.init)
        // Git would look for the markets in another folder, and find none at any commit.
        guard prefix == place.names(of: existing) else {
            throw .refusedRepository(
                "core.worktree in \(place.path)/config names another work tree: unset the setting with git config --unset "
                    + "core.worktree, or name the markets folder in that work tree with --markets DIR")
        }
        path = (prefix + missing).joined(separator: "/")
    }

    /// Resolves a reference to a commit.
    package func commit(_ reference: String) throws(GitFailure) -> Commit {
        if let problem = Self.problem(of: reference) { throw .refusedReference(reference, reason: problem) }
        let answer = try git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}"])
        if answer.status == 0, let id = answer.line, Self.isObjectID(id) { return Commit(name: reference, id: id) }
        // A missing commit produces no message. Any message is about the repository.
        if !answer.message.isEmpty { throw Self.failure(answer, "rev-parse", folder: git.folder) }
        if reference == "HEAD" || reference == "@" { throw .unborn }
        throw .unknownRevision(reference, isShallow: isShallow)
    }

    /// The names that identify commits: `HEAD`, branches and tags.
    package func references(atMost limit: Int) throws(GitFailure) -> [String] {
        let answer = try git.run([
            "for-each-ref", "--format=%(refname:short)", "--count=\(limit)", "refs/heads", "refs/tags", "refs/remotes",
        ])
        guard answer.status == 0 else { return [] }
        return ["HEAD"] + String(decoding: answer.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The newest common ancestor of two commits.
    package func mergeBase(of one: Commit, and other: Commit) throws(GitFailure) -> Commit {
        let answer = try git.run(["merge-base", one.id, other.id])
        // Any other status is a failure of git.
        if answer.status == 1 { throw .noCommonAncestor(one.name, other.name, isShallow: isShallow) }
        guard answer.status == 0, let id = answer.line, Self.isObjectID(id) else {
            throw Self.failure(answer, "merge-base", folder: git.folder)
        }
        return Commit(name: one.name, id: id)
    }

    /// Reads the Lua files of the markets folder at a commit.
    package func markets(at commit: Commit, path: String? = nil) throws(GitFailure) -> MarketTree? {
        let path = path ?? self.path
        let tree = "\(commit.id):\(path)"
        var listing = GitListing(of: commit.name)
        // Folders are listed as well. Otherwise a tree of empty folders would never end.
        let answer = try git.run(
            ["ls-tree", "-r", "-t", "-z", "-l", "--full-tree", "--end-of-options", tree]
        ) { piece throws(GitFailure) in try listing.take(piece) }
        guard answer.status == 0 else {
            // Find out what exists at the path instead, if anything.
            let kind = try git.run(["ls-tree", "-z", "--full-tree", "--end-of-options", commit.id, path])
            if kind.output.starts(with: "160000 ".utf8) {
                throw .tooLarge("\(path) is a submodule at \(commit.name): run the command in the submodule")
            }
            if kind.output.starts(with: "120000 ".utf8) {
                throw .tooLarge("\(path) is a symbolic link at \(commit.name): name the folder itself")
            }
            if kind.status == 0, kind.output.isEmpty { return nil }
            throw .failed(command: "ls-tree", status: answer.status, message: answer.cause)
        }
        return MarketTree(revision: commit.name, path: path, files: try files(listing))
    }

    /// The folder that contains the markets at a commit, if that is a different folder.
    package func folder(of ids: [String], at commit: Commit) throws(GitFailure) -> String? {
        let wanted = Set(ids.map { "\($0).lua" })
        var count: [String: Int] = [:]
        var listing = GitRecords(of: commit.name)
        let answer = try git.run(
            ["ls-tree", "-r", "-t", "-z", "--name-only", "--full-tree", "--end-of-options", commit.id]
        ) { piece throws(GitFailure) in
            try listing.take(piece) { record in
                guard let name = String(validating: record, as: UTF8.self) else { return }
                let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
                let last = slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name
                guard wanted.contains(last) else { return }
                count[slash.map { String(name[..<$0]) } ?? "", default: 0] += 1
            }
        }
        guard answer.status == 0 else {
            throw .failed(command: "ls-tree", status: answer.status, message: answer.cause)
        }
        guard let most = count.values.max(), 2 * most > ids.count else { return nil }
        let best = count.filter { $0.value == most }
        return best.count == 1 ? best.keys.first : nil
    }

    // MARK: Reading

    /// The maximum total size in bytes of the files to read from a folder.
    private static let maximumBytes = 16 << 20

    private func files(_ listing: GitListing) throws(GitFailure) -> [String: MarketTree.File] {
        guard !listing.blobs.isEmpty else { return listing.refused }
        // Counted for each name: a blob with a thousand names is a thousand files to its readers.
        let size = listing.blobs.values.reduce(0) { $0 + $1.size * $1.names.count }
        guard size <= Self.maximumBytes else {
            throw .tooLarge(
                "the markets folder has \(size.formattedBytes) of Lua files; the maximum is "
                    + "\(Self.maximumBytes.formattedBytes): "
                    + "name another folder with --markets DIR")
        }
        try git.budget.hold(bytes: size)
        let ids = listing.ids
        let answer = try git.run(
            ["cat-file", "--batch", "--buffer"], input: Array(ids.map { $0 + "\n" }.joined().utf8),
            limit: size + 128 * ids.count)
        guard answer.status == 0 else {
            throw .failed(command: "cat-file", status: answer.status, message: answer.cause)
        }
        return listing.files(GitContents(answer.output, of: ids))
    }

    /// The reason why a reference is invalid, if it is.
    private static func problem(of reference: String) -> String? {
        if reference.isEmpty { return "it is empty" }
        if reference.hasPrefix("-") { return "it begins with \"-\", as options do" }
        if reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "it contains a control character" }
        return nil
    }

    private static func isObjectID(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    static func failure(_ answer: GitCommand.Answer, _ command: String, folder: String) -> GitFailure {
        if answer.message.contains("dubious ownership") || answer.message.contains("safe.directory") {
            return .untrusted(folder: named(in: answer.message) ?? folder)
        }
        if answer.message.contains("not a git repository") { return .noRepository(folder: folder) }
        return .failed(command: command, status: answer.status, message: answer.cause)
    }

    /// The repository that is quoted in the first line of git's message.
    private static func named(in message: String) -> String? {
        let parts = message.prefix { $0 != "\n" }.split(separator: "'", omittingEmptySubsequences: false)
        return parts.count == 3 ? String(parts[1]) : nil
    }

    /// The nearest existing folder above, and the remaining names.
    private static func existing(_ folder: String) -> (folder: String, rest: [String]) {
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        var rest: [String] = []
        while !ConfinedDirectory.isFolder(url.path), url.path != "/" {
            rest.insert(url.lastPathComponent, at: 0)
            url.deleteLastPathComponent()
        }
        return (url.path, rest)
    }
}
