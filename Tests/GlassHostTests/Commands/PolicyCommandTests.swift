import CommandTesting
import Foundation
import GlassBase
import TestSupport
import Testing

/// Policies as evaluated by the commands.
@Suite(.timeLimit(.minutes(3)))
struct PolicyCommandTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = try folder.markets()
        for name in ["policies", "scripts"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
    }

    private func host(_ arguments: String...) throws -> HostRun {
        try HostRun(arguments, folder: folder.url)
    }

    private func write(_ policy: String) throws { _ = try folder.write(policy, to: "policies/a.lua") }

    private static let timeout = """
        glass.policy("timeouts stay low", { severity = "breaking" }, function(market, deny)
          local seconds = market.config.platform.urlSession.requestTimeoutSeconds
          -- Mexico has values of its own.
          if seconds > 1 and market.id ~= "mx" then deny("platform.urlSession.requestTimeoutSeconds", "at most 1 second") end
        end)

        """

    /// The fingerprint in the hint of the first finding of a rule.
    private func fingerprint(of rule: String) throws -> String {
        let findings = try host("check", "--format", "json").json()["findings"] as? [[String: Any]] ?? []
        return try #require(findings.first { $0["code"] as? String == rule }?["fingerprint"] as? String)
    }

    /// The page says of a market what `check` says.
    @Test func denialIsOnTheCard() throws {
        try write(Self.timeout)
        // As `check`, it ends with 1.
        #expect(try host("inspect", "--as", "html", "--to", "pages").status == 1)
        let page = try String(contentsOf: folder.url.appending(path: "pages/index.html"), encoding: .utf8)
        #expect(page.contains("at most 1 second"))
    }

    @Test func denialFailsCheckAtItsPosition() throws {
        try write(Self.timeout)
        let run = try host("check", "-q")
        #expect(run.status == 1)
        // Reported once, although Canada and Mexico inherit it.
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 4, "\(run.output)")
        #expect(lines[0].hasPrefix("markets/us.lua:"))
        #expect(
            lines[0].hasSuffix(
                ": error: platform.urlSession.requestTimeoutSeconds: at most 1 second [timeouts stay low]"))
        #expect(lines[3].hasPrefix("  hint: denied by \"timeouts stay low\", policies/a.lua:1; its fingerprint is "))
    }

    @Test func policyOutputCannotInjectRunnerCommand() throws {
        try write(
            """
            print("::stop-commands::x") print("  ::add-mask::x") print("a\\n::error::x") print("b\\r\\n\\t::set-env::x")
            print("y ##[group]x") print("a::b")
            glass.policy("p", {}, function() print("::warning::x") end)
            """)
        let run = try host("check", "us", "--as", "github")
        for line in (run.output + run.errors).split(separator: "\n") {
            let start = line.drop { $0.isWhitespace }
            #expect(!start.hasPrefix("::") && !line.contains("##["), "\(line)")
        }
        #expect(run.errors.contains("\\u{3a}:stop-commands::x\n  \\u{3a}:add-mask::x\n"), "\(run.errors)")
        #expect(run.errors.contains("y #\\u{23}[group]x\na::b\n"), "\(run.errors)")
    }

    @Test(arguments: [
        ["check", "--as", "github"], ["check", "--as", "gitlab"], ["check", "--as", "sarif"], ["check"],
        ["check", "--format", "json"],
    ])
    func projectTextCannotInjectRunnerCommand(arguments: [String]) throws {
        try write(
            """
            glass.policy("##[group]p", { severity = "breaking" }, function(market, deny)
              deny("id", "##[group]x\\n##[endgroup]") deny(market, "\u{600}##[group]y")
            end)
            glass.policy("failing", {}, function() error("##[group]x\\n::stop-commands::x") end) -- ##[group]
            """)
        _ = try folder.write("return { id = '##[group]x', name = 7 }", to: "markets/##[group]x.lua")
        let run = try HostRun(arguments, environment: ["GITHUB_ACTIONS": "true"], folder: folder.url)
        #expect(run.status == 2)
        for line in (run.output + run.errors).split(separator: "\n") {
            #expect(line.unicodeScalars.firstRange(of: "##[".unicodeScalars) == nil, "\(line)")
            #expect(!line.drop { $0.isWhitespace }.hasPrefix("::stop"), "\(line)")
        }
        #expect(run.errors.contains("#\\u{23}[group]x"), "\(run.errors)")
        // The annotations of the format itself are commands.
        if arguments.last == "github" { #expect(run.output.contains("::error file="), "\(run.output)") }
        // A document still contains the original text.
        if arguments.last == "json" {
            let findings = try run.json()["findings"] as? [[String: Any]] ?? []
            #expect(findings.contains { ($0["message"] as? String)?.hasPrefix("##[group]x") == true })
        }
    }

    @Test func acceptanceIsCountedAndExpiredOneIsReported() throws {
        try write(Self.timeout)
        let print = try fingerprint(of: "timeouts stay low")
        func accept(_ day: String) -> String {
            "glass.accept { fingerprint = \"\(print)\", reason = \"the old gateway\", expires = \"\(day)\" }"
        }
        try write(Self.timeout + accept("9999-12-31"))
        let accepted = try host("check")
        #expect(accepted.status == 0, "\(accepted.output)")
        #expect(accepted.output.hasSuffix(", 1 accepted\n"))
        #expect(try host("check", "--format", "json").json()["accepted"] as? Int == 1)
        try write(Self.timeout + accept("2020-12-31"))
        let expired = try host("check")
        #expect(expired.status == 1)
        #expect(
            expired.output.contains(
                "policies/a.lua:6: warning: the accept for \(print) (\"the old gateway\") expired on 2020-12-31"))
        try write(accept("9999-12-31"))
        let unused = try host("check")
        #expect(unused.status == 0)
        #expect(
            unused.output.contains(
                "policies/a.lua:1: note: the accept for \(print) (\"the old gateway\") matches nothing"))
        #expect(unused.output.hasSuffix(", 1 note\n"))
        // An acceptance may be for other markets than the one that is checked.
        #expect(try !host("check", "us").output.contains("matches nothing"))
    }

    @Test(arguments: [
        ("glass.policy('a', {}, function() error('boom') end)", "policies/a.lua:1: boom", "boom"),
        ("glass.policy('a', {}, function() while true do end end)", "policies/a.lua:1", "time limit exceeded"),
        ("glass.policy('a', { severity = 'fatal' }, function() end)", "policies/a.lua:1", "severity must be one of"),
        (
            "glass.policy('a', {}, function() end)\nglass.policy('a', {}, function() end)", "policies/a.lua:2",
            "already declared at policies/a.lua:1"
        ),
        ("not Lua", "policies/a.lua:1", "near"),
    ])
    func failedPolicyIsNotAPass(text: String, place: String, message: String) throws {
        try write(text)
        let run = try host("check")
        #expect(run.status == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.hasPrefix(String(place.prefix(16))), "\(run.errors)")
        // The markets are checked nevertheless.
        #expect(run.output.contains("3 markets: 0 errors"))
        // An endless policy takes two seconds until it reaches its limit, in each format.
        if message == "time limit exceeded", !runsAllRounds { return }
        let json = try host("check", "--format", "json")
        #expect(json.status == 2)
        let findings = try json.json()["findings"] as? [[String: Any]] ?? []
        #expect(findings.filter { $0["code"] as? String == "policyFailed" }.count == 1)
    }

    @Test func policiesFolderIsNamedOrNextToMarkets() throws {
        try write(Self.timeout)
        try FileManager.default.moveItem(
            at: folder.url.appending(path: "policies"), to: folder.url.appending(path: "rules"))
        #expect(try host("check", "-q").status == 0)
        #expect(try host("check", "-q", "--policies", "rules").status == 1)
        let missing = try host("check", "--policies", "ruls")
        #expect(missing.status == 2)
        #expect(missing.errors == "there is no folder ruls with policies\n")
        let below = try HostRun(["check", "-q"], folder: folder.url.appending(path: "rules"))
        #expect(below.status == 0)
    }

    // MARK: Policy tests

    private static let tests = """
        glass.test("a long timeout is denied", function()
          local slow = glass.fixture { extends = "us", platform = { urlSession = { requestTimeoutSeconds = 90 } } }
          local denials = slow:denials("timeouts stay low")
          glass.expect(#denials):toBe(1)
          glass.expect(denials[1]):toEqual({ policy = "timeouts stay low", severity = "breaking",
            key = "platform.urlSession.requestTimeoutSeconds", message = "at most 1 second" })
        end)
        glass.test("a short one is not", function()
          glass.expect(glass.fixture { extends = "us", platform = { urlSession = { requestTimeoutSeconds = 1 } } }:denials())
            :toEqual({})
        end)
        glass.test("a text is a market file", function()
          local market = glass.fixture [[return { id = "fixture", extends = "us", locales = append { "en-CA" } }]]
          glass.expect(#market:denials()):toBe(1)
        end)
        glass.test("changes", function()
          glass.expect(#glass.change { rule = "link.lost", link = "walmart://campaign/1" }:denials("campaigns stay")):toBe(1)
          glass.expect(glass.change { rule = "link.lost", link = "walmart://a" }:denials("campaigns stay")):toEqual({})
        end)
        """

    @Test func policiesAreTestedAgainstLiteralMarkets() throws {
        try write(
            Self.timeout
                + "glass.policy(\"campaigns stay\", { on = \"review\" }, function(change, deny)\n"
                + "  if change.link:find(\"campaign\") then deny(change, \"until January\") end\nend)")
        _ = try folder.write(Self.tests, to: "policies/a_test.lua")
        for arguments in [["test", "policies/"], ["test"], ["test", "policies/a_test.lua"]] {
            let run = try HostRun(arguments, folder: folder.url)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("4 passed, 0 failed"))
        }
        // The tests of a named folder test the policies of that folder.
        try FileManager.default.moveItem(
            at: folder.url.appending(path: "policies"), to: folder.url.appending(path: "rules"))
        #expect(try host("test", "rules").status == 0)
        #expect(try host("test", "--policies", "rules").status == 0)
        #expect(try host("test", "rules/a_test.lua").status == 1)
    }

    @Test(arguments: [
        ("glass.fixture(7)", "glass.fixture expects the values of a market"),
        ("glass.fixture { extends = 'us', currency = 7 }", "the fixture cannot be loaded:"),
        (
            "glass.fixture { extends = 'us', currency = print }",
            "currency: a fixture cannot contain a value of type function"
        ),
        ("glass.fixture { id = 7 }", "the id of a fixture must be a name"),
        (
            "glass.fixture { extends = 'us' }:denials('timeout stay low')",
            "there is no policy \"timeout stay low\"; did you mean \"timeouts stay low\"?"
        ),
        ("glass.fixture { extends = 'us', name = 'raise' }:denials()", "policies/a.lua"),
        ("glass.change { link = 'a' }", "glass.change expects a table with at least a rule"),
        ("glass.change { rule = 'a' }:denails()", "did you mean 'denials'?"),
    ])
    func invalidPolicyTestIsReported(text: String, message: String) throws {
        try write(
            Self.timeout
                + "glass.policy(\"raising\", {}, function(market) if market.name == \"raise\" then error(\"boom\") end end)"
        )
        _ = try folder.write("glass.test('t', function() \(text) end)", to: "policies/a_test.lua")
        let run = try host("test", "policies")
        #expect(run.status == 1)
        #expect(run.output.contains(message), "\(run.output)")
    }

    @Test func folderWithoutTestsIsReported() throws {
        let run = try host("test", "policies/")
        #expect(run.status == 2)
        #expect(run.errors == "there is no policies/*_test.lua; write one, or name a script\n")
    }
}
