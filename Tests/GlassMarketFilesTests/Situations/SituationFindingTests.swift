import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// The findings about situations that a table of mistakes cannot show: those that depend on the time or on secrets, and
/// those about sizes.
struct SituationFindingTests {
    private static func retries(_ value: String) -> String {
        "platform = { networking = { retry = { maxRetries = \(value) } } }"
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (1...count).map(element).joined(separator: ", ")
    }

    /// The messages of the findings with a code, with their lines.
    private static func messages(of code: FindingCode, in addition: String, at now: String? = nil) throws -> [String] {
        let text = "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
        var loader = try MarketFixture(["xx.lua": text]).loader(limits: MarketFixture.patientLimits)
        if let now {
            let date = ISO8601DateFormatter().date(from: now).map { ContextDate($0) }
            let known = try #require(date)
            loader = loader.warning { known }
        }
        return try loader.check("xx").findings.filter {
            $0.code == code && $0.position?.file.hasSuffix("/xx.lua") == true
        }
        .map { "\($0.severity) \($0.position?.line ?? 0): \($0.path): \($0.message)" }
    }

    @Test func conditionThatIsOverIsWarning() throws {
        let addition = """
            conditions = { sale = { date = ">= 2026-11-27T00:00Z < 2026-12-01T00:00Z" } },
            \(Self.retries("vary { { when = \"sale\", value = 5 }, default = 3 }")),
            overlays = { { name = "old", when = { date = "< 2020-01-01T00:00Z" }, currency = "CAD" } },
            """
        let old = "warning 4: overlays.old: this condition can no longer be true: date < 2020-01-01T00:00:00Z"
        #expect(try Self.messages(of: .dateOver, in: addition, at: "2026-11-30T23:59:59Z") == [old])
        #expect(
            try Self.messages(of: .dateOver, in: addition, at: "2026-12-01T00:00:00Z") == [
                "warning 3: platform.networking.retry.maxRetries: this condition can no longer be true: "
                    + "date >= 2026-11-27T00:00:00Z < 2026-12-01T00:00:00Z",
                old,
            ])
        #expect(try Self.messages(of: .dateOver, in: addition) == [])
    }

    /// A date of clocks ends last where they are half a day behind UTC.
    @Test func conditionThatIsOverOnEveryClockIsWarning() throws {
        let addition = """
            overlays = {
              { name = "sale", when = { localDate = ">= 2026-11-16 < 2026-11-20" }, routables = { deals = { customPaths = { "sale" } } } },
              { name = "days", when = { localDate = { "< 2020-12-24", ">= 2024-12-25 < 2024-12-26" } }, routables = { deals = { customPaths = { "days" } } } },
            },
            """
        func over(at now: String) throws -> [String] {
            try Self.messages(of: .dateOver, in: addition, at: now).map { String($0.prefix { $0 != ">" && $0 != "<" }) }
        }
        let days = "warning 4: overlays.days: this condition can no longer be true: localDate "
        #expect(try over(at: "2026-11-20T11:59:59Z") == [days])
        #expect(
            try over(at: "2026-11-20T12:00:01Z") == [
                "warning 3: overlays.sale: this condition can no longer be true: localDate ", days,
            ])
    }

    /// An error in every situation is told without one.
    @Test func errorInEverySituationHasNoSituation() throws {
        let found = try MarketFixture([
            "xx.lua": """
            return { id = "xx", name = "X", extends = "us",
            routables = { home = { paths = { "xx://start" } } },
            overlays = { { name = "sale", when = { date = ">= 2099-11-27T00:00Z" }, routables = { deals = false } } } }
            """
        ]).loader(limits: MarketFixture.patientLimits).check("xx").findings.filter { $0.code == .invalidPattern }
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.situation == nil && !$0.description.contains("when:") }, "\(found)")
    }

    @Test func secretOfAlternativeIsReportedAtItsLine() throws {
        let addition = """
            platform = { networking = { consumerKey = vary {
              { when = { build = "debug" }, value = secret "GLASS_TEST_KEY" },
              default = secret "GLASS_CONSUMER_KEY",
            } } },
            """
        let found = try Self.messages(of: .secretUnset, in: addition)
        #expect(found.count == 2)
        #expect(found.first?.hasPrefix("warning 3: platform.networking.consumerKey: ") == true, "\(found)")
        #expect(found.first?.contains("GLASS_TEST_KEY") == true)
        #expect(found.last?.hasPrefix("warning 4: platform.networking.consumerKey: ") == true)
    }

    private static let limits: [(addition: String, message: String)] = {
        let flags = list(17) { "a\($0) = { type = \"boolean\" }" }
        let all = list(17) { "a\($0) = true" }
        let some = list(17) { "{ a\($0) = true }" }
        let overlays = list(65) { "{ name = \"o\($0)\", when = false }" }
        let attributes = list(33) { "a\($0) = { type = \"boolean\" }" }
        let choices = list(65) { "{ when = { appVersion = \"\($0)\" }, value = 1 }" }
        let regions = list(257) { _ in "\"CA\"" }
        var rows: [(addition: String, message: String)] = []
        rows.append(
            ("overlays = { \(overlays) }", "error 2: overlays: expected at most 64 overlays, got 65"))
        rows.append(
            (
                "attributes = { \(attributes) }",
                "error 2: attributes: expected at most 32 attributes, got 33"
            ))
        rows.append(
            (
                retries("vary { \(choices) }"),
                "error 2: platform.networking.retry.maxRetries: expected at most 64 alternatives, got 65"
            ))
        rows.append(
            (
                "conditions = { many = { region = { \(regions) } } }",
                "error 2: conditions.many.region: expected at most 256 elements, got 257"
            ))
        rows.append(
            (
                "attributes = { \(flags) }, " + retries("vary { { when = { \(all) }, value = 1 } }"),
                "error 2: : the condition tests more than 16 attributes at once"
            ))
        rows.append(
            (
                "attributes = { \(flags) }, " + retries("vary { { when = any { \(some) }, value = 1 } }"),
                "error 2: : the condition has more than 16 alternatives"
            ))
        return rows
    }()

    @Test(arguments: limits)
    func limitIsNamed(addition: String, message: String) throws {
        #expect(try Self.messages(of: .tooManySituations, in: addition).first == message)
    }
}
