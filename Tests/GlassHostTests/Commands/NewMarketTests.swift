import CommandTesting
import Foundation
import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
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

    private func findings(_ id: String, extending base: Market?) throws -> (all: [Finding], text: String) {
        let loader = MarketLoader(.platform, folder: MarketFolder(path: markets.path), secrets: { _ in "value" })
        let template = MarketTemplate(id: id, name: nil, schema: loader.schema, base: base)
        let file = markets.appending(path: "\(id).lua")
        try Data(template.market.plain.utf8).write(to: file)
        let check = try loader.check(id)
        let found = check.findings + check.undecided() + check.meaning
        try FileManager.default.removeItem(at: file)
        return (found, template.market.plain)
    }

    @Test func marketOfEveryCountryIsValid() throws {
        for country in Country.all {
            let (found, text) = try findings("\(country.code.lowercased())-x", extending: nil)
            #expect(found.map(\.code) == [.undecided], "\(found)\n\(text)")
            #expect(text.contains("  locales = { \"\(country.locales[0])\""))
        }
    }

    @Test func marketOfEveryCountryCanExtend() throws {
        let loader = MarketLoader(.platform, folder: MarketFolder(path: markets.path), secrets: { _ in "value" })
        for base in try [loader.load("us"), loader.load("ca")] {
            for country in Country.all {
                let (found, text) = try findings("\(country.code.lowercased())-x", extending: base)
                #expect(found.map(\.code) == [.undecided], "\(found)\n\(text)")
            }
        }
    }
}
