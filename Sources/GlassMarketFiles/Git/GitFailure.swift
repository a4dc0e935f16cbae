import GlassSchema

/// Why something could not be read from a git repository.
package enum GitFailure: Error, Equatable, CustomStringConvertible {
    /// There is no git to ask.
    case noGit
    /// The folder is in no repository.
    case noRepository(folder: String)
    /// Git reads no repository of somebody else, unless it was told to.
    case untrusted(folder: String)
    /// The repository leads out of itself, so git is not asked about it.
    case refusedRepository(String)
    /// The text is no reference that git is asked for.
    case refusedReference(String, reason: String)
    /// The repository has no commit yet.
    case unborn
    /// The repository has no such commit.
    case unknownRevision(String, isShallow: Bool)
    /// Two commits have no common ancestor in this repository.
    case noCommonAncestor(String, String, isShallow: Bool)
    /// More than is read.
    case tooLarge(String)
    /// It did not end in time.
    case outOfTime(command: String, after: Duration)
    /// It worked for too long.
    case outOfProcessorTime(command: String, after: Duration)
    /// Git said something else.
    case failed(command: String, status: Int32, message: String)

    /// What failed, and what to do.
    package var description: String {
        switch self {
        case .noGit: "there is no git to ask: install it, or compare folders with diff --against DIR"
        case .noRepository(let folder):
            "\(folder) is in no git repository: run it in one, or compare folders with diff --against DIR"
        case .untrusted(let folder):
            "git does not read the repository at \(folder), because somebody else owns it; if you trust it, run: "
                + "git config --global --add safe.directory \(folder.shellWord)"
        case .refusedRepository(let reason): "git is not asked: \(reason)"
        case .refusedReference(let text, let reason):
            "\(text.quotedForMessage) is no reference: \(reason)"
        case .unborn: "the repository has no commit yet: commit the markets first"
        case .unknownRevision(let name, let isShallow):
            "there is no commit \(name.quotedForMessage) in this \(isShallow ? "shallow clone" : "clone"); run: "
                + Self.fetch(name, isShallow)
        case .noCommonAncestor(let one, let other, let isShallow):
            "\(one.quotedForMessage) and \(other.quotedForMessage) have no common ancestor in this "
                + (isShallow
                    ? "shallow clone; run: git fetch --unshallow" : "clone: name the older one alone, with two dots")
        case .tooLarge(let what): what
        case .outOfTime(let command, let limit):
            "git \(command) was ended after \(limit): a named pipe in the repository's .git keeps it waiting "
                + "(find .git -type p), or the disk is slow: then run it again"
        case .outOfProcessorTime(let command, let limit):
            "git \(command) was ended after \(limit) of processor time: look at the commit with git ls-tree -r, or compare "
                + "folders with diff --against DIR"
        case .failed(let command, let status, let message):
            "git \(command) ended with status \(status)" + (message.isEmpty ? "" : ": \(message)")
        }
    }

    /// The command that brings a missing commit.
    private static func fetch(_ name: String, _ isShallow: Bool) -> String {
        if isShallow { return "git fetch --unshallow" }
        // What follows a name, such as `~2`, is no part of what a remote has.
        let branch = name.prefix { !"~^@:".contains($0) }
        let parts = branch.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2, parts[0] == "origin" { return "git fetch origin \(parts[1].shellWord)" }
        return branch.isEmpty ? "git fetch" : "git fetch origin \(String(branch).shellWord)"
    }
}

extension String {
    /// The text as one word of a shell's command line.
    fileprivate var shellWord: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "/._-+@".unicodeScalars.contains(scalar)
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
