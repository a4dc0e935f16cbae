import Foundation
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting

struct ZoneRulesTests {
    private let attribute = ContextAttribute("date", .date, pace: .live)

    @Test func datesOfConditionsAreInstants() throws {
        let file = MarketFixture.repository.appending(path: "Tests/GlassSchemaTests/Fixtures/dates.tsv")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        #expect(rows.count == 60)
        for row in rows {
            let found: String
            do {
                guard case .date(let date) = try attribute.value(from: .string(row[1]), zones: .system) else {
                    continue
                }
                found = "\(date.secondsSince1970)"
                #expect(ContextDate(date.description) == date, "\(row)")
            } catch let error {
                let kinds = [
                    "unknown time zone \"": "invalid", "is not a date": "invalid", "has no time zone": "nozone",
                ]
                let named = ["does not exist": "gap", "occurs twice": "fold"].merging(kinds) { $1 }
                found = named.first { error.message.contains($0.key) }?.value ?? error.message
            }
            #expect(found == row[2], "\(row)")
        }
    }

    @Test(arguments: [
        ("2026-03-08T02:30 America/Toronto", "02:30 does not exist in America/Toronto that day"),
        ("2026-11-01T01:30:05 America/Toronto", "01:30:05 occurs twice in America/Toronto that day"),
        ("2026-11-27T00:00 Mars/Olympus", "unknown time zone \"Mars/Olympus\""),
        ("2026-11-27T00:00 EST", "unknown time zone \"EST\""),
        // A zone whose clocks skipped a whole day.
        ("2011-12-30 Pacific/Apia", "00:00 does not exist in Pacific/Apia that day"),
    ])
    func dateWithoutOneInstantIsRefused(text: String, message: String) {
        #expect(throws: ContextValueError.self) { try attribute.value(from: .string(text), zones: .system) }
        do {
            _ = try attribute.value(from: .string(text), zones: .system)
        } catch {
            #expect(error.message == message)
        }
    }
}
