import Foundation
import GlassBase
import TestSupport
import Testing

@testable import GlassMarketFiles
import MarketTesting
@testable import GlassAuthoring

/// Repositories from untrusted sources, such as an unpacked archive: git gets a time limit, and runs none of their
/// programs.
@Suite(.timeLimit(.minutes(2)))
struct HostileRepositoryTests {
    private func repository() throws -> GitFixture {
        let repository = try GitFixture()
        try repository.write("return 1", to: "markets/us.lua")
        try repository.commit()
        return repository
    }

    /// Reads everything that `review` needs from a repository.
    @discardableResult
    private func read(
        _ fixture: GitFixture, at reference: String = "HEAD", _ budget: GitBudget = GitBudget()
    ) throws -> MarketTree? {
        let repository = try GitRepository(
            around: fixture.folder.appending(path: "markets").path, budget: budget)
        return try repository.markets(at: repository.commit(reference))
    }

    private func failure(_ body: () throws -> some Any) -> GitFailure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? GitFailure
        }
    }

    /// Whether a file of `.git` is in a folder there.
    private static func isInFolder(_ name: String) -> Bool { name.contains("/") }

    // MARK: Time and size

    @Test(
        arguments: someRows(
            of: [
                "config", "HEAD", "packed-refs", "commondir", "objects/info/alternates", "refs/heads/main",
                "info/grafts", "shallow", "config.worktree", "objects/pack/multi-pack-index",
            ], kind: isInFolder))
    func namedPipeDoesNotBlock(_ name: String) throws {
        let fixture = try repository()
        if name == "config.worktree" { try fixture.git(["config", "extensions.worktreeConfig", "true"]) }
        let path = fixture.folder.appending(path: ".git/\(name)").path
        unlink(path)
        try #require(mkfifo(path, 0o600) == 0)
        let start = ContinuousClock.now
        // Some versions of git do not open all of these.
        if let failure = failure({ try read(fixture, GitBudget(time: .milliseconds(500))) }) {
            #expect(failure.description.hasPrefix("git "), "\(failure)")
            if case .outOfTime = failure {
                #expect(failure.description.contains("after 0.5 seconds: a named pipe"), "\(failure)")
            }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(fixture.processes == [])
    }

    @Test func callsOfOneCommandShareTimeLimit() throws {
        let fixture = try repository()
        let budget = GitBudget(time: .zero)
        guard case .outOfTime(command: "rev-parse", after: .zero)? = failure({ try read(fixture, budget) }) else {
            Issue.record("it was not stopped by the time limit")
            return
        }
        let little = GitBudget(processorTime: .zero)
        guard case .outOfProcessorTime? = failure({ for _ in 0..<50 { try read(fixture, little) } }) else {
            Issue.record("it was not stopped by the CPU time limit")
            return
        }
        let used = GitBudget(time: .seconds(60))
        for _ in 0..<3 { try read(fixture, used) }
        #expect(used.left.time < .seconds(60) && used.left.processorTime < GitBudget.usualProcessorTime)
    }

    @Test func filesOfOneCommandShareSizeLimit() throws {
        let fixture = try repository()
        let budget = GitBudget(bytes: 20)
        try read(fixture, budget)
        try read(fixture, budget)
        #expect(
            failure { try read(fixture, budget) }
                == .tooLarge("the commits contain more than 20 bytes of files to compare: compare fewer at a time"))
    }

    // MARK: Trees

    /// Creates a commit whose `markets` is the tree.
    private func branch(_ fixture: GitFixture, markets tree: String) throws {
        let top = try fixture.git(["mktree", "-z"], input: Data("040000 tree \(tree)\tmarkets\0".utf8))
        let commit = try fixture.git(["commit-tree", "-m", "x", top])
        try fixture.git(["update-ref", "refs/heads/evil", commit])
    }

    /// A tree that contains the next level twice, and so on.
    private func bomb(_ fixture: GitFixture, over tree: String, levels: Int) throws -> String {
        var tree = tree
        for _ in 0..<levels {
            let records = ["a", "b"].map { "040000 tree \(tree)\t\($0)\0" }.joined()
            tree = try fixture.git(["mktree", "-z"], input: Data(records.utf8))
        }
        return tree
    }

    @Test(arguments: [true, false])
    func exponentialTreeIsRejected(hasFiles: Bool) throws {
        let fixture = try repository()
        let blob = try fixture.git(["rev-parse", "HEAD:markets/us.lua"])
        let records = hasFiles ? "100644 blob \(blob)\ta.txt\0" : ""
        let leaf = try fixture.git(["mktree", "-z"], input: Data(records.utf8))
        try branch(fixture, markets: bomb(fixture, over: leaf, levels: 40))
        #expect(
            failure { try read(fixture, at: "evil") }?.description
                == "evil has more than 20,000 files and folders there: keep the markets in a separate folder, and name "
                + "it with --markets DIR")
        let repository = try GitRepository(around: fixture.folder.path)
        guard case .tooLarge? = failure({ try repository.folder(of: ["us"], at: repository.commit("evil")) }) else {
            Issue.record("all entries were listed")
            return
        }
        #expect(fixture.processes == [])
    }

    @Test func fileWithManyNamesCountsEachTime() throws {
        let fixture = try repository()
        let blob = try fixture.git(
            ["hash-object", "-w", "--stdin"], input: Data(String(repeating: "-", count: 60_000).utf8))
        let records = (0..<300).map { "100644 blob \(blob)\tm\($0).lua\0" }.joined()
        try branch(fixture, markets: fixture.git(["mktree", "-z"], input: Data(records.utf8)))
        #expect(
            failure { try read(fixture, at: "evil") }?.description.contains(
                "the markets folder has 17.2 MB of Lua files; the maximum is 16 MB") == true)
    }

    @Test func onlyLuaFilesAreRead() throws {
        let fixture = try repository()
        try fixture.write(String(repeating: "-", count: 900_000), to: "markets/picture.svg")
        try fixture.commit()
        let budget = GitBudget(bytes: 100)
        let tree = try #require(try read(fixture, budget))
        #expect(tree.files["us.lua"] == .text(Array("return 1".utf8)))
        #expect(
            tree.files["picture.svg"]
                == .refused("it is not a .lua file, and a commit is read for those only: rename it"))
    }

    @Test func unsafeAndDuplicateNamesAreRejected() throws {
        let fixture = try repository()
        let blob = try fixture.git(["rev-parse", "HEAD:markets/us.lua"])
        let id = stride(from: 0, to: 40, by: 2).map { UInt8(blob.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        func entry(_ name: String) -> Data { Data("100644 \(name)\0".utf8) + Data(id) }
        let inner = fixture.folder.appending(path: "inner")
        try (entry("x.lua")).write(to: inner)
        let below = try fixture.git(["hash-object", "-t", "tree", "-w", "--literally", inner.path])
        let raw = stride(from: 0, to: 40, by: 2).map { UInt8(below.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        let outer = fixture.folder.appending(path: "outer")
        try (Data("40000 ..\0".utf8) + Data(raw) + entry("a.lua") + entry("a.lua") + entry("b\u{1B}[2J.lua")).write(
            to: outer)
        try branch(fixture, markets: fixture.git(["hash-object", "-t", "tree", "-w", "--literally", outer.path]))
        let files = try #require(try read(fixture, at: "evil")).files
        #expect(
            files["../x.lua"] == .refused("its path contains \".\" or \"..\": check the repository with git fsck"))
        #expect(files["a.lua"] == .refused("evil contains it twice: check the repository with git fsck"))
        #expect(files.count == 3)
    }

    @Test func linkInsteadOfFolderIsReported() throws {
        let fixture = try repository()
        let target = try fixture.git(["hash-object", "-w", "--stdin"], input: Data("/etc".utf8))
        let top = try fixture.git(["mktree", "-z"], input: Data("120000 blob \(target)\tmarkets\0".utf8))
        let commit = try fixture.git(["commit-tree", "-m", "x", top])
        #expect(
            failure { try read(fixture, at: commit) }
                == .tooLarge("markets is a symbolic link at \(commit): name the folder itself"))
    }

    /// A small object may be a delta of a large one, which git unpacks in full; a commit may itself be large.
    @Test func oversizedObjectIsNotUnpacked() throws {
        let fixture = try repository()
        let tree = try fixture.git(["rev-parse", "HEAD^{tree}"])
        let file = fixture.folder.appending(path: "large")
        let author = "A <a@example.com> 1767225600 +0000"
        try Data(
            "tree \(tree)\nauthor \(author)\ncommitter \(author)\n\n\(String(repeating: "x", count: 80 << 20))".utf8
        ).write(to: file)
        let commit = try fixture.git(["hash-object", "-t", "commit", "-w", file.path])
        let said = failure { try read(fixture, at: commit) }?.description ?? ""
        #expect(said.hasPrefix("git rev-parse exited with status 128: "), "\(said)")
    }

    // MARK: Programs

    @Test func programsFromRepositoryAreNotRun() throws {
        let fixture = try repository()
        let mark = fixture.folder.appending(path: "was-run").path
        let program = fixture.folder.appending(path: "program")
        try fixture.write("#!/bin/sh\ntouch '\(mark)'\n", to: "program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        for key in [
            "core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy",
            "core.alternateRefsCommand", "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean",
            "filter.x.smudge", "filter.x.process", "gpg.program", "credential.helper", "remote.origin.uploadpack",
            "remote.origin.receivepack", "uploadpack.packObjectsHook", "sequence.editor", "pager.ls-tree",
            "pager.rev-parse", "pager.cat-file",
        ] { try fixture.git(["config", key, program.path]) }
        for name in ["rev-parse", "ls-tree", "cat-file", "for-each-ref", "merge-base"] {
            try fixture.git(["config", "alias.\(name)", "!\(program.path)"])
        }
        // A partial clone that fetches missing objects with a program.
        try fixture.git(["config", "remote.origin.url", "ext::\(program.path)"])
        try fixture.git(["config", "remote.origin.promisor", "true"])
        try fixture.git(["config", "protocol.ext.allow", "always"])
        try fixture.git(["config", "extensions.partialClone", "origin"])
        try fixture.write("* diff=x filter=x", to: ".git/info/attributes")
        let blob = try fixture.git(["rev-parse", "HEAD:markets/us.lua"])
        try fixture.remove(".git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
        let tree = try #require(try read(fixture))
        #expect(
            tree.files["us.lua"]
                == .refused("this clone does not have its content; run: git fetch --refetch"))
        #expect(try GitRepository(around: fixture.folder.path).references(atMost: 5) == ["HEAD", "main"])
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    /// A project folder may be laid out like a bare repository, whose settings are not visible in a `.git` folder.
    @Test func embeddedBareRepositoryIsNotUsed() throws {
        let fixture = try repository()
        let bare = fixture.folder.appending(path: "bare")
        try fixture.git(["clone", "--quiet", "--bare", fixture.folder.path, bare.path])
        guard case .failed(_, 128, let message)? = failure({ try GitRepository(around: bare.path) }) else {
            Issue.record("git used the bare repository")
            return
        }
        #expect(message.contains("safe.bareRepository"))
    }

    // MARK: Other repositories

    /// A neighboring repository, whose commit must not be disclosed.
    private func other() throws -> GitFixture {
        let other = try GitFixture()
        try other.write("TOPSECRET", to: "markets/us.lua")
        try other.commit()
        return other
    }

    /// Performs every read of `review A...B`.
    private func refusal(_ fixture: GitFixture) throws -> String {
        let said = failure {
            let repository = try GitRepository(around: fixture.folder.appending(path: "markets").path)
            let commit = try repository.commit("HEAD")
            _ = try repository.mergeBase(of: commit, and: commit)
            return try repository.markets(at: commit)
        }
        return try #require(said).description
    }

    @Test(
        arguments: someRows(
            of: [
                "packed-refs", "shallow", "info/grafts", "objects/info/alternates", "HEAD", "config", "commondir",
                "index", "objects/info/commit-graph", "config.worktree",
            ], kind: isInFolder))
    func linkInRepositoryIsRejectedWithoutShowingTarget(_ name: String) throws {
        let fixture = try repository()
        let secret = fixture.folder.appending(path: "outside.txt")
        try fixture.write("TOPSECRET one\nTOPSECRET two\n", to: "outside.txt")
        let path = fixture.folder.appending(path: ".git/\(name)").path
        unlink(path)
        try #require(symlink(secret.path, path) == 0)
        let said = try refusal(fixture)
        #expect(said.hasPrefix("git was not run: ") && said.contains("/.git/\(name) is a symbolic link"), "\(said)")
        #expect(!said.contains("TOPSECRET"))
    }

    /// The same contents as files, and as settings that a repository includes from elsewhere.
    @Test(
        arguments: someRows(
            of: [
                ("packed-refs", "TOPSECRET one\n"), ("packed-refs", "a: TOPSECRET: b\n"), ("shallow", "TOPSECRET\n"),
                ("objects/info/alternates", "/nowhere/TOPSECRET\n"), ("objects/info/alternates", "a: TOPSECRET: b\n"),
                ("config", "[core]\n\trepositoryFormatVersion = 0\n\tbigFileThreshold = TOPSECRET\n"),
                ("config", "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tTOPSECRET = TOPSECRET\n"),
                ("objects/info/commit-graphs/commit-graph-chain", "TOPSECRET\n"), ("HEAD", "TOPSECRET\n"),
            ], kind: { isInFolder($0.0) }))
    func unreadableContentIsNotRepeated(_ name: String, _ content: String) throws {
        let fixture = try repository()
        try fixture.write(content, to: ".git/\(name)")
        // Some versions of git do not read all of these.
        let said = failure { try read(fixture) }?.description ?? ""
        #expect(!said.contains("TOPSECRET"), "\(said)")
    }

    @Test(arguments: [
        ("fatal: unexpected line in .git/packed-refs: TOPSECRET: x", "fatal: unexpected line in .git/packed-refs"),
        ("fatal: bad numeric config value 'TOPSECRET' for 'a.b': invalid unit", "fatal: bad numeric config value …"),
        (
            "error: object directory TOPSECRET does not exist",
            "a folder listed in .git/objects/info/alternates does not exist"
        ),
        ("TOPSECRET: fatal: x", ""), ("TOPSECRET", ""), ("", ""),
        ("fatal: unknown repository extension found:\n\tTOPSECRET", "fatal: unknown repository extension found:"),
    ])
    func causeOfFailureHasNoFileContents(_ message: String, _ cause: String) {
        #expect(GitCommand.Answer(status: 128, output: [], message: message).cause == cause)
    }

    @Test func memoryIsNamedAsCause() {
        for message in ["fatal: Out of memory, malloc failed", "fatal: mmap failed: Cannot allocate memory"] {
            let answer = GitCommand.Answer(status: 128, output: [], message: message)
            #expect(answer.cause.hasPrefix("it needs more memory than it may use: "))
        }
    }

    @Test(arguments: ["file", "commondir", "link", "objects and refs", "forged worktree"])
    func otherRepositoryIsNotRead(_ way: String) throws {
        let (fixture, other) = (try repository(), try other())
        let (own, theirs) = (fixture.folder.appending(path: ".git").path, other.folder.appending(path: ".git").path)
        switch way {
        case "file":
            try fixture.remove(".git")
            try fixture.write("gitdir: \(theirs)\n", to: ".git")
        case "commondir": try fixture.write("\(theirs)\n", to: ".git/commondir")
        case "link":
            try fixture.remove(".git")
            try #require(symlink(theirs, own) == 0)
        case "forged worktree":
            try fixture.remove(".git")
            try fixture.write("gitdir: forged\n", to: ".git")
            try fixture.write("\(own)\n", to: "forged/gitdir")
            try fixture.write("\(theirs)\n", to: "forged/commondir")
            try fixture.write("ref: refs/heads/main\n", to: "forged/HEAD")
        default:
            for name in ["objects", "refs"] {
                try fixture.remove(".git/\(name)")
                try #require(symlink("\(theirs)/\(name)", "\(own)/\(name)") == 0)
            }
        }
        let said = try refusal(fixture)
        #expect(said.hasPrefix("git was not run: "), "\(said)")
    }

    /// Git skips an unusable repository; using a parent repository instead must be reported.
    @Test func parentRepositoryIsNotUsedSilently() throws {
        let fixture = try repository()
        try fixture.write("no reference\n", to: "markets/.git/HEAD")
        for name in ["objects", "refs"] { try fixture.write("", to: "markets/.git/\(name)/x") }
        let said = try refusal(fixture)
        #expect(said.hasSuffix("/markets/.git is not a repository: remove it, or repair its HEAD"), "\(said)")
        try fixture.remove("markets/.git/HEAD")
        #expect(try read(fixture)?.files["us.lua"] == .text(Array("return 1".utf8)))
    }

    /// Git would find the markets at no commit, and a review would call each of them new.
    @Test(arguments: ["..", "/nonexistent", "markets"])
    func otherWorkTreeIsRefused(place: String) throws {
        let fixture = try repository()
        #expect(try read(fixture) != nil)
        let path = place.hasPrefix("/") ? place : fixture.folder.appending(path: place).path
        try fixture.git(["config", "core.worktree", path])
        let said = try refusal(fixture)
        #expect(said.contains("core.worktree in ") && said.contains(" names another work tree"), "\(said)")
    }

    @Test func worktreesAndSubmodulesAreRead() throws {
        let fixture = try repository()
        let outer = try GitFixture()
        try outer.git([
            "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", fixture.folder.path, "module",
        ])
        try outer.commit()
        let tree = outer.folder.appending(path: "tree").path
        try fixture.git(["worktree", "add", "--quiet", tree])
        let ofOuter = outer.folder.appending(path: "of-outer").path
        try outer.git(["worktree", "add", "--quiet", ofOuter])
        try outer.git(["-C", ofOuter, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"])
        for folder in ["\(outer.folder.path)/module", tree, "\(ofOuter)/module"] {
            let repository = try GitRepository(around: "\(folder)/markets")
            #expect(repository.path == "markets")
            let markets = try #require(try repository.markets(at: repository.commit("HEAD")))
            #expect(markets.files["us.lua"] == .text(Array("return 1".utf8)))
        }
    }

    @Test func graftsAndReplacementsAreIgnored() throws {
        let fixture = try repository()
        try fixture.write("return 2", to: "markets/us.lua")
        try fixture.commit()
        try fixture.git(["replace", "HEAD~1", "HEAD"])
        let base = try #require(try read(fixture, at: "HEAD~1"))
        #expect(base.files["us.lua"] == .text(Array("return 1".utf8)))
        let head = try fixture.git(["rev-parse", "HEAD"])
        try fixture.write("\(head)\n", to: ".git/info/grafts")
        #expect(try read(fixture, at: "HEAD~1") != nil)
    }

    /// A failure of git does not mean that two commits have no common ancestor.
    @Test func failureIsNotMissingAncestor() throws {
        let fixture = try repository()
        let first = try fixture.git(["rev-parse", "HEAD"])
        try fixture.commit()
        try fixture.commit()
        let repository = try GitRepository(around: fixture.folder.path)
        let (one, other) = (try repository.commit("HEAD"), try repository.commit("HEAD~1"))
        let middle = other.id
        try fixture.remove(".git/objects/\(first.prefix(2))/\(first.dropFirst(2))")
        try fixture.remove(".git/objects/\(middle.prefix(2))/\(middle.dropFirst(2))")
        guard case .failed(command: "merge-base", _, _)? = failure({ try repository.mergeBase(of: one, and: other) })
        else {
            Issue.record("a different error was thrown")
            return
        }
    }

    #if os(Linux)
        /// Each piece is small enough, but there are many.
        @Test func memoryOfGitIsLimited() throws {
            let fixture = try repository()
            let sections = (0..<1_500_000).map { "[a\($0)]\nb=c\n" }.joined()
            let config = fixture.folder.appending(path: ".git/config")
            try (try Data(contentsOf: config) + Data(sections.utf8)).write(to: config)
            let budget = GitBudget(time: .seconds(60), processorTime: .seconds(60))
            let said = failure { try read(fixture, budget) }?.description ?? ""
            #expect(said.contains("it needs more memory than it may use"), "\(said)")
        }
    #endif

    // MARK: Output of git

    /// The inputs that `scripts/fuzz listing` starts with, in pieces of each size.
    @Test func corpusFileIsReadOrRejectedInAnyPieces() throws {
        let folder = MarketFixture.repository.appending(path: "Tests/Fuzz/corpus/listing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.count >= 3)
        for name in names {
            let input = Array(try Data(contentsOf: folder.appending(path: name)))
            for size in UInt8.min...UInt8.max { FuzzedListing.check([size] + input.dropFirst()) }
            for part in UInt8.min...UInt8.max { FuzzedListing.check([input[0], part] + input.dropFirst(2)) }
        }
    }

    @Test func endlessRecordIsNotCollected() {
        var listing = GitListing(of: "HEAD")
        let piece = [UInt8](repeating: 0x61, count: 4096)
        #expect(throws: GitFailure.tooLarge("HEAD has a path longer than 8,192 bytes: rename it")) {
            for _ in 0..<3 { try listing.take(piece[...]) }
        }
    }
}
