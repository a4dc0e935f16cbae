import CommandTesting
import Foundation
import Testing
import TestSupport

/// `review`: its comparison, its output, and its exit status.
@Suite(.timeLimit(.minutes(3)))
struct ReviewCommandTests {
    /// A repository with the real markets, committed on `main`.
    private func repository() throws -> GitFixture {
        let repository = try GitFixture()
        try FileManager.default.copyItem(
            at: CommandRun.repository.appending(path: "markets"), to: repository.folder.appending(path: "markets"))
        try repository.commit()
        return repository
    }

    /// The same, where `side` has fewer retries in Canada and `main` another currency in Mexico.
    private func divergedRepository() throws -> GitFixture {
        let fixture = try repository()
        try fixture.git(["switch", "--quiet", "--create", "side"])
        try edit(fixture, "ca", "maxRetries = 4", "maxRetries = 1")
        try fixture.commit("Fewer retries")
        try fixture.git(["switch", "--quiet", "main"])
        try edit(fixture, "mx", "\"MXN\"", "\"USD\"")
        try fixture.commit("Another currency")
        return fixture
    }

    private func edit(_ fixture: GitFixture, _ market: String, _ old: String, _ new: String) throws {
        let file = fixture.folder.appending(path: "markets/\(market).lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new, maxReplacements: 1).utf8).write(to: file)
    }

    private func review(_ fixture: GitFixture, _ arguments: String..., environment: [String: String] = [:]) throws
        -> HostProcess
    {
        try HostProcess(["review"] + arguments, environment: environment, folder: fixture.folder)
    }

    @Test func workingTreeIsComparedWithHead() throws {
        let fixture = try repository()
        let same = try review(fixture)
        #expect(same.status == 0)
        #expect(same.output == "HEAD → the working tree: 0 breaking, 0 risky, 0 notes\n")
        try edit(fixture, "us", "cart = {},", "cart = { paths = { \"basket\" } },")
        try edit(fixture, "us", "maxRetries = 3", "maxRetries = 0")
        let run = try review(fixture)
        #expect(run.status == 1)
        #expect(run.errors.isEmpty)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "us")
        #expect(
            lines.contains("  breaking link.lost: walmart://cart opened cart (\"cart\") and now opens nothing"))
        #expect(
            lines.contains(
                "  risky key.narrowed: platform.networking.retry.maxRetries changed from 3 to 0"))
        // The other two set their own retries, and Mexico its own cart.
        #expect(lines.contains { $0.hasPrefix("      markets/us.lua:") && $0.hasSuffix(", also ca") })
        #expect(!lines.contains { $0.contains("mx") })
        #expect(lines.last?.hasPrefix("HEAD → the working tree: ") == true)
        // The most severe comes first.
        let severities = lines.compactMap { line in
            ["breaking", "risky", "note"].firstIndex { line.hasPrefix("  \($0) ") }
        }
        #expect(severities == severities.sorted())
    }

    @Test func rangeNamesBothSides() throws {
        let fixture = try divergedRepository()
        func rules(_ range: String) throws -> [String] {
            let changes = try review(fixture, range, "--format", "json").json()["changes"] as? [[String: Any]]
            return (changes ?? []).compactMap { $0["rule"] as? String }
        }
        // Compared directly, both sides differ; compared with their common ancestor, only the changes of one side
        // count.
        #expect(try rules("main..side").sorted() == ["key.changed", "key.narrowed"])
        #expect(try rules("main...side") == ["key.narrowed"])
        #expect(try rules("side..") == rules("side..HEAD"))
        #expect(try rules("HEAD~1") == ["key.changed"])
        // Uncommitted changes are not part of a range.
        try edit(fixture, "us", "maxRetries = 3", "maxRetries = 0")
        #expect(try rules("HEAD~1..HEAD") == ["key.changed"])
    }

    @Test func statusDependsOnThreshold() throws {
        let fixture = try repository()
        try edit(fixture, "us", "maxRetries = 3", "maxRetries = 0")
        for (threshold, status) in [("breaking", 0), ("risky", 1), ("note", 1), ("never", 0)] {
            #expect(try review(fixture, "--fail-on", threshold).status == Int32(status), "\(threshold)")
        }
        #expect(try review(fixture, "--fail-on", "sometimes").status == 64)
    }

    @Test func recordedLinksAreReadFromFolderNextToMarkets() throws {
        let fixture = try repository()
        try fixture.write("# used in mails\nwalmart://cart\n\nwalmart://cart\n", to: "links/mails.txt")
        try edit(fixture, "us", "cart = {},", "cart = { paths = { \"basket\" } },")
        let run = try review(fixture)
        #expect(run.output.contains("now opens nothing; this affects 1 recorded link"))
        #expect(run.output.contains("      recorded at links/mails.txt:2\n"))
        try fixture.write("walmart://home\n", to: "other.txt")
        #expect(try !review(fixture, "--links", "other.txt").output.contains("recorded"))
        let missing = try review(fixture, "--links", "nope.txt")
        #expect(missing.status == 2)
        #expect(missing.errors == "cannot read nope.txt: no such file or directory\n")
    }

    @Test(arguments: ["text", "markdown", "sarif", "github", "gitlab"])
    func unreadableFileNameCannotInjectRunnerCommand(form: String) throws {
        let fixture = try repository()
        try fixture.write("walmart://cart\n", to: "links/##[group]a.txt")
        let path = fixture.folder.appending(path: "links/##[group]a.txt")
        try FileManager.default.removeItem(at: path)
        try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: "/etc/passwd")
        let run = try review(fixture, "--as", form)
        #expect(run.status == 2)
        #expect(run.errors.contains("links/#\\u{23}[group]a.txt"), "\(run.errors)")
        #expect(!run.errors.contains("##["))
    }

    @Test func jsonHasPositionsAndFingerprints() throws {
        let fixture = try repository()
        try edit(fixture, "us", "cart = {},", "cart = { paths = { \"basket\" } },")
        let json = try review(fixture, "--format", "json").json()
        #expect(json["schema"] as? Int == 1)
        #expect((json["base"] as? [String: Any])?["name"] as? String == "HEAD")
        #expect(((json["base"] as? [String: Any])?["commit"] as? String)?.count == 40)
        #expect((json["head"] as? [String: Any])?["commit"] is NSNull)
        let changes = try #require(json["changes"] as? [[String: Any]])
        let lost = try #require(changes.first { $0["rule"] as? String == "link.lost" })
        #expect((lost["before"] as? [String: Any])?["file"] as? String == "markets/us.lua")
        #expect((lost["fingerprint"] as? String)?.count == 12)
        #expect(lost["witness"] as? String == "walmart://cart")
        // The same change a few lines further down has the same fingerprint.
        let text = try String(contentsOf: fixture.folder.appending(path: "markets/us.lua"), encoding: .utf8)
        try fixture.write("-- moved\n-- down\n" + text, to: "markets/us.lua")
        let again = try #require(try review(fixture, "--format", "json").json()["changes"] as? [[String: Any]])
        #expect(again.map { $0["fingerprint"] as? String } == changes.map { $0["fingerprint"] as? String })
    }

    // MARK: Failures

    @Test func brokenSidePrintsItsFindings() throws {
        let fixture = try repository()
        try fixture.write("return {", to: "markets/xx.lua")
        try fixture.commit("Broken")
        try fixture.remove("markets/xx.lua")
        try edit(fixture, "us", "maxRetries = 3", "maxRetries = 0")
        // A removed market need not load.
        #expect(try review(fixture).status == 1)
        try fixture.write("return { id = \"xx\", name = \"X\", extends = \"us\" }", to: "markets/xx.lua")
        let run = try review(fixture)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("market \"xx\" of HEAD cannot be loaded:\nHEAD:markets/xx.lua:1:"))
        #expect(run.errors.hasSuffix("compare what loads with --allow-broken-base, or use another base\n"))
        let allowed = try review(fixture, "--allow-broken-base")
        #expect(allowed.status == 0)
        #expect(allowed.output.contains("note: xx: not compared because of errors in HEAD"))
        #expect(allowed.output.contains("risky key.narrowed"))
        // The newer side must load.
        try edit(fixture, "us", "maxRetries = 0", "maxRetries = 99")
        let newer = try review(fixture, "--allow-broken-base")
        #expect(newer.status == 2)
        #expect(newer.errors.contains("market \"us\" of the working tree cannot be loaded:\nmarkets/us.lua:"))
    }

    @Test func missingRepositoryOrCommitIsExplained() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let none = try HostProcess(["review"], folder: folder.url)
        #expect(none.status == 2)
        #expect(
            none.errors.hasSuffix(
                "is not in a git repository: run the command in one, or compare folders with diff --against DIR\n"))
        let empty = try GitFixture()
        try FileManager.default.copyItem(
            at: CommandRun.repository.appending(path: "markets"), to: empty.folder.appending(path: "markets"))
        let unborn = try review(empty)
        #expect(unborn.status == 2)
        #expect(unborn.errors == "the repository has no commits yet: commit the markets first\n")
        try empty.commit()
        let missing = try review(empty, "nope...HEAD")
        #expect(missing.status == 2)
        #expect(missing.errors == "there is no commit \"nope\" in this clone; run: git fetch origin nope\n")
        #expect(try review(empty, "HEAD..-x").status == 2)
        #expect(try review(empty, "--", "-x").status == 64)
        // A detached HEAD also counts as HEAD.
        try empty.git(["checkout", "--quiet", "--detach"])
        #expect(try review(empty).status == 0)
    }

    @Test func movedMarketsAreFound() throws {
        let fixture = try repository()
        try fixture.git(["mv", "markets", "countries"])
        let run = try review(fixture, "HEAD", "--markets", "countries")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("note: the markets were in markets at HEAD\n"))
        try fixture.commit("Move")
        let both = try review(fixture, "HEAD~1..HEAD", "--markets", "countries")
        #expect(both.status == 0)
        #expect(both.output.contains("HEAD~1 → HEAD: 0 breaking"))
    }

    @Test func mergeCommitIsComparedWithEitherParent() throws {
        let fixture = try divergedRepository()
        try fixture.git(["merge", "--quiet", "--no-edit", "side"])
        #expect(try review(fixture, "HEAD^1..HEAD").output.contains("key.narrowed"))
        #expect(try review(fixture, "HEAD^2..HEAD").output.contains("key.changed"))
    }
}
