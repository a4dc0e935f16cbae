import Foundation
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassSchema
import TestSupport
import Testing

@testable import GlassMarketFiles
import MarketTesting

/// Fifty slips per seed in the real markets: each is reported as an error at its line, or leaves every market
/// unchanged.
@Suite(.timeLimit(.minutes(5)))
struct MarketSlipTests {
    /// The observable properties of a market.
    private struct Seen: Equatable {
        let configuration: ConfigurationValue
        let routes: [[String]]
        let outcomes: [String]

        init(_ market: Market) {
            configuration = market.effective.value
            let routes = market.routes
            self.routes = routes.map { [$0.pattern, $0.routable, $0.waitsFor] }
            outcomes = routes.map { route in
                let link =
                    "\(market.definition.deepLinking.schemes[0])://"
                    + route.pattern.replacing(/\([^)]*\)|[:?*]/, with: "")
                let result = market.open(link)
                return "\(link) \(result.outcome) \(result.routableID ?? "") \(result.parameters)"
            }
        }
    }

    private static let ids = ["us", "ca", "mx"]
    private static let sites: [MarketSlipSites] = {
        let schema = MarketSchema(.platform)
        return (ids.map { "\($0).lua" } + ids.map { "shared/\($0)_regions.lua" }).map { file in
            let place = MarketFixture.repository.appending(path: "markets/\(file)")
            return MarketSlipSites(
                // The repository's own files: without them, there is nothing to test.
                file, text: try! String(contentsOf: place, encoding: .utf8),
                path: file.hasPrefix("shared") ? ["platform", "address", "regions"] : [], schema: schema)
        }
    }()

    @Test(arguments: 0..<rounds(all: 10, few: 1))
    func eachSlipIsReportedAtItsLineOrHasNoEffect(seed: Int) throws {
        let fixture = try MarketFixture()
        let loader = fixture.loader()
        let before = try Self.ids.map { Seen(try loader.load($0)) }
        var slips = MarketSlips(seed: UInt64(seed), in: Self.sites)
        for number in 0..<50 {
            let slip = slips.next()
            try fixture.write(slip.text, to: slip.file)
            defer { restore(slip.file, in: fixture) }
            if try isTold(slip, by: loader) { continue }
            let checks = try Self.ids.map { try loader.check($0) }
            let isSame = zip(checks, before).allSatisfy { check, before in
                check.market.map { Seen($0) == before } ?? false
            }
            let said = checks.flatMap(\.findings).filter { $0.code != .secretUnset }.map(\.description)
            #expect(isSame, "seed \(seed), number \(number): \(slip)\n\(said.joined(separator: "\n"))")
        }
    }

    /// Whether the first market that reads the file reports an error at the slip's line.
    private func isTold(_ slip: MarketSlip, by loader: MarketLoader) throws -> Bool {
        let id = Self.ids.first { slip.file.contains($0) } ?? "us"
        let file = "\(loader.folder.path)/\(slip.file)"
        return try loader.check(id).findings.contains { finding in
            guard finding.severity == .error, let place = finding.position, place.file == file else { return false }
            return slip.lines.contains(place.line)
        }
    }

    private func restore(_ file: String, in fixture: MarketFixture) {
        guard let sites = Self.sites.first(where: { $0.file == file }) else { return }
        do {
            try fixture.write(String(decoding: sites.bytes, as: UTF8.self), to: file)
        } catch {
            Issue.record("\(file) cannot be written: \(error)")
        }
    }
}
