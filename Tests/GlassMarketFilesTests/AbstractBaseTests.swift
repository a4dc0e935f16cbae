import Foundation
import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting
import GlassAuthoring

/// Files with `abstract = true`: bases that are no markets.
@Suite(.timeLimit(.minutes(2)))
struct AbstractBaseTests {
    /// A module with no keys but those of every market.
    private static let module = MarketModule("shop")

    private static let root = """
        return {
          abstract = true, currency = "USD", locales = { "en-US" },
          routables = { home = { paths = { "home" }, show = { screen = "home" } } },
        }
        """
    private static let europe = "return { abstract = true, extends = \"root\", currency = \"EUR\" }"
    private static let france = """
        return { id = "fr", name = "France", extends = "europe", deepLinking = { schemes = { "shop.fr" } } }
        """

    private static let files = ["root.lua": root, "europe.lua": europe, "fr.lua": france]

    private func loader(_ files: [String: String] = Self.files) -> MarketLoader {
        let tree = MarketTree(revision: "t", path: "markets", files: files.mapValues { .text(Array($0.utf8)) })
        return MarketLoader(
            Self.module, folder: MarketFolder(tree), limits: MarketFixture.patientLimits, secrets: { _ in nil })
    }

    /// The findings of files in which one is replaced, without their hints.
    private func findings(_ id: String, _ text: String) throws -> [String] {
        var files = Self.files
        files["\(id).lua"] = text
        return try loader(files).checkingAbstractBases.check(id).findings.map { $0.headline.plain }
    }

    // MARK: The mark

    @Test(
        arguments: [
            ("return { abstract = true }", true), ("return { abstract = true, id = \"x\" }", true),
            ("return{abstract=true}", true), ("local m = { abstract = true } return m", true),
            ("local m = {}\nm.abstract = true\nreturn m", true), ("return market { abstract = true }", true),
            ("return { [\"abstract\"] = true }", true), ("return { abstract = true, = }", true),
            ("return { abstract = false }", false), ("return { abstract = trueish }", false),
            ("return { abstract = \"true\" }", false), ("return { x = { abstract = true } }", false),
            ("-- abstract = true\nreturn {}", false), ("return { abstract = f() }", false),
            ("local abstract = true return { id = \"x\" }", false), ("", false), ("abstract", false),
        ])
    func markIsReadWithoutRunningTheFile(text: String, isAbstract: Bool) {
        #expect(MarketHeader.isAbstract(Array(text.utf8)) == isAbstract)
    }

    @Test func baseIsNoMarketOfItsFolder() throws {
        let folder = loader().folder
        #expect(try folder.marketIDs() == ["fr"])
        #expect(try folder.baseIDs() == ["europe", "root"])
        #expect(try folder.fileIDs() == ["europe", "fr", "root"])
        #expect(folder.markets(extending: "root") == ["fr"])
        #expect(folder.markets(extending: "fr").isEmpty)
        let failure = #expect(throws: MarketFolderError.self) { try loader().check("root") }
        #expect(
            failure?.description
                == "\"root\" in t:markets is an abstract base, not a market; use a market that extends it: fr")
        #expect(throws: MarketFolderError.self) { try loader().load("europe") }
    }

    @Test func marksThatHaveNoEffectAreFindings() throws {
        #expect(
            try findings("fr", Self.france.replacing("{ id", with: "{ abstract = \"yes\", id"))
                == ["t:markets/fr.lua:1:21: error: abstract: expected true or false, got \"yes\" [wrongType]"])
        #expect(
            try findings("fr", Self.france.replacing("{ id", with: "{ abstract = (function() return true end)(), id"))
                == [
                    "t:markets/fr.lua:1:21: error: abstract: must be a literal, because markets are listed "
                        + "without running their files [noEffect]"
                ])
        #expect(try findings("fr", Self.france.replacing("{ id", with: "{ abstract = false, id")).isEmpty)
        let overlay = "overlays = { { name = \"a\", when = { build = \"debug\" }, abstract = true } }, id"
        #expect(
            try findings("fr", Self.france.replacing("{ id", with: "{ \(overlay)"))
                == [
                    "t:markets/fr.lua:1:65: error: overlays[1].abstract: abstract is the same in every situation [variesTooOften]"
                ])
    }

    // MARK: Checking a base

    @Test func baseNeedsNothingThatItsMarketsAdd() throws {
        for id in ["root", "europe"] {
            let check = try loader().checkingAbstractBases.check(id)
            #expect(check.findings.isEmpty && check.market == nil && check.isAbstract)
        }
        #expect(try findings("root", "return { abstract = true }").isEmpty)
        #expect(
            try findings("root", "return { abstract = true, id = \"rot\" }")
                == [
                    "t:markets/root.lua:1:32: error: id: expected \"root\", the name of the file, got \"rot\" [idMismatch]"
                ])
    }

    @Test func baseIsCheckedForWhatItSets() throws {
        let text = """
            return {
              abstract = true, curency = "EUR", locales = "x",
              routables = { a = { paths = { "a//b" }, show = { screen = "a" } } },
            }
            """
        #expect(
            try findings("root", text) == [
                "t:markets/root.lua:2:20: error: curency: unknown key [unknownKey]",
                "t:markets/root.lua:2:47: error: locales: expected a list, each a locale of language and region, such as "
                    + "\"fr-CA\", got \"x\" [wrongType]",
                "t:markets/root.lua:3:36: error: routables.a.paths[1]: pattern \"a//b\": an empty segment; remove the "
                    + "extra slash [invalidPattern]",
            ])
        #expect(
            try findings("europe", "return { abstract = true, extends = \"rot\" }")
                == ["t:markets/europe.lua:1:37: error: extends: there is no market \"rot\" to extend [missingBase]"])
    }

    // MARK: Markets that extend it

    @Test func marketInheritsEverythingButTheMark() throws {
        let market = try loader().load("fr")
        #expect(market.definition.currency == "EUR")
        #expect(market.definition.locales == ["en-US"])
        #expect(market.definition.extends == "europe")
        #expect(market.source.node(at: "abstract") == nil && market.effective.node(at: "abstract") == nil)
        #expect(market.open("shop.fr://home").outcome == .routed)
        #expect(market.origin.bases == ["europe", "root"])
        #expect(market.origin.group == "europe")
        #expect(market.origin.nearestMarket == nil)
    }

    @Test func inheritedValuesOfBaseAreDecided() throws {
        #expect(try loader().check("fr").undecided().isEmpty)
        var files = Self.files
        files["mc.lua"] = """
            return { id = "mc", name = "Monaco", extends = "fr", deepLinking = { schemes = { "shop.mc" } } }
            """
        // The currency comes from a base, through the market that is extended.
        #expect(try loader(files).check("mc").undecided().isEmpty)
        files["fr.lua"] = Self.france.replacing("extends", with: "currency = \"EUR\", extends")
        #expect(
            try loader(files).check("mc").undecided().map(\.message) == ["currency is inherited from \"fr\""])
        // A base between two markets decides.
        files["south.lua"] = "return { abstract = true, extends = \"fr\", currency = \"CHF\" }"
        files["mc.lua"] = files["mc.lua"]?.replacing("\"fr\"", with: "\"south\"")
        let check = try loader(files).check("mc")
        #expect(check.undecided().isEmpty)
        #expect(check.market?.origin.nearestMarket == "fr")
        #expect(check.market?.definition.currency == "CHF")
    }

    @Test func linksAreComparedWithNearestMarket() throws {
        var files = Self.files
        files["south.lua"] = "return { abstract = true, extends = \"fr\" }"
        files["mc.lua"] = """
            return { id = "mc", name = "Monaco", extends = "south", deepLinking = { schemes = { "shop.mc" } },
              routables = { other = { paths = { "home" }, show = { screen = "other" } }, home = { paths = { "h" } } } }
            """
        let loader = loader(files)
        var comparison = BaseComparison(by: loader)
        #expect(try comparison.findings(of: loader.check("fr")).isEmpty)
        #expect(try comparison.findings(of: loader.check("mc")).map(\.code) == [.routeMoved])
    }

    @Test func saveOfBaseReloadsItsMarkets() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "abstract-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans it up
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        for (name, text) in Self.files { try write(text, name) }
        let files = MarketFolder(path: folder.path)
        let store = MarketStore(MarketLoader(Self.module, folder: files, secrets: { _ in nil }))
        let watch = try store.watch(files, settle: .milliseconds(5))
        #expect(store.statuses.map(\.id) == ["fr"])
        let events = store.events()
        try write(Self.europe.replacing("EUR", with: "CHF"), "europe.lua")
        for await _ in events { break }
        #expect(store.market("fr")?.definition.currency == "CHF")
        // A base that becomes a market joins, and a market that becomes a base is rejected and stays as it was.
        let joined = store.events()
        try write(
            Self.france.replacing("\"fr\"", with: "\"europe\"").replacing("\"europe\", dee", with: "\"root\", dee"),
            "europe.lua")
        for await event in joined where store.status(of: "europe") != nil {
            _ = event
            break
        }
        #expect(store.statuses.map(\.id) == ["europe", "fr"])
        watch.stop()
    }
}
