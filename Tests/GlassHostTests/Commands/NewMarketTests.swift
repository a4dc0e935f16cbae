import CommandTesting
import Foundation
import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import TestSupport
import Testing

@testable import GlassHost

/// The file that `new` writes, for each country.
@Suite(.timeLimit(.minutes(5)))
struct NewMarketTests {
    private let folder: TestFolder
    private let markets: URL

    init() throws {
        folder = try TestFolder()
        markets = try folder.markets()
    }

    /// What the file of a new market, and the rules that compare it with its country, distinguish.
    private struct Shape: Hashable {
        let regions, currencies, languages: Int
        let hasInnerRegions, hasOtherLanguages, hasPostalCode: Bool

        init(_ country: Country) {
            // More than 200 regions are not written.
            regions = country.regions.isEmpty ? 0 : country.regions.count <= 200 ? 1 : 2
            currencies = min(country.currencies.count, 2)
            languages = min(country.officialLanguages.count, 2)
            hasInnerRegions = !country.innerRegionCodes.isEmpty
            hasOtherLanguages = !country.otherLanguages.isEmpty
            hasPostalCode = country.postalCodeShape != nil
        }
    }

    /// Every country; in the short run, the first of each shape.
    private static let countries: ArraySlice<Country> = {
        var shapes: Set<Shape> = []
        let (first, others) = Country.all.reduce(into: ([Country](), [Country]())) { lists, country in
            if shapes.insert(Shape(country)).inserted { lists.0.append(country) } else { lists.1.append(country) }
        }
        return (first + others).prefix(rounds(all: first.count + others.count, few: first.count))
    }()

    private func findings(_ id: String, extending base: Market?) throws -> (all: [Finding], text: String) {
        let loader = MarketLoader(.platform, folder: MarketFolder(path: markets.path), secrets: { _ in "value" })
        let template = MarketTemplate(id: id, name: nil, schema: loader.schema, base: base)
        let file = markets.appending(path: "\(id).lua")
        try Data(template.market.plain.utf8).write(to: file)
        let check = try loader.check(id)
        let found = check.findings + check.undecided() + check.lintFindings
        try FileManager.default.removeItem(at: file)
        return (found, template.market.plain)
    }

    @Test func marketOfEveryCountryIsValid() throws {
        #expect(Self.countries.count >= 20)
        for country in Self.countries {
            let (found, text) = try findings("\(country.code.lowercased())-x", extending: nil)
            // Without a base market, the texts about errors are the English ones of the app.
            let isEnglish = country.locales.contains { $0.hasPrefix("en-") }
            #expect(
                found.map(\.code) == (isEnglish ? [.undecided] : [.undecided, .countryMismatch]), "\(found)\n\(text)")
            #expect(found.allSatisfy { $0.code == .undecided || $0.path == "platform.errors" })
            #expect(text.contains("  locales = { \"\(country.locales[0])\""))
        }
    }

    @Test func marketOfEveryCountryCanExtend() throws {
        let loader = MarketLoader(.platform, folder: MarketFolder(path: markets.path), secrets: { _ in "value" })
        for base in try [loader.load("us"), loader.load("ca")] {
            for country in Self.countries {
                let (found, text) = try findings("\(country.code.lowercased())-x", extending: base)
                #expect(found.map(\.code) == [.undecided], "\(found)\n\(text)")
            }
        }
    }
}
