import Foundation
import GlassBase
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import TestSupport
import Testing
import MarketTesting

/// Files with hostile situations end in findings within the limits, never in a trap or a hang.
@Suite(.timeLimit(.minutes(5)))
struct HostileSituationTests {
    private let folder: FuzzedMarket
    private let loader: MarketLoader

    init() throws {
        let folder = try FuzzedMarket()
        self.folder = folder
        loader = MarketLoader(.platformInMemory, folder: MarketFolder(path: folder.folder.path)) { [folder] _ in
            withExtendedLifetime(folder) { nil }
        }
    }

    /// The findings about a file, which are errors if there is no market.
    private func findings(of file: String, base: String) throws -> [Finding] {
        try folder.write(Array("\(file)\n--@\n\(base)".utf8))
        let check = try loader.check(FuzzedMarket.id)
        #expect(check.market != nil || check.findings.contains { $0.severity == .error })
        #expect(check.findings.allSatisfy { !$0.message.isEmpty && $0.position != nil })
        #expect(check.findings.reduce(0) { $0 + $1.description.utf8.count } < 1 << 20)
        if let market = check.market {
            // Every situation that a proof passed can be entered.
            for values in [
                ["build": ContextValue.text("debug")], ["locale": .text("es-US")], ["deviceClass": .text("tablet")],
            ] {
                _ = try market.with(MarketContext(values))
            }
        }
        return check.findings
    }

    @Test func baseHasNoFindings() throws {
        #expect(try findings(of: HostileSituations.Row(name: "", text: "").file, base: HostileSituations.base).isEmpty)
        #expect(HostileSituations.rows.count >= 200)
    }

    @Test(arguments: someRows(of: HostileSituations.rows, kind: \.kind))
    func fileIsReadWithinLimits(_ row: HostileSituations.Row) throws {
        let clock = ContinuousClock()
        let start = clock.now
        _ = try findings(of: row.file, base: HostileSituations.base)
        // A limit of the load ends it much earlier; a sanitizer and other tests take their share.
        #expect(clock.now - start < .seconds(60), "\(row.name)")
    }

    // MARK: Generated

    /// A construct about situations in the place of a value.
    private static func construct(_ value: String, _ random: inout SplitMix64) -> String {
        let conditions = [
            "{ build = \"debug\" }", "{ locale = \"en\" }",
            "any { { build = \"beta\" }, { deviceClass = \"tablet\" } }",
            "no { platform = \"iOS\" }", "{ appVersion = \">= 24.2 < 25\" }", "{ region = { \"CA\", \"US-AL\" } }",
            "{ audience = \"associates\" }", "{ date = \">= 2026-11-27T00:00Z\" }", "{ osVersion = missing }", "true",
            "{ signedIn = true }", "\"nowhere\"", "all {}", "{ environment = \"staging\" }",
        ]
        func condition() -> String { conditions[Int.random(in: conditions.indices, using: &random)] }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "vary { { when = \(condition()), value = \(value) } }"
        case 1: return "vary { { when = \(condition()), value = \(value) }, default = \(value) }"
        case 2: return "perLocale { en = \(value), default = \(value) }"
        case 3:
            let inner = construct(value, &random)
            return "vary { { when = \(condition()), value = \(inner) }, { when = \(condition()), value = \(value) } }"
        default: return "vary { { when = \(condition()), value = unset }, default = \(value) }"
        }
    }

    /// A real market with constructs in the place of some of its values, and with overlays.
    private static func mutated(_ text: String, _ random: inout SplitMix64) -> String {
        let pattern = /(?<key>[A-Za-z]+) = (?<value>"[^"\n]*"|[0-9.]+|true|false)(?<end>[ ,])/
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: pattern) {
            result += rest[..<match.range.lowerBound]
            // These are the same in every situation.
            let isFixed = ["extends", "id"].contains(match.output.key)
            let isChosen = !isFixed && Int.random(in: 0..<12, using: &random) == 0
            let value = isChosen ? construct(String(match.output.value), &random) : String(match.output.value)
            result += "\(match.output.key) = \(value)\(match.output.end)"
            rest = rest[match.range.upperBound...]
        }
        result += rest
        let retries = Int.random(in: 0..<12, using: &random)
        let overlay = """
            return {
              overlays = {
                { name = "one", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = \(retries) } } } },
                { name = "two", when = { deviceClass = "tablet" }, routables = { home = false } },
              },
            """
        return result.replacing("return {", with: overlay, maxReplacements: 1)
    }

    @Test func realMarketsWithRandomConstructsAreChecked() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = SplitMix64(state: seed)
        let us = try String(
            contentsOf: FuzzedMarket.repository.appending(path: "markets/us.lua"), encoding: .utf8)
        let ca = try String(
            contentsOf: FuzzedMarket.repository.appending(path: "markets/ca.lua"), encoding: .utf8)
        for round in 0..<rounds(all: 100, few: 12) {
            let base = Self.mutated(us, &random).replacing("id = \"us\"", with: "id = \"base\"")
            let own = Self.mutated(ca, &random).replacing("id = \"ca\"", with: "id = \"zz\"")
                .replacing("extends = \"us\"", with: "extends = \"base\"")
            do {
                _ = try findings(of: own, base: base)
            } catch {
                Issue.record("round \(round) of seed \(seed): \(error)")
            }
        }
    }
}
