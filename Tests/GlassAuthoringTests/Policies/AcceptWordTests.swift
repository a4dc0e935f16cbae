import Foundation
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting
@testable import GlassAuthoring

/// Market files that accept warnings about their values with the word `accept`.
@Suite(.timeLimit(.minutes(2)))
struct AcceptWordTests {
    private static func check(_ lines: String, files: [String: String] = [:]) throws -> MarketCheck {
        var files = files
        files["xx.lua"] = "return { id = \"xx\", name = \"X\", extends = \"us\",\n\(lines) }"
        return try MarketFixture(files).loader(limits: MarketFixture.patientLimits).check("xx")
    }

    /// The value is as if it was written alone: in tables, lists, directives, alternatives, overlays and flags, and in
    /// another `accept`.
    @Test(arguments: [
        ("currency = \"CAD\"", "currency = accept { \"CAD\", noEffect = \"why\" }"),
        (
            "platform = { networking = { retry = { maxRetries = 2, statuses = { 500 } } } }",
            "platform = { networking = accept { { retry = { maxRetries = 2, statuses = { accept { 500, overlap = \"why\" } } } }, noEffect = { reason = \"why\" } } }"
        ),
        (
            "platform = { networking = { retry = { statuses = append { 520 } } } }",
            "platform = { networking = { retry = { statuses = accept { append { accept { 520, overlap = \"why\" } }, overlap = \"why\" } } } }"
        ),
        (
            "platform = { networking = { retry = { maxRetries = vary { { when = { build = \"debug\" }, value = 0 }, default = 5 } } } }",
            "platform = { networking = { retry = { maxRetries = accept { vary { { when = { build = \"debug\" }, value = accept { 0, overlap = \"why\" } }, default = 5 }, overlap = \"why\" } } } }"
        ),
        (
            "locales = { \"en-US\", \"fr-CA\" }, platform = { preferences = { keys = { language = { default = perLocale { en = \"A\", default = \"B\" } } } } }",
            "locales = accept { { \"en-US\", \"fr-CA\" }, undecided = \"why\" }, platform = { preferences = { keys = { language = { default = perLocale { en = accept { \"A\", overlap = \"why\" }, default = \"B\" } } } } }"
        ),
        (
            "overlays = { { name = \"t\", when = { build = \"debug\" }, platform = { networking = { tracking = false } } } }",
            "overlays = { accept { { name = \"t\", when = { build = \"debug\" }, platform = { networking = { tracking = accept { false, overlap = \"why\" } } } }, overlap = \"why\" } }"
        ),
        (
            "flags = { f = { kind = \"operations\", owner = \"me\", default = false } }",
            "flags = { f = accept { { kind = \"operations\", owner = \"me\", default = accept { false, invalidFlag = \"why\" } }, flagExpired = \"why\" } }"
        ),
        (
            "platform = { address = { regions = include \"shared/ca_regions.lua\" } }",
            "platform = { address = { regions = accept { include \"shared/ca_regions.lua\", overlap = \"why\" } } }"
        ),
        ("routables = { pharmacy = unset }", "routables = { pharmacy = accept { unset, routeLost = \"why\" } }"),
        ("currency = \"CAD\"", "currency = accept { accept { \"CAD\", overlap = \"a\" }, noEffect = \"b\" }"),
    ])
    func valueIsAsIfWrittenAlone(plain: String, accepted: String) throws {
        let (one, other) = (try Self.check(plain), try Self.check(accepted))
        let (left, right) = (
            try #require(one.market, "\(one.findings)"), try #require(other.market, "\(other.findings)")
        )
        #expect(left.effective == right.effective)
        #expect(MarketDifference(from: left, to: right).summary == "nothing differs")
    }

    @Test func positionsAreThoseOfValues() throws {
        let market = try #require(try Self.check("currency = accept { \"CAD\",\n  undecided = \"why\" }").market)
        let node = try #require(market.source.node(at: "currency"))
        #expect(node.position?.column == 21 && node.keyPosition?.column == 1)
        let acceptance = try #require(market.origin.acceptances.first)
        #expect(acceptance.rule == .undecided && acceptance.reason == "why" && acceptance.expires == nil)
        #expect(acceptance.position.line == 3 && acceptance.position.column == 3)
    }

    /// An unused flag without an owner is a warning at the flag.
    @Test(arguments: [
        ("flags = { f = { kind = \"operations\", default = false } }", 1, 0),
        ("flags = { f = accept { { kind = \"operations\", default = false }, flagUnowned = \"why\" } }", 0, 1),
        ("flags = accept { { f = { kind = \"operations\", default = false } }, flagUnowned = \"why\" }", 0, 1),
        // Another rule, another value, or a date that is over.
        ("flags = { f = accept { { kind = \"operations\", default = false }, flagExpired = \"why\" } }", 1, 0),
        (
            "currency = accept { \"CAD\", flagUnowned = \"why\" }, flags = { f = { kind = \"operations\", default = false } }",
            1, 0
        ),
        (
            "flags = { f = accept { { kind = \"operations\", default = false }, flagUnowned = { reason = \"why\", expires = \"2020-01-31\" } } }",
            1, 0
        ),
        (
            "flags = { f = accept { { kind = \"operations\", default = false }, flagUnowned = { reason = \"why\", expires = \"2999-01-31\" } } }",
            0, 1
        ),
    ])
    func warningsOfRuleAboutValueAreAccepted(lines: String, left: Int, accepted: Int) throws {
        let check = try Self.check(lines)
        #expect(check.findings.count { $0.code == .flagUnowned } == left, "\(check.findings)")
        #expect(check.accepted.count { $0.code == .flagUnowned } == accepted)
        let warnings = try #require(check.market).warnings
        #expect(warnings.contains { $0.code == .flagUnowned } == (left > 0 && !lines.contains("2020")))
    }

    @Test func unusedAndExpiredAcceptancesAreReported() throws {
        let check = try Self.check(
            """
            currency = accept { "CAD", undecided = "a" }, locales = accept { { "en-CA" },
            undecided = { reason = "b", expires = "2026-05-31" }, secretUnset = "c" }
            """)
        func told(_ isComplete: Bool, _ day: String) -> [String] {
            FileAcceptances(check.acceptances, today: day).findings(isComplete: isComplete)
                .map { "\($0.position?.line ?? 0) \($0.severity) \($0.path): \($0.message)" }
        }
        #expect(
            told(true, "2026-05-31") == [
                "2 warning currency: the accept for undecided (\"a\") matches no finding",
                "3 warning locales: the accept for undecided (\"b\") matches no finding",
            ])
        #expect(
            told(false, "2026-06-01") == [
                "3 warning locales: the accept for undecided (\"b\") expired on 2026-05-31"
            ])
        // An environment without a secret is that of another machine.
        #expect(told(false, "2026-05-31").isEmpty)
    }

    /// The values of an included file are covered, and no others of it.
    @Test func includedValuesAreCovered() throws {
        let shared = "return { f = { kind = \"operations\", default = false } }"
        let accepted = try Self.check(
            "flags = accept { include \"shared/flags.lua\", flagUnowned = \"why\" }",
            files: ["shared/flags.lua": shared])
        #expect(!accepted.findings.contains { $0.code == .flagUnowned }, "\(accepted.findings)")
    }

    /// A compiled market, the subject of policies and a comparison show no trace of it.
    @Test func compiledMarketHasNoTrace() throws {
        let markets = try ["currency = \"CAD\"", "currency = accept { \"CAD\", overlap = \"because\" }"].map {
            try #require(try Self.check($0).market)
        }
        let texts = try markets.map { try String(decoding: CompiledMarketWriter($0).market, as: UTF8.self) }
        #expect(!texts[1].contains("because"))
    }
}
