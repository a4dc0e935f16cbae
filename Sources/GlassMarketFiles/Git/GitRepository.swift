import Foundation
import GlassBase

/// The git repository that a markets folder lies in.
///
/// ```swift
/// let repository = try GitRepository(around: "markets")
/// let base = try repository.commit("main")
/// let folder = MarketFolder(try repository.markets(at: base) ?? MarketTree(missing: repository.path, at: "main"))
/// ```
package struct GitRepository: Sendable {
    /// A commit.
    package struct Commit: Sendable, Hashable {
        /// How it was named.
        package var name: String
        /// Its object id.
        package let id: String
    }

    /// The markets folder's path below the repository; empty for the repository itself.
    package let path: String
    /// Whether the clone has only the newest commits.
    package let isShallow: Bool
    private let git: GitCommand

    /// Finds the repository that a folder lies in.
    package init(around folder: String) throws(GitFailure) {
        let (existing, rest) = Self.existing(folder)
        git = try GitCommand(in: existing)
        // The path may have a line feed, so it comes last.
        let answer = try git.run(["rev-parse", "--is-shallow-repository", "--show-prefix"])
        guard answer.status == 0, let text = answer.line, let end = text.firstIndex(of: "\n") else {
            throw Self.failure(answer, "rev-parse", folder: existing)
        }
        isShallow = text[..<end] == "true"
        let prefix = text[text.index(after: end)...].split(separator: "/").map(String.init)
        path = (prefix + rest).joined(separator: "/")
    }

    /// Finds a commit.
    package func commit(_ reference: String) throws(GitFailure) -> Commit {
        if let problem = Self.problem(of: reference) { throw .refusedReference(reference, reason: problem) }
        let answer = try git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}"])
        if answer.status == 0, let id = answer.line, Self.isObjectID(id) { return Commit(name: reference, id: id) }
        if reference == "HEAD" || reference == "@" { throw .unborn }
        throw .unknownRevision(reference, isShallow: isShallow)
    }

    /// The names by which commits can be asked for: `HEAD`, and the branches and tags.
    package func references(atMost limit: Int) throws(GitFailure) -> [String] {
        let answer = try git.run([
            "for-each-ref", "--format=%(refname:short)", "--count=\(limit)", "refs/heads", "refs/tags", "refs/remotes",
        ])
        guard answer.status == 0 else { return [] }
        return ["HEAD"] + String(decoding: answer.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The newest commit that two commits come from.
    package func mergeBase(of one: Commit, and other: Commit) throws(GitFailure) -> Commit {
        let answer = try git.run(["merge-base", one.id, other.id])
        guard answer.status == 0, let id = answer.line, Self.isObjectID(id) else {
            throw .noCommonAncestor(one.name, other.name, isShallow: isShallow)
        }
        return Commit(name: one.name, id: id)
    }

    /// Reads the markets folder as a commit has it.
    package func markets(at commit: Commit, path: String? = nil) throws(GitFailure) -> MarketTree? {
        let path = path ?? self.path
        let tree = "\(commit.id):\(path)"
        let listing = try git.run(
            ["ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", tree], limit: Self.longestListing)
        guard listing.status == 0 else {
            // What stands there instead, if anything does.
            let kind = try git.run(["ls-tree", "-z", "--full-tree", "--end-of-options", commit.id, path])
            if kind.output.starts(with: "160000 ".utf8) {
                throw .tooLarge("\(path) is a submodule at \(commit.name): run it in the submodule")
            }
            if kind.status == 0, kind.output.isEmpty { return nil }
            throw .failed(command: "ls-tree", status: listing.status, message: listing.message)
        }
        return MarketTree(
            revision: commit.name, path: path, files: try files(GitListing(listing.output, at: commit.name)))
    }

    /// Where a commit has markets, when it has them elsewhere.
    package func folder(of ids: [String], at commit: Commit) throws(GitFailure) -> String? {
        let names = try git.run(
            ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--end-of-options", commit.id],
            limit: Self.longestListing)
        guard names.status == 0 else {
            throw .failed(command: "ls-tree", status: names.status, message: names.message)
        }
        let wanted = Set(ids.map { "\($0).lua" })
        var count: [String: Int] = [:]
        for bytes in names.output.split(separator: 0) {
            guard let name = String(validating: bytes, as: UTF8.self) else { continue }
            let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
            guard wanted.contains(slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name) else { continue }
            count[slash.map { String(name[..<$0]) } ?? "", default: 0] += 1
        }
        guard let most = count.values.max(), 2 * most > ids.count else { return nil }
        let best = count.filter { $0.value == most }
        return best.count == 1 ? best.keys.first : nil
    }

    // MARK: Reading

    private static let longestListing = 64 << 20
    /// The most that is read of a folder.
    private static let mostBytes = 64 << 20

    private func files(_ listing: GitListing) throws(GitFailure) -> [String: MarketTree.File] {
        var files = listing.refused
        guard !listing.blobs.isEmpty else { return files }
        let size = listing.blobs.reduce(0) { $0 + $1.size }
        guard size <= Self.mostBytes else {
            throw .tooLarge(
                "the markets folder has \(size.formattedBytes) of files, and \(Self.mostBytes.formattedBytes) are read: "
                    + "name another with --markets DIR")
        }
        let input = listing.blobs.map { $0.id + "\n" }.joined()
        let answer = try git.run(
            ["cat-file", "--batch"], input: Array(input.utf8), limit: size + 128 * listing.blobs.count)
        guard answer.status == 0 else {
            throw .failed(command: "cat-file", status: answer.status, message: answer.message)
        }
        var rest = answer.output[...]
        for blob in listing.blobs {
            // `ID blob SIZE`, the bytes, a line feed; or `ID missing`.
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
            let words = rest[..<end].split(separator: UInt8(ascii: " "))
            rest = rest[(end + 1)...]
            guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)), size < rest.count else {
                files[blob.name] = .refused("this clone does not have its content; run: git fetch --refetch")
                continue
            }
            let bytes = Array(rest.prefix(size))
            rest = rest.dropFirst(size + 1)
            files[blob.name] =
                bytes.starts(with: Self.pointer)
                ? .refused("it is a pointer of Git LFS: its text is not in the repository") : .text(bytes)
        }
        return files
    }

    /// What files begin with whose content Git LFS keeps elsewhere.
    private static let pointer = Array("version https://git-lfs.github.com/spec/".utf8)

    /// Why a text is not given to git as a reference; nil where it is.
    private static func problem(of reference: String) -> String? {
        if reference.isEmpty { return "it is empty" }
        if reference.hasPrefix("-") { return "it begins with \"-\", as options do" }
        if reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "it has a control character" }
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
        return .failed(command: command, status: answer.status, message: answer.message)
    }

    /// The repository that git names between apostrophes in its first line.
    private static func named(in message: String) -> String? {
        let parts = message.prefix { $0 != "\n" }.split(separator: "'", omittingEmptySubsequences: false)
        return parts.count == 3 ? String(parts[1]) : nil
    }

    /// The nearest folder above that there is, and the names below it.
    private static func existing(_ folder: String) -> (folder: String, rest: [String]) {
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        var rest: [String] = []
        var isFolder: ObjCBool = false
        while !(FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue),
            url.path != "/"
        {
            rest.insert(url.lastPathComponent, at: 0)
            url.deleteLastPathComponent()
        }
        return (url.path, rest)
    }
}

/// What `git ls-tree -r -z -l` says.
struct GitListing {
    /// A file that is read.
    struct Blob {
        let id: String
        let size: Int
        let name: String
    }

    /// The files that are read.
    private(set) var blobs: [Blob] = []
    /// The others, with what they are.
    private(set) var refused: [String: MarketTree.File] = [:]

    /// The largest file that is read: larger ones are larger than any market may be.
    static let largestFile = 1 << 20

    /// Reads a listing: `MODE TYPE ID SIZE<tab>NAME<nul>` for each file.
    init(_ bytes: [UInt8], at revision: String) {
        for record in bytes.split(separator: 0) {
            guard let tab = record.firstIndex(of: UInt8(ascii: "\t")) else { continue }
            let words = record[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            let raw = record[(tab + 1)...]
            guard words.count == 4 else { continue }
            guard let name = String(validating: raw, as: UTF8.self) else {
                refused[String(decoding: raw, as: UTF8.self)] = .refused("its name is not UTF-8: rename it")
                continue
            }
            let size = Int(words[3]) ?? 0
            switch (words[0], words[1]) {
            case ("120000", _):
                refused[name] = .refused("it is a symbolic link in \(revision): put the file itself there")
            case (_, "commit"): refused[name] = .refused("it is a submodule in \(revision)")
            case (_, "blob") where size > Self.largestFile:
                refused[name] = .refused("it has \(size.formattedBytes), more than any market may")
            case (_, "blob"): blobs.append(Blob(id: words[2], size: size, name: name))
            default: continue
            }
        }
    }
}
