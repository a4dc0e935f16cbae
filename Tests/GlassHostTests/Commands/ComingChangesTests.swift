import CommandTesting
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassHost

/// What a card says about the next 90 days, and the words of dates.
@Suite(.timeLimit(.minutes(1)))
struct ComingChangesTests {
    /// The changes of a market from a date on.
    private static func lines(_ text: String, after date: String) throws -> [String] {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = """
            return { id = "xx", name = "X", extends = "us",
              deepLinking = { schemes = { "walmart.xx" } },
              \(text)
            }
            """
        try Data(file.utf8).write(to: markets.appending(path: "xx.lua"))
        let loader = MarketLoader(.platform, folder: MarketFolder(path: markets.path))
        let start = try #require(ContextDate(date))
        let market = try loader.load("xx").with(MarketContext(["date": .date(start)]))
        return ComingChanges(of: market, after: start).changes.flatMap { change in
            change.lines.map { "\(change.date) \($0)" }
        }
    }

    private static let overlay = """
        overlays = { { name = "blackFriday",
          when = { date = ">= 2029-11-23T00:00 America/New_York < 2029-11-27T00:00 America/New_York" },
          routables = { deals = { customPaths = { "black-friday" } } } } },
        """

    @Test func overlaysAndTheirPathsBeginAndEnd() throws {
        #expect(
            try Self.lines(Self.overlay, after: "2029-11-01T00:00:00Z") == [
                "2029-11-23T05:00:00Z The overlay blackFriday begins.",
                "2029-11-23T05:00:00Z The path black-friday (deals) opens.",
                "2029-11-27T05:00:00Z The overlay blackFriday ends.",
                "2029-11-27T05:00:00Z The path black-friday (deals) no longer opens.",
            ])
        #expect(
            try Self.lines(Self.overlay, after: "2029-11-24T00:00:00Z") == [
                "2029-11-27T05:00:00Z The overlay blackFriday ends.",
                "2029-11-27T05:00:00Z The path black-friday (deals) no longer opens.",
            ])
    }

    /// Nothing is said of what is over, or more than 90 days away.
    @Test(arguments: ["2029-08-01T00:00:00Z", "2029-11-27T05:00:00Z"])
    func otherTimesAreSilent(_ date: String) throws {
        #expect(try Self.lines(Self.overlay, after: date).isEmpty)
    }

    @Test func flagsChange() throws {
        let flags = """
            flags = { newCart = { kind = "release", owner = "x", expires = "2030-06-30", default = false, doc = "The new cart.", rules = {
              { name = "launch", when = { date = ">= 2029-12-01T00:00Z" }, value = true } } } },
            """
        #expect(
            try Self.lines(flags, after: "2029-11-01T00:00:00Z") == [
                "2029-12-01T00:00:00Z The flag newCart changes from Off to On.",
                "2029-12-01T00:00:00Z The flag newCart, rule launch begins: On from Saturday, 1 December 2029, 00:00 "
                    + "UTC (rule launch).",
            ])
    }

    @Test func zoneIsThatOfTheText() {
        #expect(MarketZone.named(in: "a Europe/Warsaw b Europe/Warsaw c America/New_York") == "Europe/Warsaw")
        #expect(MarketZone.named(in: "America/Argentina/Buenos_Aires") == "America/Argentina/Buenos_Aires")
        #expect(MarketZone.named(in: "https://example.com/Europe/Nowhere and Either/Or") == nil)
    }

    @Test(arguments: [
        ("if date >= 2026-11-26T23:00:00Z", "from Friday, 27 November 2026, 00:00 in Warsaw"),
        (
            "if region = \"PL\" and date < 2026-11-26T23:00:00Z",
            "if region = \"PL\" and until Friday, 27 November 2026, 00:00 in Warsaw"
        ), ("if locale = \"pl\"", "if locale = \"pl\""),
    ])
    func conditionsHaveDatesInWords(_ text: String, _ words: String) {
        #expect(text.withDatesInWords(zone: "Europe/Warsaw") == words)
    }

    @Test func datesAreWords() throws {
        let date = ContextValue.date(try #require(ContextDate("2026-11-26T23:00:00Z")))
        #expect(date.inWords(zone: "Europe/Warsaw") == "Friday, 27 November 2026, 00:00 in Warsaw")
        #expect(date.inWords(zone: "America/New_York") == "Thursday, 26 November 2026, 18:00 in New York")
        #expect(date.inWords(zone: nil) == "Thursday, 26 November 2026, 23:00 UTC")
        let clock = ContextValue.localDate(try #require(ContextLocalDate("2026-11-27T09:30")))
        #expect(clock.inWords(zone: "Europe/Warsaw") == "Friday, 27 November 2026, 09:30 on the device's clock")
    }
}
