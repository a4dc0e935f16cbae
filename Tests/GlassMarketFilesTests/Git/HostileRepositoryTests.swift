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
        _ fixture: GitFixture, at reference: String = "HEAD", _ allowance: GitAllowance = GitAllowance()
    ) throws -> MarketTree? {
        let repository = try GitRepository(
            around: fixture.folder.appending(path: "markets").path, allowance: allowance)
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
        if let failure = failure({ try read(fixture, GitAllowance(time: .milliseconds(500))) }) {
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
        let allowance = GitAllowance(time: .zero)
        guard case .outOfTime(command: "rev-parse", after: .zero)? = failure({ try read(fixture, allowance) }) else {
            Issue.record("it had time")
            return
        }
        let little = GitAllowance(processorTime: .zero)
        guard case .outOfProcessorTime? = failure({ for _ in 0..<50 { try read(fixture, little) } }) else {
            Issue.record("it had processor time")
            return
        }
        let used = GitAllowance(time: .seconds(60))
        for _ in 0..<3 { try read(fixture, used) }
        #expect(used.left.time < .seconds(60) && used.left.processorTime < GitAllowance.usualProcessorTime)
    }

    @Test func theFilesOfACommandHaveOneSum() throws {
        let fixture = try repository()
        let allowance = GitAllowance(bytes: 20)
        try read(fixture, allowance)
        try read(fixture, allowance)
        #expect(
            failure { try read(fixture, allowance) }
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
        let allowance = GitAllowance(bytes: 100)
        let tree = try #require(try read(fixture, allowance))
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
