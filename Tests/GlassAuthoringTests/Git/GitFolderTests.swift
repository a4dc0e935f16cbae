import Foundation
import GlassBase
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import TestSupport
import MarketTesting
@testable import GlassAuthoring

/// Markets from a commit: reading them, and the errors for objects that can't be read.
@Suite(.timeLimit(.minutes(1)))
struct GitFolderTests {
    /// A repository with the real markets, committed in `markets`.
    private func repository() throws -> GitFixture {
        let repository = try GitFixture()
        try FileManager.default.copyItem(
            at: MarketFixture.repository.appending(path: "markets"), to: repository.folder.appending(path: "markets"))
        try repository.commit()
        return repository
    }

    private func opened(_ fixture: GitFixture, _ folder: String = "markets") throws -> GitRepository {
        try GitRepository(around: fixture.folder.appending(path: folder).path)
    }

    private func folder(
        _ fixture: GitFixture, at reference: String = "HEAD", _ path: String = "markets"
    ) throws -> MarketFolder {
        let repository = try opened(fixture, path)
        return MarketFolder(try #require(try repository.markets(at: repository.commit(reference))))
    }

    private func failure(_ body: () throws -> some Any) -> GitFailure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? GitFailure
        }
    }

    // MARK: Reading

    @Test func marketsOfCommitEqualThoseOnDisk() throws {
        let fixture = try repository()
        let committed = try folder(fixture)
        let onDisk = MarketFolder(path: fixture.folder.appending(path: "markets").path)
        #expect(committed.path == "HEAD:markets")
        #expect(try committed.marketIDs() == onDisk.marketIDs())
        #expect(committed.includableFiles() == onDisk.includableFiles())
        for id in try onDisk.marketIDs() {
            let one = try MarketLoader(.platformInMemory, folder: committed).load(id)
            let other = try MarketLoader(.platformInMemory, folder: onDisk).load(id)
            #expect(one.effective == other.effective)
            #expect(one.revision.digest == other.revision.digest)
            #expect(MarketDifference(from: one, to: other).isEmpty)
        }
    }

    @Test func commitIsReadWithoutWorkingTree() throws {
        let fixture = try repository()
        let repository = try opened(fixture)
        let folder = MarketFolder(try #require(try repository.markets(at: repository.commit("HEAD"))))
        try fixture.remove("markets")
        #expect(try MarketLoader(.platformInMemory, folder: folder).load("ca").id == "ca")
        #expect(folder.includableFiles().contains("shared/ca_regions.lua"))
        // Nor is anything written.
        #expect(throws: FileFailure(reason: "it is a file of HEAD")) { try folder.replace("us.lua", [], with: []) }
    }

    @Test func findingNamesCommit() throws {
        let fixture = try repository()
        try fixture.write("return { id = \"xx\", extends = \"nowhere\" }", to: "markets/xx.lua")
        try fixture.commit()
        let check = try MarketLoader(.platformInMemory, folder: folder(fixture)).check("xx")
        #expect(check.findings.first?.position?.file == "HEAD:markets/xx.lua")
    }

    @Test func folderMayBeRepositoryOrNested() throws {
        for path in ["", "a b/märkte"] {
            let fixture = try GitFixture()
            try fixture.write("return 1", to: path.isEmpty ? "t.lua" : "\(path)/t.lua")
            try fixture.write("return 2", to: "other/u.lua")
            try fixture.commit()
            #expect(try folder(fixture, path).marketIDs() == ["t"])
        }
    }

    @Test func earlierCommitHasItsOwnMarkets() throws {
        let fixture = try repository()
        try fixture.remove("markets/mx.lua")
        try fixture.commit()
        #expect(try folder(fixture).marketIDs() == ["ca", "us"])
        #expect(try folder(fixture, at: "HEAD~1").marketIDs() == ["ca", "mx", "us"])
    }

    @Test func movedFolderIsFoundByItsMarkets() throws {
        let fixture = try repository()
        try fixture.git(["mv", "markets", "countries"])
        try fixture.commit()
        let repository = try opened(fixture, "countries")
        let base = try repository.commit("HEAD~1")
        #expect(try repository.markets(at: base) == nil)
        #expect(try repository.folder(of: ["ca", "mx", "us"], at: base) == "markets")
        #expect(try repository.folder(of: ["de", "fr"], at: base) == nil)
        // A folder that no longer exists on disk can still be read from a commit.
        let gone = try opened(fixture, "markets")
        #expect(try #require(try gone.markets(at: base)).files.count == 8)
    }

    @Test func hooksWorkingTreeAndGitVariablesAreIgnored() throws {
        let own = [
            "PATH": "/bin", "HOME": "/home/a", "GIT_DIR": "/elsewhere", "GIT_INDEX_FILE": "x",
            "GIT_EXTERNAL_DIFF": "rm",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*", "PAGER": "less",
        ]
        let given = GitCommand.environment(of: own)
        #expect(given["GIT_DIR"] == nil && given["GIT_INDEX_FILE"] == nil && given["GIT_EXTERNAL_DIFF"] == nil)
        #expect(given["PATH"] == "/bin" && given["HOME"] == "/home/a" && given["GIT_CONFIG_VALUE_0"] == "*")
        #expect(given["GIT_OPTIONAL_LOCKS"] == "0" && given["GIT_TERMINAL_PROMPT"] == "0")
        #expect(given["GIT_ALLOW_PROTOCOL"] == "none" && given["PAGER"] == nil)

        let fixture = try repository()
        let mark = fixture.folder.appending(path: "was-run").path
        let script = "#!/bin/sh\ntouch '\(mark)'\n"
        for name in ["post-checkout", "reference-transaction", "fsmonitor"] {
            try fixture.write(script, to: ".git/hooks/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: fixture.folder.appending(path: ".git/hooks/\(name)").path)
        }
        try fixture.git(["config", "core.fsmonitor", ".git/hooks/fsmonitor"])
        try fixture.git(["config", "core.pager", mark])
        try fixture.git(["config", "diff.lua.textconv", "touch '\(mark)'"])
        try fixture.write("*.lua diff=lua filter=x", to: ".gitattributes")
        #expect(try folder(fixture).marketIDs() == ["ca", "mx", "us"])
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    // MARK: Rejections

    @Test(arguments: ["-x", "--upload-pack=touch x", "", "a\nb", "main\u{0}", "\u{1B}[2J"])
    func invalidReferenceIsNotPassedToGit(_ reference: String) throws {
        let repository = try opened(try repository())
        guard case .refusedReference? = failure({ try repository.commit(reference) }) else {
            Issue.record("\(reference)")
            return
        }
    }

    /// Git itself does not create such a branch, but a file in `refs/heads` does.
    @Test func branchNamedLikeOptionIsReadByFullName() throws {
        let fixture = try repository()
        try fixture.git(["update-ref", "refs/heads/-x", "HEAD"])
        #expect(try folder(fixture, at: "refs/heads/-x").marketIDs() == ["ca", "mx", "us"])
    }

    @Test func missingCommitErrorSuggestsFetch() throws {
        let fixture = try repository()
        let repository = try opened(fixture)
        func said(_ reference: String) -> String { failure { try repository.commit(reference) }?.description ?? "" }
        #expect(said("nope") == "there is no commit \"nope\" in this clone; run: git fetch origin nope")
        #expect(
            said("origin/main~2") == "there is no commit \"origin/main~2\" in this clone; run: git fetch origin main")
        #expect(said("$(x) y").hasSuffix("run: git fetch origin '$(x) y'"))
        // An error about the repository is not a result about the commit.
        try fixture.remove("markets")
        #expect(said("nope").hasPrefix("git rev-parse exited with status 128: fatal: cannot change to "))
    }

    @Test func shallowCloneErrorSuggestsFetch() throws {
        let fixture = try repository()
        try fixture.commit()
        let clone = try GitFixture(clone: ["--depth", "1", "file://\(fixture.folder.path)"])
        let repository = try opened(clone)
        #expect(
            failure { try repository.commit("HEAD~1") }?.description
                == "there is no commit \"HEAD~1\" in this shallow clone; run: git fetch --unshallow")
        #expect(try folder(clone).marketIDs() == ["ca", "mx", "us"])
    }

    @Test func repositoryWithoutCommitIsReported() throws {
        let fixture = try GitFixture()
        try fixture.write("return 1", to: "markets/t.lua")
        let repository = try opened(fixture)
        #expect(failure { try repository.commit("HEAD") } == .unborn)
        #expect(failure { try repository.commit("main") } == .unknownRevision("main", isShallow: false))
    }

    @Test func folderOutsideRepositoryIsReported() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "no-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let said = failure { try GitRepository(around: folder.path) }
        #expect(said == .noRepository(folder: folder.path))
    }

    @Test func missingGitIsReported() {
        #expect(failure { try GitCommand(in: "/", path: "/nonexistent:relative:") } == .noGit)
    }

    /// The environment variable is git's own test hook: with it, git treats every repository as owned by another user.
    @Test func errorForOtherOwnerHasCommandToTrust() throws {
        let message = """
            fatal: detected dubious ownership in repository at '/builds/o'
            To add an exception for this directory, call:

            \tgit config --global --add safe.directory /builds/o
            """
        let answer = GitCommand.Answer(status: 128, output: [], message: message)
        #expect(
            GitRepository.failure(answer, "rev-parse", folder: "/builds/o/markets").description
                == "git refuses the repository at /builds/o because another user owns it; if you trust it, run: "
                + "git config --global --add safe.directory /builds/o")
    }

    @Test func unsupportedEntryIsRejected() throws {
        let fixture = try repository()
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
        try fixture.write(pointer, to: "markets/lfs.lua")
        try fixture.write(String(repeating: "-", count: GitListing.maximumFileBytes + 1), to: "markets/large.lua")
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.appending(path: "markets/link.lua").path, withDestinationPath: "us.lua")
        try fixture.commit()
        let head = try fixture.git(["rev-parse", "HEAD"])
        try fixture.git(["update-index", "--add", "--cacheinfo", "160000,\(head),markets/sub.lua"])
        let blob = try fixture.git(["rev-parse", "HEAD:markets/us.lua"])
        // A name that is not UTF-8, which some file systems do not support.
        try fixture.git(
            ["update-index", "-z", "--add", "--index-info"],
            input: Data("100644 \(blob)\tmarkets/".utf8) + [0xFF] + Data(".lua\0".utf8))
        try fixture.git(["commit", "--quiet", "--message", "Strange"])

        let folder = try folder(fixture)
        #expect(try folder.marketIDs() == ["ca", "large", "lfs", "link", "mx", "sub", "us", "\u{FFFD}"])
        func said(_ id: String) -> String {
            do {
                return "\(try folder.read(market: id, limit: 64 * 1024).count)"
            } catch {
                return "\(error)".replacing("cannot read HEAD:markets/\(id).lua: ", with: "")
            }
        }
        #expect(said("lfs") == "it is a Git LFS pointer: its text is not in the repository")
        #expect(said("large") == "its size is 1 MB, more than any market file may have")
        #expect(said("link") == "it is a symbolic link in HEAD: replace it with the file")
        #expect(said("sub") == "it is a submodule in HEAD")
        #expect(said("\u{FFFD}") == "its name is not UTF-8: rename it")
        // The other files are read.
        #expect(try MarketLoader(.platformInMemory, folder: folder).load("us").id == "us")
    }

    @Test func submoduleInsteadOfFolderIsReported() throws {
        let fixture = try repository()
        // A commit from another repository.
        let head = String(repeating: "1", count: 40)
        try fixture.git(["rm", "-r", "--quiet", "--cached", "markets"])
        try fixture.git(["update-index", "--add", "--cacheinfo", "160000,\(head),markets"])
        try fixture.git(["commit", "--quiet", "--message", "Submodule"])
        let repository = try opened(fixture)
        #expect(
            failure { try repository.markets(at: repository.commit("HEAD")) }?.description
                == "markets is a submodule at HEAD: run the command in the submodule")
    }

    @Test func mergeBaseIsFoundOrReportedAsMissing() throws {
        let fixture = try repository()
        try fixture.git(["switch", "--quiet", "--create", "side"])
        try fixture.commit("On the side")
        try fixture.git(["switch", "--quiet", "main"])
        try fixture.commit("On main")
        let repository = try opened(fixture)
        let (main, side) = (try repository.commit("main"), try repository.commit("side"))
        #expect(try repository.mergeBase(of: main, and: side).id == repository.commit("main~1").id)
        try fixture.git(["checkout", "--quiet", "--orphan", "other"])
        try fixture.commit("Alone")
        let other = try repository.commit("other")
        guard case .noCommonAncestor? = failure({ try repository.mergeBase(of: main, and: other) }) else {
            Issue.record("they have one")
            return
        }
    }
}
