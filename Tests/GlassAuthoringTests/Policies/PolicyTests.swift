import Foundation
import GlassBase
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import TestSupport
import Testing

@testable import GlassMarketFiles
import MarketTesting
@testable import GlassAuthoring

/// The declarations of policy files, and their verdicts on markets.
@Suite(.timeLimit(.minutes(2)))
struct PolicyTests {
    /// The time limit of a policy, as an error names it.
    private static let timeOfAPolicy =
        BuildSpeed.slowdownOfLua == 1
        ? "500 ms of CPU time" : "\(BuildSpeed.slowdownOfLua / 2) s of CPU time"

    /// Markets, with a folder of policies next to them.
    private let fixture: MarketFixture

    init() throws {
        fixture = try MarketFixture()
    }

    private func policies(_ files: [String: String], rules: [String]? = nil) throws -> PolicySet {
        for (name, text) in files { try fixture.write(text, to: "policies/\(name)") }
        return PolicySet(reading: MarketFolder(path: fixture.folder.path + "/policies"), rules: rules)
    }

    private func market(_ id: String) throws -> Market {
        try #require(try fixture.loader(limits: MarketFixture.patientLimits).check(id).market)
    }

    /// The findings without the path of the temporary folder.
    private func lines(_ findings: [Finding]) -> [String] {
        findings.map { $0.headline.plain.replacing(fixture.folder.path, with: "markets") }
    }

    @Test func denialHasPositionOfItsKey() throws {
        let set = try policies([
            "timeouts.lua": """
            glass.policy("timeouts stay low", { severity = "breaking" }, function(market, deny)
              local seconds = market.config.platform.urlSession.requestTimeoutSeconds
              if seconds > 1 then deny("platform.urlSession.requestTimeoutSeconds", "at most 1 second, got " .. seconds) end
            end)
            """
        ])
        #expect(set.failures.isEmpty)
        let us = try market("us")
        let finding = try #require(set.verdict(on: us).findings.first)
        let place = try #require(us.source.node(at: "platform.urlSession.requestTimeoutSeconds")?.position)
        #expect(finding.position == place)
        #expect(finding.severity == .error)
        #expect(finding.rule == "timeouts stay low")
        #expect(finding.code == .policy)
        #expect(finding.message.hasPrefix("at most 1 second"))
        #expect(finding.line?.text.contains("requestTimeoutSeconds") == true)
        #expect(finding.end?.line == place.line)
        #expect(
            finding.hint?.replacing(fixture.folder.path, with: "markets")
                == "denied by \"timeouts stay low\", markets/policies/timeouts.lua:1; its fingerprint is \(finding.fingerprint)"
        )
        // A value that Canada inherits is reported at its position in the United States.
        #expect(try set.verdict(on: market("ca")).findings.first?.position == place)
    }

    @Test func denialOfUnsetKeyHasPositionOfParent() throws {
        let set = try policies([
            "a.lua": """
            glass.policy("a", {}, function(market, deny)
              deny("platform.nowhere.at.all", "one")
              deny(market, "two")
              deny(nil, "three")
            end)
            """
        ])
        let us = try market("us")
        let findings = set.verdict(on: us).findings
        #expect(Set(findings.map(\.message)) == ["one", "two", "three"])
        #expect(findings.allSatisfy { $0.severity == .warning })
        let platform = us.source.node(at: "platform")?.keyPosition
        #expect(findings.first { $0.message == "one" }?.position == platform)
        #expect(findings.first { $0.message == "two" }?.position == us.source.position)
    }

    @Test func resultsAreSortedRegardlessOfFileOrder() throws {
        let body = "function(market, deny) deny('id', 'x') deny('currency', 'y') deny('id', 'x') deny('name', 'z') end"
        let one = try policies(["b.lua": "glass.policy('b', {}, \(body))", "c.lua": "glass.policy('a', {}, \(body))"])
        let first = lines(try one.verdict(on: market("us")).findings)
        let other = try policies([
            "b.lua": "glass.policy('a', {}, \(body)) glass.policy('b', {}, \(body))", "c.lua": "",
        ])
        #expect(first == lines(try other.verdict(on: market("us")).findings))
        #expect(first.count == 6)
        #expect(one.policies.map(\.name) == ["a", "b"])
    }

    @Test func policyCannotChangeDataOfOthers() throws {
        let set = try policies([
            "a.lua": """
            seen = 0
            glass.policy("a", {}, function(market) market.config.currency = "XXX" market.routes[1] = nil seen = 1 end)
            """,
            "b.lua": """
            glass.policy("b", {}, function(market, deny)
              if market.config.currency ~= "USD" or #market.routes == 0 then deny("currency", "changed") end
              market.config = nil
            end)
            glass.policy("c", {}, function(market, deny)
              if not market.config then deny("currency", "gone") end
            end)
            """,
        ])
        let verdict = try set.verdict(on: market("us"))
        #expect(verdict.findings.isEmpty)
        #expect(verdict.failures.isEmpty, "\(verdict.failures)")
        #expect(try set.verdict(on: market("us")).findings.isEmpty)
    }

    @Test func fileRunsOnceForAllItsPoliciesAndRestoresGlobals() throws {
        let printed = Lock<[String]>([])
        try fixture.write(
            """
            print("file")
            runs = (rawget(_G, "runs") or 0) + 1
            for _, name in ipairs { "a", "b", "c" } do
              glass.policy(name, {}, function(market, deny)
                print(name)
                if runs ~= 1 or rawget(_G, "mark") or not pcall(string.rep, "x", 1) then deny("id", name) end
                runs, mark, string, pcall, next, rawset = 7, true, nil, nil, nil, nil
              end)
            end
            """, to: "policies/a.lua")
        let set = PolicySet(reading: MarketFolder(path: fixture.folder.path + "/policies")) { text in
            printed.withLock { $0.append(text) }
        }
        for id in ["us", "ca"] {
            let verdict = try set.verdict(on: market(id))
            #expect(verdict.findings.isEmpty && verdict.failures.isEmpty, "\(verdict)")
        }
        // Output of the file itself is shown once, however often its policies run.
        #expect(printed.withLock { $0 } == ["file", "a", "b", "c", "a", "b", "c"].map { $0 + "\n" })
    }

    @Test func manyPoliciesShareTimeLimit() throws {
        let set = try policies([
            "p.lua": "for i = 1, 20 do glass.policy('p' .. i, {}, function() while true do end end) end"
        ])
        // The time of a command is seconds; the time of the verdict itself is added to either.
        let time: Duration? = runsAllRounds ? nil : .milliseconds(300)
        let verdict = try set.verdict(on: market("us"), within: time)
        #expect(verdict.failed.count == 20)
        #expect(
            verdict.cpuTime <= (time ?? .milliseconds(900) * BuildSpeed.slowdownOfLua)
                + .milliseconds(100) * BuildSpeed.slowdownOfLua)
        #expect(lines(verdict.failures).contains { $0.contains("time limit exceeded: ") })
        // Two of them reach a limit, and one message covers the rest.
        #expect(verdict.failures.count <= 3)
        let last = try #require(verdict.failures.last)
        #expect(last.message == "the policies of a command have used up the CPU time that they share")
        #expect(
            last.hint == "make the policies faster, or check less at a time: policies that did not run have no verdict")
        // In an interactive session, the next run has a new time limit.
        if runsAllRounds { #expect(try set.renewed.verdict(on: market("us")).failures.count > 1) }
    }

    @Test func manyFilesShareTimeLimit() throws {
        let set = try policies(
            Dictionary(uniqueKeysWithValues: (10..<30).map { ("f\($0).lua", "while true do end") }))
        #expect(set.failures.count <= 3)
        let told = lines(set.failures)
        #expect(
            told.contains { $0.contains(Self.timeOfAPolicy) && $0.hasPrefix("markets/policies/f10.lua:1") }, "\(told)")
        #expect(
            set.failures.last?.message
                == "the policies of a command have used up the CPU time that they share")
    }

    @Test(arguments: [
        ["p.lua": "for i = 1, 9999 do glass.policy('p' .. i, {}, function() end) end"],
        [
            "p.lua": "for i = 1, 600 do glass.policy('p' .. i, {}, function() end) end",
            "q.lua": "for i = 1, 600 do glass.policy('q' .. i, {}, function() end) end",
        ],
    ])
    func projectHasAtMostThousandPolicies(files: [String: String]) throws {
        let failures = lines(try policies(files).failures)
        #expect(failures.count == 1)
        #expect(
            failures.first?.contains("a project may have at most 1,000 policies") == true, "\(failures)")
    }

    @Test func outputAndDenialsAreLimited() throws {
        let printed = Lock(0)
        try fixture.write(
            "for i = 1, 30 do glass.policy('p' .. i, {}, function(_, deny)\n"
                + "print(('x'):rep(10000)) for n = 1, 500 do deny('id', i .. ' ' .. n) end end) end",
            to: "policies/a.lua")
        let set = PolicySet(reading: MarketFolder(path: fixture.folder.path + "/policies")) { text in
            printed.withLock { $0 += text.utf8.count }
        }
        let verdict = try set.verdict(on: market("us"))
        #expect(verdict.findings.count == 10_000)
        #expect(lines(verdict.failures).contains { $0.contains("may have at most 10,000 denials together") })
        #expect(verdict.failures.count <= 2)
        #expect(printed.withLock { $0 } < 70_000)
    }

    @Test func textsOfDenialsAreLimitedTogether() throws {
        let set = try policies([
            "a.lua": """
            for i = 1, 9 do
              glass.policy("p" .. i, {}, function(market, deny)
                for n = 1, 100 do deny(market, i .. " " .. n .. ("x"):rep(4000)) end
              end)
            end
            """
        ])
        let verdict = try set.verdict(on: market("us"))
        #expect(verdict.findings.reduce(0) { $0 + $1.message.utf8.count } <= 1 << 20)
        #expect(
            verdict.failures.last?.message
                == "the denials of a command's policies may have at most 1 MB of text", "\(verdict.failures)")
        #expect(verdict.failed.count == 9)
    }

    @Test(arguments: [
        ("deny(market, ('x'):rep(4097))", "the text of a denial may have at most 4,096 bytes, got 4,097"),
        ("deny(('x'):rep(5000), 'x')", "the key path of a denial may have at most 4,096 bytes, got 5,000"),
        ("deny(market, ('x'):rep(4096))", nil),
    ])
    func textOfDenialIsLimited(call: String, message: String?) throws {
        let set = try policies(["a.lua": "glass.policy('a', {}, function(market, deny) \(call) end)"])
        let failures = lines(try set.verdict(on: market("us")).failures)
        #expect(failures.count == (message == nil ? 0 : 1))
        if let message { #expect(failures.first?.contains(message) == true, "\(failures)") }
    }

    @Test func terminatedStatesAreLimited() throws {
        let set = try policies([
            "a.lua": "for i = 1, 1000 do glass.policy('p' .. i, {}, function() return ('x'):rep(1 << 30) end) end"
        ])
        let verdict = try set.verdict(on: market("us"))
        #expect(verdict.failures.count <= 21, "\(verdict.failures.count)")
        #expect(
            verdict.failures.contains { $0.message == "the policies of a command have exceeded limits 20 times" })
        // None of them has a verdict.
        #expect(verdict.failed.count == 1000)
        // In an interactive session, the next run has new limits.
        #expect(try set.renewed.verdict(on: market("us")).failures.count > 1)
        let files = try policies(
            Dictionary(uniqueKeysWithValues: (0..<60).map { ("g\($0).lua", "local x = ('x'):rep(1 << 30)") }))
        #expect(files.failures.count <= 21, "\(files.failures.count)")
    }

    @Test func manyMarketsAddAtMostHalfASecond() {
        let budget = PolicyBudget(cpuTime: .zero)
        for _ in 0..<300 { budget.beginVerdict() }
        #expect(budget.timeLeft == .milliseconds(500) * BuildSpeed.slowdownOfLua)
    }

    @Test func fileRequiresOnlyFilesInItsFolder() throws {
        let set = try policies([
            "a.lua": "local most = require 'limits.most' glass.policy('a', {}, function(_, deny) deny('id', most) end)",
            "limits/most.lua": "return 'seven'",
            "out.lua": "require 'shared'",
            "a_test.lua": "error('a test is no policy')",
        ])
        #expect(try set.verdict(on: market("us")).findings.map(\.message) == ["seven"])
        let failures = lines(set.failures)
        #expect(failures.count == 1)
        #expect(
            failures.first?.hasPrefix("markets/policies/out.lua:1:1: error: there is no module 'shared'") == true,
            "\(failures)")
    }

    @Test(
        arguments: [
            (
                "raising", "function(m) local x = m.config.nothing.more end",
                "attempt to index a nil value (field 'nothing')"
            ),
            ("greedy", "function() local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end end", "memory"),
            ("answering", "function() return false end", "it returned false: call deny(path, text) instead"),
            ("mumbling", "function(_, deny) deny('id') end", "deny expects a key path"),
            ("mistaken", "function(_, deny) deny('..', 'x') end", "deny expects a key path such as"),
            (
                "loud", "function(_, deny) for i = 1, 2000 do deny('id', 'x' .. i) end end",
                "may have at most 1000 denials"
            ),
            ("serving", "function() glass.market('us') end", "attempt to call a nil value (field 'market')"),
            ("leaving", "function() io.open('/etc/passwd') end", "io"),
        ] + (runsAllRounds ? [("endless", "function() while true do end end", PolicyTests.timeOfAPolicy)] : []))
    func failedPolicyIsNotAPass(name: String, body: String, message: String) throws {
        let set = try policies([
            "a.lua": "glass.policy('\(name)', {}, \(body))",
            "b.lua": "glass.policy('other', {}, function(_, deny) deny('id', 'told all the same') end)",
        ])
        #expect(set.failures.isEmpty)
        let verdict = try set.verdict(on: market("us"))
        #expect(verdict.failures.count == 1)
        #expect(verdict.failed == [name])
        let text = lines(verdict.failures).first ?? ""
        #expect(text.contains(message), "\(text)")
        #expect(text.hasPrefix("markets/policies/a.lua:1"), "\(text)")
        #expect(verdict.findings.map(\.message) == ["told all the same"])
        var rest = set
        rest.leaveOut(verdict.failed)
        #expect(try rest.verdict(on: market("ca")).failures.isEmpty)
    }

    @Test(arguments: [
        ("glass.policy('a', function() end)", ""),
        ("return glass.policy('a', {}, function() end)", ""),
        (
            "glass.policy('a', { severity = 'fatal' }, function() end)",
            "severity must be one of \"breaking\", \"risky\", \"note\", got \"fatal\""
        ),
        ("glass.policy('a', { severity = 'braking' }, function() end)", "did you mean \"breaking\"?"),
        (
            "glass.policy('a', { serverity = 'note' }, function() end)",
            "has no option \"serverity\"; did you mean \"severity\"?"
        ),
        ("glass.policy('a', { on = 'lsp' }, function() end)", "on must be one of \"check\", \"review\", got \"lsp\""),
        ("glass.policy('a', 1, function() end)", "expects a table of options, got 1"),
        ("glass.policy('a', {})", "glass.policy expects a name"),
        ("glass.policy('', {}, function() end)", "glass.policy expects a name"),
        ("glass.policy('a\\nb', {}, function() end)", "one line of at most 200 bytes"),
        ("glass.policy('unknownKey', {}, function() end)", "is the name of a built-in rule"),
        ("glass.policy('link.lost', {}, function() end)", "is the name of a built-in rule"),
        ("glass.severity { ['link.lost'] = 'note' }", ""),
        ("glass.severity { undecided = 'breaking' }", ""),
        ("glass.severity { ['link.lots'] = 'note' }", "there is no rule \"link.lots\""),
        ("glass.severity { undecided = 'error' }", "undecided must be one of"),
        ("glass.severity { 'undecided' }", "glass.severity expects a table"),
        ("glass.severity { undecided = 'note' } glass.severity { undecided = 'note' }", "is already set"),
        ("glass.accept { fingerprint = 'a3f8c21b9d04', reason = 'r', expires = '2026-12-31' }", ""),
        ("glass.accept { fingerprint = 'a3f8c21b9d04', reason = 'r', expires = '2026-12-31', on = 'review' }", ""),
        ("glass.accept { fingerprint = 'a3f8', reason = 'r', expires = '2026-12-31' }", "must be the 12 digits"),
        ("glass.accept { reason = 'r', expires = '2026-12-31' }", "glass.accept needs fingerprint"),
        ("glass.accept { fingerprint = 'a3f8c21b9d04', expires = '2026-12-31' }", "glass.accept needs reason"),
        (
            "glass.accept { fingerprint = 'a3f8c21b9d04', reason = ' ', expires = '2026-12-31' }",
            "reason must be a sentence"
        ),
        ("glass.accept { fingerprint = 'a3f8c21b9d04', reason = 'r' }", "glass.accept needs expires"),
        (
            "glass.accept { fingerprint = 'a3f8c21b9d04', reason = 'r', expires = '2026-02-29' }",
            "expires must be the last day"
        ),
        (
            "glass.accept { fingerprint = 'a3f8c21b9d04', reason = 'r', expires = 'soon' }",
            "expires must be the last day"
        ),
        ("glass.accept { fingerprint = 'a3f8c21b9d04', reason = 'r', expires = '2028-02-29' }", ""),
        ("local x = ", "a value is missing here"),
        ("error('boom')", "boom"),
        ("\u{7f}", "unexpected symbol"),
        ("", ""),
    ])
    func invalidDeclarationIsReported(text: String, message: String) throws {
        let set = try policies(["a.lua": text], rules: ["link.lost"])
        let failures = lines(set.failures)
        if message.isEmpty { return #expect(failures.isEmpty, "\(failures)") }
        #expect(failures.count == 1)
        #expect(
            failures.first?.contains(message) == true || set.failures.first?.hint?.contains(message) == true,
            "\(failures)")
        #expect(failures.first?.hasPrefix("markets/policies/a.lua:1") == true, "\(failures)")
    }

    @Test func duplicatePolicyNameIsReportedWithBothPositions() throws {
        let set = try policies([
            "a.lua": "glass.policy('one', {}, function() end)",
            "b.lua": "\nglass.policy('one', {}, function() end)",
            "c.lua": "glass.policy('two', {}, function() end)\nglass.policy('two', {}, function() end)",
        ])
        let failures = lines(set.failures).map { $0.replacing(fixture.folder.path, with: "markets") }
        #expect(
            failures == [
                "markets/policies/b.lua:2: error: a policy \"one\" is already declared at markets/policies/a.lua:1; "
                    + "rename one of them [policyFailed]",
                "markets/policies/c.lua:2:7: error: a policy \"two\" is already declared at markets/policies/c.lua:1; "
                    + "rename one of them [policyFailed]",
            ])
    }

    @Test func policiesAreReadFromMemory() throws {
        let text = "glass.policy('a', {}, function(_, deny) deny('id', require('b')) end)"
        let folder = MarketFolder(path: fixture.folder.path).replacing([
            "a.lua": Array(text.utf8), "b.lua": Array("return 'from memory'".utf8),
        ])
        // The real markets are not policies and are rejected as such; the two in-memory files are read.
        let set = PolicySet(reading: folder)
        #expect(try set.verdict(on: market("us")).findings.map(\.message) == ["from memory"])
    }

    @Test func unreadableFolderIsFailure() {
        let set = PolicySet(reading: MarketFolder(path: "/nowhere/policies"))
        #expect(set.failures.map(\.code) == [.policyFailed])
        #expect(PolicySet.none.isEmpty)
    }

    // MARK: Severities and accepts

    @Test func projectOverridesSeverity() throws {
        let set = try policies(["a.lua": "glass.severity { undecided = 'breaking', unknownKey = 'note' }"])
        let undecided = Finding(.undecided, severity: .warning, at: nil, "x")
        #expect(set.judged(undecided).severity == .error)
        // An error that makes a market unusable cannot be downgraded.
        #expect(set.judged(Finding(.unknownKey, at: nil, "x")).severity == .error)
    }

    @Test func acceptanceAppliesThroughItsLastDay() throws {
        var denied = Finding(.policy, at: SourcePosition(file: "markets/us.lua", line: 3), "x")
        denied.policy = "a"
        let fatal = Finding(.unknownKey, at: SourcePosition(file: "markets/us.lua", line: 3), "x")
        let text = [denied, fatal].map {
            "glass.accept { fingerprint = '\($0.fingerprint)', reason = 'agreed', expires = '2026-12-31' }"
        }.joined(separator: "\n")
        let set = try policies(["a.lua": text])
        var before = AcceptanceTracker(set, today: "2026-12-31")
        #expect(before.leavingOutAccepted([denied, fatal]) == [fatal])
        #expect(before.findings(about: .market, isComplete: true).map(\.code) == [.acceptUnused])
        #expect(before.findings(about: .market, isComplete: false).isEmpty)
        var after = AcceptanceTracker(set, today: "2027-01-01")
        #expect(after.leavingOutAccepted([denied, fatal]) == [denied, fatal])
        let told = lines(after.findings(about: .market, isComplete: true))
        #expect(
            told.first
                == "markets/policies/a.lua:1: warning: the accept for \(denied.fingerprint) (\"agreed\") expired on 2026-12-31 [acceptExpired]"
        )
        #expect(told.count == 2)
    }

    @Test func acceptancesAreFoundInConstantTime() throws {
        let findings = (0..<9_000).map { Finding(.undecided, severity: .warning, at: nil, subject: "\($0)", "x") }
        let set = try policies([
            "a.lua": "for i = 1, 9000 do glass.accept { fingerprint = ('%012x'):format(i), reason = 'r', "
                + "expires = '2026-12-31' } end"
        ])
        #expect(set.acceptances.count == 9_000, "\(lines(set.failures))")
        var ledger = AcceptanceTracker(set, today: "2026-01-01")
        let work = WorkBudget(cpuTime: .seconds(2))
        #expect(ledger.leavingOutAccepted(findings).count == findings.count)
        #expect(work.timeLeft > .zero)
    }

    @Test func acceptancesOfAllFilesAreLimitedTogether() throws {
        let text =
            "for i = 1, 6000 do glass.accept { fingerprint = '0123456789ab', reason = 'r', expires = '2026-12-31' } end"
        let set = try policies(["a.lua": text, "b.lua": text, "c.lua": text])
        #expect(set.acceptances.count == 6_000)
        let failures = lines(set.failures)
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("markets/policies/b.lua:1: error: ") == true, "\(failures)")
        #expect(
            failures.first?.contains("may have at most 10,000 severities and accepts together") == true, "\(failures)")
    }

    @Test func numberOfReportedContradictionsIsLimited() throws {
        let set = try policies(
            [
                "a.lua": "local t = {} for i = 1, 5000 do t['no rule ' .. i] = 'note' end glass.severity(t)"
            ], rules: [])
        #expect(set.failures.count == 100)
    }

    @Test func acceptanceForChangesDoesNotApplyToMarkets() throws {
        let finding = Finding(.undecided, severity: .warning, at: nil, "x")
        let set = try policies([
            "a.lua":
                "glass.accept { fingerprint = '\(finding.fingerprint)', reason = 'r', expires = '2026-12-31', on = 'review' }"
        ])
        var ledger = AcceptanceTracker(set, today: "2026-01-01")
        #expect(ledger.leavingOutAccepted([finding]) == [finding])
        #expect(ledger.findings(about: .market, isComplete: true).isEmpty)
        #expect(ledger.acceptance(of: finding.fingerprint, as: .change)?.reason == "r")
    }

    @Test func fingerprintIgnoresLines() {
        func finding(_ file: String, _ line: Int, _ other: String) -> Finding {
            let position = SourcePosition(file: file, line: line, column: 2)
            var finding = Finding(.routeMoved, at: position, path: "routables.a", "also at \(other):\(line + 1)")
            finding.related = [Finding.RelatedPosition(SourcePosition(file: other, line: line + 1), "there")]
            return finding
        }
        for print in [\Finding.fingerprint, \.messageFingerprint] {
            let one = finding("markets/us.lua", 3, "markets/ca.lua")[keyPath: print]
            #expect(one.count == 12)
            #expect(one == finding("../main/markets/us.lua", 9, "markets/ca.lua")[keyPath: print])
            #expect(one != finding("markets/ca.lua", 3, "markets/ca.lua")[keyPath: print])
            #expect(one != finding("markets/us.lua", 3, "markets/mx.lua")[keyPath: print])
        }
    }

    // MARK: Changes

    @Test func changesAreEvaluatedIndividually() throws {
        let set = try policies([
            "a.lua": """
            glass.policy("campaigns stay", { on = "review" }, function(change, deny)
              if change.rule == "link.lost" and change.link:find("campaign") then deny(change, "until January") end
              change.rule = nil
            end)
            glass.policy("nothing is lost", { on = "review", severity = "note" }, function(change, deny)
              if change.rule == "link.lost" then deny(change, "a link") end
            end)
            glass.policy("markets", {}, function() error("no market here") end)
            """
        ])
        let changes: [ScriptValue] = [
            .map(["rule": "link.lost", "link": "walmart://campaign/1"]), .map(["rule": "key.unset"]),
            .map(["rule": "link.lost", "link": "walmart://other"]),
        ]
        let verdict = set.verdict(onChanges: changes)
        #expect(verdict.failures.isEmpty, "\(verdict.failures)")
        #expect(
            verdict.denials.map { "\($0.change) \($0.policy.name): \($0.denial.text)" } == [
                "0 campaigns stay: until January", "0 nothing is lost: a link", "2 nothing is lost: a link",
            ])
        let raising = set.verdict(onChanges: [.map(["rule": "link.lost"])])
        #expect(lines(raising.failures).first?.contains("attempt to index a nil value (field 'link')") == true)
    }
}
