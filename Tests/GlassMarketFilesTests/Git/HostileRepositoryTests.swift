import Foundation
import GlassBase
import TestSupport
import Testing

@testable import GlassMarketFiles

/// Repositories that others wrote, such as those of an unpacked archive: git is given a time, and runs nothing of theirs.
@Suite(.timeLimit(.minutes(2)))
struct HostileRepositoryTests {
    private func repository() throws -> GitFixture {
        let repository = try GitFixture()
        try repository.write("return 1", to: "markets/us.lua")
        try repository.commit()
        return repository
    }

    /// What `review` asks of a repository.
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

    // MARK: Time

    @Test(arguments: [
        "config", "HEAD", "packed-refs", "commondir", "objects/info/alternates", "refs/heads/main", "info/grafts",
        "shallow", "config.worktree", "objects/pack/multi-pack-index",
    ])
    func aNamedPipeKeepsNobody(_ name: String) throws {
        let fixture = try repository()
        if name == "config.worktree" { try fixture.git(["config", "extensions.worktreeConfig", "true"]) }
        let path = fixture.folder.appending(path: ".git/\(name)").path
        unlink(path)
        try #require(mkfifo(path, 0o600) == 0)
        let start = ContinuousClock.now
        // Some git does not open all of these.
        if let failure = failure({ try read(fixture, GitBudget(time: .milliseconds(500))) }) {
            #expect(failure.description.hasPrefix("git "), "\(failure)")
            if case .outOfTime = failure {
                #expect(failure.description.contains("after 0.5 seconds: a named pipe"), "\(failure)")
            }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(fixture.processes == [])
    }

    @Test func theCallsOfACommandHaveOneTime() throws {
        let fixture = try repository()
        let budget = GitBudget(time: .zero)
        guard case .outOfTime(command: "rev-parse", after: .zero)? = failure({ try read(fixture, budget) }) else {
            Issue.record("it had time")
            return
        }
        let little = GitBudget(processorTime: .zero)
        guard case .outOfProcessorTime? = failure({ for _ in 0..<50 { try read(fixture, little) } }) else {
            Issue.record("it had processor time")
            return
        }
        let used = GitBudget(time: .seconds(60))
        for _ in 0..<3 { try read(fixture, used) }
        #expect(used.left.time < .seconds(60) && used.left.processorTime < GitBudget.usualProcessorTime)
    }

    @Test func theFilesOfACommandHaveOneSum() throws {
        let fixture = try repository()
        let budget = GitBudget(bytes: 20)
        try read(fixture, budget)
        try read(fixture, budget)
        #expect(
            failure { try read(fixture, budget) }
                == .tooLarge("the commits have more than 20 bytes of files to compare: compare fewer at a time"))
    }

    // MARK: Trees

    /// A branch whose `markets` is a tree.
    private func branch(_ fixture: GitFixture, markets tree: String) throws {
        let top = try fixture.git(["mktree", "-z"], input: Data("040000 tree \(tree)\tmarkets\0".utf8))
        let commit = try fixture.git(["commit-tree", "-m", "x", top])
        try fixture.git(["update-ref", "refs/heads/evil", commit])
    }

    /// A tree of two trees of the level below, and so on.
    private func bomb(_ fixture: GitFixture, over tree: String, levels: Int) throws -> String {
        var tree = tree
        for _ in 0..<levels {
            let records = ["a", "b"].map { "040000 tree \(tree)\t\($0)\0" }.joined()
            tree = try fixture.git(["mktree", "-z"], input: Data(records.utf8))
        }
        return tree
    }

    @Test(arguments: [true, false])
    func aFewTreesThatStandForManyAreRefused(hasFiles: Bool) throws {
        let fixture = try repository()
        let blob = try fixture.git(["rev-parse", "HEAD:markets/us.lua"])
        let records = hasFiles ? "100644 blob \(blob)\ta.txt\0" : ""
        let leaf = try fixture.git(["mktree", "-z"], input: Data(records.utf8))
        try branch(fixture, markets: bomb(fixture, over: leaf, levels: 40))
        #expect(
            failure { try read(fixture, at: "evil") }?.description
                == "evil has more than 20,000 files and folders there: keep the markets in a folder of their own, and name it "
                + "with --markets DIR")
        let repository = try GitRepository(around: fixture.folder.path)
        guard case .tooLarge? = failure({ try repository.folder(of: ["us"], at: repository.commit("evil")) }) else {
            Issue.record("all were listed")
            return
        }
        #expect(fixture.processes == [])
    }

    @Test func aFileOfManyNamesCountsForEach() throws {
        let fixture = try repository()
        let blob = try fixture.git(
            ["hash-object", "-w", "--stdin"], input: Data(String(repeating: "-", count: 60_000).utf8))
        let records = (0..<300).map { "100644 blob \(blob)\tm\($0).lua\0" }.joined()
        try branch(fixture, markets: fixture.git(["mktree", "-z"], input: Data(records.utf8)))
        #expect(
            failure { try read(fixture, at: "evil") }?.description.contains(
                "the markets folder has 17.2 MB of Lua files, and 16 MB are read") == true)
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
                == .refused("it is no .lua file, and of a commit only those are read: rename it"))
    }

    @Test func namesThatLeadElsewhereAndNamesThatStandTwiceAreRefused() throws {
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
            files["../x.lua"] == .refused("its path has \".\" or \"..\" in it: look at the commit with git fsck"))
        #expect(files["a.lua"] == .refused("evil has it twice: look at the commit with git fsck"))
        #expect(files.count == 3)
    }

    @Test func aLinkInThePlaceOfTheFolderIsNamed() throws {
        let fixture = try repository()
        let target = try fixture.git(["hash-object", "-w", "--stdin"], input: Data("/etc".utf8))
        let top = try fixture.git(["mktree", "-z"], input: Data("120000 blob \(target)\tmarkets\0".utf8))
        let commit = try fixture.git(["commit-tree", "-m", "x", top])
        #expect(
            failure { try read(fixture, at: commit) }
                == .tooLarge("markets is a symbolic link at \(commit): name the folder itself"))
    }

    /// A small file may be a change of a large one, which git unpacks whole; a commit may be large by itself.
    @Test func anObjectThatUnpacksToMuchIsNotUnpacked() throws {
        let fixture = try repository()
        let tree = try fixture.git(["rev-parse", "HEAD^{tree}"])
        let file = fixture.folder.appending(path: "large")
        let author = "A <a@example.com> 1767225600 +0000"
        try Data(
            "tree \(tree)\nauthor \(author)\ncommitter \(author)\n\n\(String(repeating: "x", count: 80 << 20))".utf8
        ).write(to: file)
        let commit = try fixture.git(["hash-object", "-t", "commit", "-w", file.path])
        let said = failure { try read(fixture, at: commit) }?.description ?? ""
        #expect(said.hasPrefix("git rev-parse ended with status 128: "), "\(said)")
    }

    // MARK: Programs

    @Test func noProgramOfTheRepositoryIsRun() throws {
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
        // A clone that fetches what it does not have, by a program.
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

    /// A folder of a project may be laid out as a repository of its own, whose settings nobody sees in a `.git`.
    @Test func aBareRepositoryAmongTheFilesIsNotAsked() throws {
        let fixture = try repository()
        let bare = fixture.folder.appending(path: "bare")
        try fixture.git(["clone", "--quiet", "--bare", fixture.folder.path, bare.path])
        guard case .failed(_, 128, let message)? = failure({ try GitRepository(around: bare.path) }) else {
            Issue.record("it was asked")
            return
        }
        #expect(message.contains("safe.bareRepository"))
    }

    // MARK: Other repositories

    /// A repository beside, whose commit nobody may see.
    private func other() throws -> GitFixture {
        let other = try GitFixture()
        try other.write("TOPSECRET", to: "markets/us.lua")
        try other.commit()
        return other
    }

    /// Asks for all that `review A...B` does.
    private func refusal(_ fixture: GitFixture) throws -> String {
        let said = failure {
            let repository = try GitRepository(around: fixture.folder.appending(path: "markets").path)
            let commit = try repository.commit("HEAD")
            _ = try repository.mergeBase(of: commit, and: commit)
            return try repository.markets(at: commit)
        }
        return try #require(said).description
    }

    @Test(arguments: [
        "packed-refs", "shallow", "info/grafts", "objects/info/alternates", "HEAD", "config", "commondir", "index",
        "objects/info/commit-graph", "config.worktree",
    ])
    func aLinkInTheRepositoryIsRefusedAndWhatItLeadsToIsNotShown(_ name: String) throws {
        let fixture = try repository()
        let secret = fixture.folder.appending(path: "outside.txt")
        try fixture.write("TOPSECRET one\nTOPSECRET two\n", to: "outside.txt")
        let path = fixture.folder.appending(path: ".git/\(name)").path
        unlink(path)
        try #require(symlink(secret.path, path) == 0)
        let said = try refusal(fixture)
        #expect(said.hasPrefix("git is not asked: ") && said.contains("/.git/\(name) is a symbolic link"), "\(said)")
        #expect(!said.contains("TOPSECRET"))
    }

    /// The same contents as files, and as the settings that a repository includes from elsewhere.
    @Test(arguments: [
        ("packed-refs", "TOPSECRET one\n"), ("packed-refs", "a: TOPSECRET: b\n"), ("shallow", "TOPSECRET\n"),
        ("objects/info/alternates", "/nowhere/TOPSECRET\n"), ("objects/info/alternates", "a: TOPSECRET: b\n"),
        ("config", "[core]\n\trepositoryFormatVersion = 0\n\tbigFileThreshold = TOPSECRET\n"),
        ("config", "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tTOPSECRET = TOPSECRET\n"),
        ("objects/info/commit-graphs/commit-graph-chain", "TOPSECRET\n"), ("HEAD", "TOPSECRET\n"),
    ])
    func whatGitCannotReadIsNotRepeated(_ name: String, _ content: String) throws {
        let fixture = try repository()
        try fixture.write(content, to: ".git/\(name)")
        // Some git does not read all of these.
        let said = failure { try read(fixture) }?.description ?? ""
        #expect(!said.contains("TOPSECRET"), "\(said)")
    }

    @Test(arguments: [
        ("fatal: unexpected line in .git/packed-refs: TOPSECRET: x", "fatal: unexpected line in .git/packed-refs"),
        ("fatal: bad numeric config value 'TOPSECRET' for 'a.b': invalid unit", "fatal: bad numeric config value …"),
        (
            "error: object directory TOPSECRET does not exist",
            "a folder that .git/objects/info/alternates names is not there"
        ),
        ("TOPSECRET: fatal: x", ""), ("TOPSECRET", ""), ("", ""),
        ("fatal: unknown repository extension found:\n\tTOPSECRET", "fatal: unknown repository extension found:"),
    ])
    func theCauseOfAFailureHoldsNothingOfAFile(_ message: String, _ cause: String) {
        #expect(GitCommand.Answer(status: 128, output: [], message: message).cause == cause)
    }

    @Test func memoryIsNamedAsTheCause() {
        for message in ["fatal: Out of memory, malloc failed", "fatal: mmap failed: Cannot allocate memory"] {
            let answer = GitCommand.Answer(status: 128, output: [], message: message)
            #expect(answer.cause.hasPrefix("it needs more memory than it may take: "))
        }
    }

    @Test(arguments: ["file", "commondir", "link", "objects and refs", "forged worktree"])
    func anotherRepositoryIsNotRead(_ way: String) throws {
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
        #expect(said.hasPrefix("git is not asked: "), "\(said)")
    }

    /// Git passes by a repository that it cannot use, and none that it takes instead is unseen.
    @Test func aRepositoryFurtherUpIsNotReadUnseen() throws {
        let fixture = try repository()
        try fixture.write("no reference\n", to: "markets/.git/HEAD")
        for name in ["objects", "refs"] { try fixture.write("", to: "markets/.git/\(name)/x") }
        let said = try refusal(fixture)
        #expect(said.hasSuffix("/markets/.git is no repository: remove it, or repair its HEAD"), "\(said)")
        try fixture.remove("markets/.git/HEAD")
        #expect(try read(fixture)?.files["us.lua"] == .text(Array("return 1".utf8)))
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

    @Test func graftsAndReplacementsChangeNoCommit() throws {
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

    /// A failure of git is no answer to the question whether two commits have a common ancestor.
    @Test func aFailureIsNoMissingAncestor() throws {
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
            Issue.record("it is told as something else")
            return
        }
    }

    #if os(Linux)
        /// Each piece is small enough, and there are many.
        @Test func theMemoryOfGitHasALimit() throws {
            let fixture = try repository()
            let sections = (0..<1_500_000).map { "[a\($0)]\nb=c\n" }.joined()
            let config = fixture.folder.appending(path: ".git/config")
            try (try Data(contentsOf: config) + Data(sections.utf8)).write(to: config)
            let budget = GitBudget(time: .seconds(60), processorTime: .seconds(60))
            let said = failure { try read(fixture, budget) }?.description ?? ""
            #expect(said.contains("it needs more memory than it may take"), "\(said)")
        }
    #endif

    // MARK: What git says

    /// The inputs that `scripts/fuzz listing` begins with, in pieces of each size.
    @Test func eachFileOfTheCorpusIsReadOrToldInWhateverPiecesItComes() throws {
        let folder = MarketFixture.repository.appending(path: "Tests/Fuzz/corpus/listing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.count >= 3)
        for name in names {
            let input = Array(try Data(contentsOf: folder.appending(path: name)))
            for size in UInt8.min...UInt8.max { FuzzedListing.check([size] + input.dropFirst()) }
            for part in UInt8.min...UInt8.max { FuzzedListing.check([input[0], part] + input.dropFirst(2)) }
        }
    }

    @Test func aRecordThatNeverEndsIsNotCollected() {
        var listing = GitListing(of: "HEAD")
        let piece = [UInt8](repeating: 0x61, count: 4096)
        #expect(throws: GitFailure.tooLarge("HEAD has a path of more than 8,192 bytes: rename it")) {
            for _ in 0..<3 { try listing.take(piece[...]) }
        }
    }
}
