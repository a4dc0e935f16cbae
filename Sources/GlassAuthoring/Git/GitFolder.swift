import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Git's folder of a repository, checked before git reads it.
///
/// The repository may be untrusted, such as one from an archive. A symbolic link in it could make git read any file,
/// and git's errors repeat the content that it cannot parse. A link could also lead to another repository and show its
/// markets.
struct GitFolder {
    /// The real path, as `git rev-parse --absolute-git-dir` prints it.
    let path: String
    /// The real path of the folder that has it, which is the work tree unless the repository says otherwise.
    let workTree: String

    /// The names that git reads.
    private static let entries = [
        "HEAD", "config", "config.worktree", "packed-refs", "shallow", "index", "commondir", "refs", "refs/heads",
        "refs/tags", "refs/remotes", "objects", "objects/info", "objects/pack", "objects/info/alternates",
        "objects/info/commit-graph", "objects/info/commit-graphs", "objects/info/commit-graphs/commit-graph-chain",
        "info/grafts",
    ]
    /// The maximum size in bytes of a file that names a folder.
    private static let maximumNameLength = 8_192

    /// Finds the folder as git does, in this folder or the nearest one above. Returns nil if there is none.
    init?(around folder: String) throws(GitFailure) {
        guard var top = Self.real(folder) else { return nil }
        while true {
            let candidate = Self.resolved(".git", below: top)
            switch Self.kind(of: candidate) {
            case S_IFLNK: throw Self.link(candidate)
            case S_IFREG:
                path = try Self.target(ofFile: candidate, in: top)
                workTree = top
                return
            // Git skips an empty folder.
            case S_IFDIR where Self.kind(of: candidate + "/HEAD") != nil:
                try Self.check(candidate)
                path = candidate
                workTree = top
                return
            default: break
            }
            guard top != "/" else { return nil }
            top = Self.parent(of: top)
        }
    }

    /// The target of a `.git` file. Only worktrees and submodules have one that the repository itself confirms.
    private static func target(ofFile file: String, in top: String) throws(GitFailure) -> String {
        guard let said = line(of: ".git", in: top), said.hasPrefix("gitdir: "),
            let folder = real(resolved(String(said.dropFirst("gitdir: ".count)), below: top))
        else {
            throw .refusedRepository(
                "\(file) does not lead to a repository: run git worktree repair or git submodule update there")
        }
        if let common = line(of: "commondir", in: folder), let main = real(resolved(common, below: folder)),
            let back = line(of: "gitdir", in: folder), parent(of: folder) == main + "/worktrees",
            real(resolved(back, below: folder)) == file
        {
            try check(main)
            try check(folder, isWorktree: true)
            return folder
        }
        // A submodule's folder is in the repository above.
        if top != "/", let above = try GitFolder(around: parent(of: top)), folder.hasPrefix(above.path + "/modules/") {
            try check(folder)
            return folder
        }
        throw .refusedRepository(
            "\(file) leads to another repository, \(folder), which has no worktree here: name the markets folder of "
                + "that repository with --markets DIR")
    }

    private static func check(_ folder: String, isWorktree: Bool = false) throws(GitFailure) {
        for name in entries where kind(of: "\(folder)/\(name)") == S_IFLNK { throw link("\(folder)/\(name)") }
        guard isWorktree || kind(of: "\(folder)/commondir") == nil else {
            throw .refusedRepository(
                "\(folder)/commondir leads to another repository, and only worktrees have such a file: remove it, or "
                    + "name the markets folder of that repository with --markets DIR")
        }
    }

    private static func link(_ path: String) -> GitFailure {
        .refusedRepository(
            "\(path) is a symbolic link, which may lead outside the repository: replace it with the file or folder")
    }

    /// The path of a folder below the work tree, in components; nil for one that is not there.
    func names(of folder: String) -> [String]? {
        guard let real = Self.real(folder) else { return nil }
        let start = workTree == "/" ? [] : workTree.split(separator: "/")
        let names = real.split(separator: "/")
        return names.starts(with: start) ? names.dropFirst(start.count).map(String.init) : nil
    }

    // MARK: Files

    /// The type of a path itself, without following a symbolic link; nil if nothing exists.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The text of a small file; nil if there is no readable file.
    private static func line(of name: String, in folder: String) -> String? {
        // A file that cannot be read leads nowhere.
        guard kind(of: "\(folder)/\(name)") == S_IFREG,
            let bytes = try? ConfinedDirectory(folder).contents(of: name, limit: maximumNameLength)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .newlines)
    }

    private static func resolved(_ name: String, below folder: String) -> String {
        if name.hasPrefix("/") { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private static func parent(of path: String) -> String {
        let above = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        return above.isEmpty ? "/" : String(above)
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
