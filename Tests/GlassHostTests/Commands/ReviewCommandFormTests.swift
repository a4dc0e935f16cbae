import CommandTesting
import Foundation
import GlassBase
import TestSupport
import Testing

/// `review` in the formats for other programs, and with the project's policies.
@Suite(.timeLimit(.minutes(3)))
struct ReviewCommandFormTests {
    private let folder: TestFolder

    /// A repository with the real markets, in which Canada loses a link.
    init() throws {
        folder = try TestFolder()
        _ = try folder.markets()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "policies"), withIntermediateDirectories: true)
    }

    private func git(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"] + arguments
        process.currentDirectoryURL = folder.url
        process.environment = HostProcess.environment(["HOME": folder.url.path, "GIT_CONFIG_NOSYSTEM": "1"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments)")
    }

    private func commit() throws {
        try git("init", "-q")
        try git("add", "-A")
        try git("commit", "-q", "-m", "base")
    }

    private func change(_ market: String, _ old: String, _ new: String) throws {
        let file = folder.url.appending(path: "markets/\(market).lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: file)
    }

    private func review(_ arguments: String...) throws -> HostProcess {
        try HostProcess(["review"] + arguments, environment: ["HOME": folder.url.path], folder: folder.url)
    }

    private func write(_ policy: String) throws { _ = try folder.write(policy, to: "policies/a.lua") }

    @Test func everyFormatReportsLostLinkAtItsPosition() throws {
        try commit()
        try change("ca", "\"myaccount\"", "\"profile\"")
        let github = try review("--as", "github")
        #expect(github.status == 1)
        #expect(github.output.contains("::error file=markets/ca.lua,line="), "\(github.output)")
        #expect(github.output.contains("title=link.lost::ca: "))
        let sarif = try review("--as", "sarif").json()
        let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        let lost = try #require(results.first { $0["ruleId"] as? String == "link.lost" })
        #expect(lost["level"] as? String == "error")
        let gitlab = try review("--as", "gitlab")
        let issues = try #require(
            try JSONSerialization.jsonObject(with: Data(gitlab.output.utf8)) as? [[String: Any]])
        #expect(issues.contains { $0["check_name"] as? String == "link.lost" })
        let markdown = try review("--as", "markdown").output
        #expect(markdown.hasPrefix("<!-- glass-host review -->\n### Markets: "))
        #expect(markdown.contains("<details open><summary><code>ca</code>: "))
        #expect(try review("--as", "markdown", "--format", "json").status == 64)
    }

    @Test func unchangedMarketsGiveEmptyReport() throws {
        try commit()
        #expect(try review("--as", "github").output.isEmpty)
        #expect(try review("--as", "gitlab").output == "[\n\n]\n")
        #expect(try review("--as", "markdown").output.contains("nothing changed"))
    }

    @Test func pullRequestCannotRelaxItsOwnRules() throws {
        try write(
            """
            glass.policy("account stays", { on = "review", severity = "breaking" }, function(change, deny)
              if change.path == "routables.account" or (change.link or ""):find("account") then deny(change, "people know it") end
            end)
            glass.policy("timeouts stay low", { severity = "breaking" }, function(market, deny)
              if market.config.platform.urlSession.requestTimeoutSeconds > 60 then
                deny("platform.urlSession.requestTimeoutSeconds", "at most 60")
              end
            end)
            """)
        try commit()
        // The change removes the rules that it violates.
        try write("")
        try change("ca", "\"myaccount\"", "\"profile\"")
        try change("us", "requestTimeoutSeconds = 30", "requestTimeoutSeconds = 90")
        let run = try review("--as", "github")
        #expect(run.status == 1)
        #expect(run.output.contains("title=account stays::ca: people know it"), "\(run.output)")
        #expect(run.output.contains("title=timeouts stay low::"), "\(run.output)")
        #expect(run.output.matches(of: /timeouts stay low/).count == 1)
        #expect(run.output.contains(/file=markets\/us.lua,line=\d+,col=\d+,title=timeouts stay low::/))
    }

    @Test func acceptanceInBaseApplies() throws {
        try commit()
        try change("ca", "\"myaccount\"", "\"profile\"")
        let before = try review("--format", "json").json()["changes"] as? [[String: Any]] ?? []
        let accepts = before.filter { $0["severity"] as? String == "breaking" }.compactMap { change in
            (change["fingerprint"] as? String).map {
                "glass.accept { fingerprint = \"\($0)\", reason = \"agreed\", expires = \"9999-12-31\" }"
            }
        }
        #expect(!accepts.isEmpty)
        try write(accepts.joined(separator: "\n"))
        // Not yet: the acceptances are part of the change itself.
        let own = try review()
        #expect(own.status == 1)
        #expect(own.output.contains("HEAD has no policies: the policies in it apply from the next change on"))
        try git("add", "policies")
        try git("commit", "-q", "-m", "accept")
        let accepted = try review()
        #expect(accepted.status == 0, "\(accepted.output)")
        #expect(accepted.output.contains("agreed"))
    }

    @Test(arguments: [
        "glass.policy('a', { on = 'review' }, function(change) error('boom') end)",
        "glass.policy('a', {}, function(market) error('boom') end)", "not Lua",
    ])
    func failedPolicyIsNotAPass(text: String) throws {
        try write(text)
        try commit()
        try change("ca", "\"myaccount\"", "\"profile\"")
        let run = try review()
        #expect(run.status == 2)
        #expect(run.errors.contains("HEAD:policies/a.lua:1"), "\(run.errors)")
    }
}
