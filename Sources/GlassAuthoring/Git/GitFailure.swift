import GlassSchema

/// The reason why a git repository cannot be read.
package enum GitFailure: Error, Equatable, CustomStringConvertible {
    /// Git is not installed.
    case noGit
    /// The folder is not in a repository.
    case noRepository(folder: String)
    /// Git rejects another user's repository unless its settings allow it.
    case untrusted(folder: String)
    /// The repository leads outside itself, so git does not read it.
    case refusedRepository(String)
    /// The text is not a valid reference.
    case refusedReference(String, reason: String)
    /// The repository has no commits yet.
    case unborn
    /// The commit does not exist in the repository.
    case unknownRevision(String, isShallow: Bool)
    /// The two commits have no common ancestor in this repository.
    case noCommonAncestor(String, String, isShallow: Bool)
    /// The content exceeds a limit.
    case tooLarge(String)
    /// Git exceeded its wall-clock time.
    case outOfTime(command: String, after: Duration)
    /// Git exceeded its CPU time.
    case outOfProcessorTime(command: String, after: Duration)
    /// Git failed for another reason.
    case failed(command: String, status: Int32, message: String)

    /// The problem and its solution.
    package var description: String {
        switch self {
        case .noGit: "git was not found: install it, or compare folders with diff --against DIR"
        case .noRepository(let folder):
            "\(folder) is not in a git repository: run the command in one, or compare folders with diff --against DIR"
        case .untrusted(let folder):
            "git refuses the repository at \(folder) because another user owns it; if you trust it, run: "
                + "git config --global --add safe.directory \(folder.shellWord)"
        case .refusedRepository(let reason): "git was not run: \(reason)"
        case .refusedReference(let text, let reason):
            "\(text.quotedForMessage) is not a valid reference: \(reason)"
        case .unborn: "the repository has no commits yet: commit the markets first"
        case .unknownRevision(let name, let isShallow):
            "there is no commit \(name.quotedForMessage) in this \(isShallow ? "shallow clone" : "clone"); run: "
                + Self.fetch(name, isShallow)
        case .noCommonAncestor(let one, let other, let isShallow):
            "\(one.quotedForMessage) and \(other.quotedForMessage) have no common ancestor in this "
                + (isShallow
                    ? "shallow clone; run: git fetch --unshallow" : "clone: name only the older one, with two dots")
        case .tooLarge(let what): what
        case .outOfTime(let command, let limit):
            "git \(command) was stopped after \(limit): a named pipe in the repository's .git blocks it "
                + "(find .git -type p), or the disk is slow; in that case, run the command again"
        case .outOfProcessorTime(let command, let limit):
            "git \(command) was stopped after \(limit) of CPU time: inspect the commit with git ls-tree -r, or compare "
                + "folders with diff --against DIR"
        case .failed(let command, let status, let message):
            "git \(command) exited with status \(status)" + (message.isEmpty ? "" : ": \(message)")
        }
    }

    /// The command that fetches a missing commit.
    private static func fetch(_ name: String, _ isShallow: Bool) -> String {
        if isShallow { return "git fetch --unshallow" }
        // A suffix such as `~2` is not part of the branch's name on a remote.
        let branch = name.prefix { !"~^@:".contains($0) }
        let parts = branch.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2, parts[0] == "origin" { return "git fetch origin \(parts[1].shellWord)" }
        return branch.isEmpty ? "git fetch" : "git fetch origin \(String(branch).shellWord)"
    }
}

extension String {
    /// The text as one word of a shell command.
    fileprivate var shellWord: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "/._-+@".unicodeScalars.contains(scalar)
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
