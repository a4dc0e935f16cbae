import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing

/// Markets of a module other than the platform: its sections, routables, handlers and preconditions in Lua files.
@Suite(.timeLimit(.minutes(2)))
struct MarketModuleTests {
    private let folder: URL
    private let gate = Gate()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "module-markets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func loader(_ module: MarketModule? = nil) -> MarketLoader {
        MarketLoader(module ?? .own(gate), folder: MarketFolder(path: folder.path), secrets: { "value of \($0)" })
    }

    private func check(_ addition: String, module: MarketModule? = nil) throws -> MarketCheck {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        let text = """
            return { id = "t", name = "T", locales = { "en-US" }, currency = "USD", deepLinking = { schemes = { "t" } },
            \(addition)
            }
            """
        try Data(text.utf8).write(to: folder.appending(path: "t.lua"))
        return try loader(module).check("t")
    }

    private func market(_ addition: String) throws -> Market {
        let check = try check(addition)
        return try #require(check.market, "\(check.findings.map(\.description))")
    }

    private func findings(_ addition: String, module: MarketModule? = nil) throws -> [Finding] {
        try check(addition, module: module).findings
    }

    private func texts(_ addition: String, module: MarketModule? = nil) throws -> [String] {
        texts(try findings(addition, module: module))
    }

    private func texts(_ findings: [Finding]) -> [String] {
        findings.map { $0.description.replacingOccurrences(of: folder.path + "/", with: "") }
    }

    private static let points = "points = { partner = \"acme\" },"

    // MARK: Sections

    @Test func sectionIsTypedServiceAndEffective() throws {
        let market = try market(
            "points = { partner = \"acme\", tiers = { { name = \"gold\", from = 10 } } }, routables = {}")
        #expect(market[PointsSection.self].tiers == [PointsSection.Tier(name: "gold", from: 10)])
        #expect(market.container.get(PointsSection.self) == market[PointsSection.self])
        #expect(market.effective.node(at: "points.perDollar")?.value == .integer(2))
        #expect(market.effective.node(at: "points.tiers[1].from")?.value == .integer(10))
        #expect(market.source.node(at: "points.partner")?.position?.line == 2)
    }

    @Test func sectionWithRequiredKeyIsRequired() throws {
        #expect(
            try texts("routables = {}") == [
                """
                t.lua:1:8: error: points.partner: missing: expected a non-empty string [missingKey]
                  hint: write in points: partner = "example",  -- Who keeps the points.
                """
            ])
    }

    @Test func sectionIsValidatedByItsKeys() throws {
        #expect(
            try texts("points = { partner = 3, perDolar = 1, tiers = { { from = -1 } } }, routables = {}") == [
                """
                t.lua:2:22: error: points.partner: expected a non-empty string, got 3 [wrongType]
                  hint: write it in quotes, as in "3"
                """,
                """
                t.lua:2:25: error: points.perDolar: unknown key [unknownKey]
                  hint: did you mean "perDollar"?
                """,
                """
                t.lua:2:49: error: points.tiers[1].name: missing: expected a non-empty string [missingKey]
                  hint: write name = "example",  -- The name.
                """,
                "t.lua:2:58: error: points.tiers[1].from: expected an integer from 0 to 100, got -1 [outOfRange]",
            ])
    }

    @Test func unknownSectionGetsSuggestion() throws {
        let said = try texts("\(Self.points) point = {}, routables = {}")
        #expect(
            said == [
                """
                t.lua:2:32: error: point: unknown key [unknownKey]
                  hint: did you mean "points"?
                """
            ])
    }

    // MARK: Custom keys of routables

    @Test func customKeysReachRoutableAndAreEffective() throws {
        let market = try market("\(Self.points) routables = { flyers = { weeksBack = 3, key = secret \"OWN_KEY\" } }")
        market.preconditions.satisfyAll()
        #expect(
            market.open("t://flyers").navigation.screens.map(\.parameters) == [
                ["weeksBack": "3", "region": "all", "key": "value of OWN_KEY"]
            ])
        #expect(market.effective.node(at: "routables.flyers.weeksBack")?.value == .integer(3))
        #expect(market.effective.node(at: "routables.flyers.region")?.value == .string("all"))
        #expect(market.effective.node(at: "routables.flyers.customPaths") != nil)
        #expect(!"\(market.effective)".contains("value of"))
    }

    @Test(arguments: ["true", "{}"]) func routableWithoutItsKeysUsesDefaults(said: String) throws {
        let market = try market("\(Self.points) routables = { flyers = \(said) }")
        market.preconditions.satisfyAll()
        #expect(market.open("t://flyers").navigation.screens.first?.parameters["weeksBack"] == "4")
        #expect(market.effective.node(at: "routables.flyers.weeksBack")?.value == .integer(4))
    }

    @Test func disabledRoutableHasNoKeys() throws {
        let market = try market("\(Self.points) routables = { flyers = false }")
        #expect(market.open("t://flyers").outcome == .unroutable(.noRoute))
        #expect(market.effective.node(at: "routables.flyers")?.value == .boolean(false))
    }

    @Test(arguments: [
        (
            "flyers = { weeksBack = \"3\" }",
            """
            t.lua:2:69: error: routables.flyers.weeksBack: expected an integer from 0 to 52, got "3" [wrongType]
              hint: remove the quotes: 3
            """
        ),
        (
            "flyers = { weekBack = 3 }",
            """
            t.lua:2:57: error: routables.flyers.weekBack: unknown key [unknownKey]
              hint: did you mean "weeksBack"?
            """
        ),
        (
            "coupons = { weeksBack = 3, paths = { \"c\" } }",
            """
            t.lua:2:58: error: routables.coupons.weeksBack: unknown key [unknownKey]
              hint: it belongs in routables.flyers: write flyers = { weeksBack = … } there
            """
        ),
        (
            "track = {}",
            """
            t.lua:2:54: error: routables.track.server: missing: expected a non-empty string [missingKey]
              hint: write server = "example",  -- Who is asked.
            """
        ),
        (
            "track = true",
            """
            t.lua:2:54: error: routables.track.server: missing: expected a non-empty string [missingKey]
              hint: write a table with server = "example",  -- Who is asked.
            """
        ),
    ])
    func invalidCustomKeysAreReported(routable: String, text: String) throws {
        let said = try texts("\(Self.points) routables = { \(routable) }")
        #expect(said == [text])
    }

    @Test func differencesIncludeCustomKeys() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        func write(_ id: String, _ flyers: String) throws {
            let text = """
                return { id = "\(id)", name = "T", locales = { "en-US" }, currency = "USD", deepLinking = { schemes = { "t" } },
                  points = { partner = "acme" }, routables = { flyers = \(flyers) } }
                """
            try Data(text.utf8).write(to: folder.appending(path: "\(id).lua"))
        }
        try write("a", "true")
        try write("b", "{ weeksBack = 8, region = \"all\" }")
        let (a, b) = (try loader().load("a"), try loader().load("b"))
        let keys = MarketDifference(from: a, to: b).keys
        #expect(keys.map(\.path.description) == ["routables.flyers.weeksBack"])
        #expect(keys.first?.sides.map(\.value) == [.integer(4), .integer(8)])
    }

    // MARK: Declarations in the market instead of Swift

    @Test func showOverridesRoutableOfModule() throws {
        let market = try market(
            "\(Self.points) routables = { flyers = { show = { screen = \"own\", parameters = { a = \"{?b|c}\" } } } }")
        market.preconditions.satisfyAll()
        #expect(
            market.open("t://flyers?b=1").navigation.screens == [.init(name: "own", parameters: ["a": "1"])])
    }

    @Test func handlerReceivesLinkNavigationAndContainer() throws {
        let market = try market(
            "\(Self.points) routables = { badge = { paths = { \"badge/:size(int)\" }, handler = \"openBadge\" } }")
        market.preconditions.satisfyAll()
        let result = market.open("t://badge/3")
        #expect(result.routableID == "badge")
        #expect(result.navigation.screens == [.init(name: "badge", parameters: ["size": "3", "partner": "acme"])])
    }

    @Test(arguments: [
        (
            "badge = { paths = { \"b\" }, handler = \"openBagde\" }", FindingCode.unknownHandler,
            """
            t.lua:2:83: error: routables.badge.handler: the app has no handler "openBagde" [unknownHandler]
              hint: did you mean "openBadge"?
            """
        ),
        (
            "badge = { paths = { \"b\" }, handler = \"somethingElse\" }", .unknownHandler,
            """
            t.lua:2:83: error: routables.badge.handler: the app has no handler "somethingElse" [unknownHandler]
              hint: the handlers are openBadge, openMap
            """
        ),
        (
            "flyers = { waitForPreconditions = { \"gateOpen\", \"signedin\" } }", .unknownPrecondition,
            """
            t.lua:2:94: error: routables.flyers.waitForPreconditions[2]: the app has no precondition "signedin", so these links would never open [unknownPrecondition]
              hint: did you mean "signedIn"?
            """
        ),
        (
            "flyers = { waitForPreconditions = { \"somethingElse\" } }", .unknownPrecondition,
            """
            t.lua:2:82: error: routables.flyers.waitForPreconditions[1]: the app has no precondition "somethingElse", so these links would never open [unknownPrecondition]
              hint: the preconditions are gateOpen, signedIn; a market declares its own with preconditions = { somethingElse = { doc = "…" } }
            """
        ),
        (
            "badge = { paths = { \"b/:size\" }, show = { screen = \"b\", parameters = { size = \"x {sise}\" } } }",
            .inconsistent,
            """
            t.lua:2:124: error: routables.badge.show.parameters.size: no pattern of this routable has a parameter "sise" [inconsistent]
              hint: did you mean {size}?
            """
        ),
        (
            "flyers = { show = { screen = \"x\" }, handler = \"openBadge\" }", .inconsistent,
            """
            t.lua:2:92: error: routables.flyers.handler: show and handler each define what a link does [inconsistent]
              hint: keep one of them
            """
        ),
    ])
    func namesUnknownToAppAreReported(routable: String, code: FindingCode, text: String) throws {
        let said = try findings("\(Self.points) routables = { \(routable) }")
        #expect(texts(said) == [text])
        #expect(said.map(\.code) == [code])
    }

    @Test func moduleWithoutHandlersSuggestsAlternatives() throws {
        #expect(
            try texts(
                "routables = { b = { paths = { \"b\" }, handler = \"openBadge\", waitForPreconditions = { \"x\" } } }",
                module: MarketModule("none")) == [
                    """
                    t.lua:2:48: error: routables.b.handler: the app has no handler "openBadge" [unknownHandler]
                      hint: the app has no handlers: write show = { … }
                    """,
                    """
                    t.lua:2:86: error: routables.b.waitForPreconditions[1]: the app has no precondition "x", so these links would never open [unknownPrecondition]
                      hint: a market declares its own with preconditions = { x = { doc = "…" } }
                    """,
                ])
    }

    // MARK: Preconditions

    @Test func marketDeclaresItsOwnPreconditions() throws {
        let market = try market(
            """
            \(Self.points) preconditions = { signedUp = { doc = "The shopper has an account." } },
            routables = { flyers = { waitForPreconditions = { "signedUp" } } }
            """)
        #expect(market.preconditions.names == ["gateOpen", "signedIn", "signedUp"])
        #expect(market.open("t://flyers").outcome == .waiting(unmet: ["signedUp"]))
        try market.preconditions.satisfy("signedUp")
        #expect(market.open("t://flyers").outcome == .routed)
        #expect(
            market.effective.node(at: "preconditions.signedUp.doc")?.value == .string("The shopper has an account."))
    }

    @Test func preconditionOfModuleIsEvaluatedForEachLink() throws {
        let market = try market("\(Self.points) routables = { flyers = { waitForPreconditions = { \"gateOpen\" } } }")
        #expect(market.preconditions.names == ["gateOpen", "signedIn"])
        #expect(market.preconditions.unmet == ["gateOpen", "signedIn"])
        #expect(market.open("t://flyers").outcome == .waiting(unmet: ["gateOpen"]))
        gate.isOpen = true
        #expect(market.preconditions.unmet == ["signedIn"])
        #expect(market.open("t://flyers").outcome == .routed)
        gate.isOpen = false
        #expect(market.open("t://flyers").outcome == .waiting(unmet: ["gateOpen"]))
    }

    @Test func reloadReevaluatesPreconditionsOfModule() throws {
        let module = MarketModule(
            "tiers", sections: [PointsSection.self],
            preconditions: [
                Precondition("hasTiers", "The market has tiers.") { !$0.get(PointsSection.self).tiers.isEmpty },
                Precondition("signedIn", "Someone is signed in."),
            ])
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        let store = MarketStore(loader(module))
        func write(_ tiers: String) throws {
            let text = """
                return { id = "t", name = "T", locales = { "en-US" }, currency = "USD", deepLinking = { schemes = { "t" } },
                  points = { partner = "acme", tiers = { \(tiers) } }, routables = {} }
                """
            try Data(text.utf8).write(to: folder.appending(path: "t.lua"))
            store.reload("t")
        }
        try write("{ name = \"gold\" }")
        let first = try #require(store.market("t"))
        try first.preconditions.satisfy("signedIn")
        #expect(first.preconditions.unmet.isEmpty)
        try write("")
        #expect(store.market("t")?.preconditions.unmet == ["hasTiers"])
        try write("{ name = \"gold\" }")
        #expect(store.market("t")?.preconditions.unmet == [])
    }

    @Test func appOverridesPreconditionOfIncludedModule() throws {
        let module = MarketModule.own(gate).overriding(
            preconditions: [Precondition("signedIn", "Someone is signed in.") { _ in true }])
        let check = try check("\(Self.points) routables = {}", module: module)
        let market = try #require(check.market)
        #expect(market.preconditions.names == ["gateOpen", "signedIn"])
        #expect(market.preconditions.unmet == ["gateOpen"])
    }

    // MARK: Partial services

    private static let printing = """
        routables = {
          printed = true,
          sheet = { paths = { "sheet" }, handler = "openSheet" },
          shown = { paths = { "shown" }, show = { screen = "shown" } },
        }
        """

    @Test func routableWithRequiredServiceOpensLinks() throws {
        let all = try #require(try check(Self.printing, module: .printing).market)
        #expect(Set(all.routes.map(\.routable)) == ["printed", "sheet", "shown"])
        #expect(all.preconditions.unmet.isEmpty)
        #expect(all.open("t://printed").outcome == .routed)
    }

    @Test func routableWithDroppedServiceHasNoLinks() throws {
        let check = try check(Self.printing, module: .printing.keeping((any Ink).self))
        let market = try #require(check.market, "\(check.findings)")
        #expect(Set(market.routes.map(\.routable)) == ["shown"])
        #expect(market.open("t://printed").outcome == .unroutable(.noRoute))
        // Without the service, the app must satisfy the precondition.
        #expect(market.open("t://shown").outcome == .waiting(unmet: ["hasPaper"]))
        try market.preconditions.satisfy("hasPaper")
        #expect(market.open("t://shown").outcome == .routed)
    }

    @Test func routableWithUnregisteredServiceIsError() throws {
        let module = MarketModule("bare", routables: [PrintedRoutable.self])
        #expect(
            try texts("routables = { printed = true }", module: module) == [
                """
                t.lua:2:25: error: routables.printed: its links need Printer, which is not registered [missingService]
                  hint: add a Service for it to the module, or disable this routable
                """
            ])
    }

    // MARK: Asynchronous routables

    @Test func asyncRoutableIsRunningAndThenRouted() async throws {
        let market = try market(
            "\(Self.points) routables = { track = { server = \"s\", waitForPreconditions = false } }")
        let (outcomes, continuation) = AsyncStream.makeStream(of: DispatchResult.self)
        market.deepLinker.updateHooks { $0.outcomeHandler = { continuation.yield($0) } }
        #expect(market.open("t://track/7").outcome == .running)
        var iterator = outcomes.makeAsyncIterator()
        let result = try #require(await iterator.next())
        #expect(result.outcome == .routed)
        #expect(result.navigation.screens == [.init(name: "tracking", parameters: ["order": "7", "server": "s"])])
    }
}

/// The state that a precondition evaluates.
private final class Gate: Sendable {
    private let state = Lock(false)
    var isOpen: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension MarketModule {
    fileprivate static func own(_ gate: Gate) -> MarketModule {
        MarketModule(
            "own", secretPrefixes: ["OWN_"], sections: [PointsSection.self], routables: [WeeklyFlyers.self],
            asyncRoutables: [TrackRoutable.self],
            preconditions: [
                Precondition("gateOpen", "The gate is open.") { _ in gate.isOpen },
                Precondition("signedIn", "Someone is signed in."),
            ],
            handlers: [
                LinkHandler("openBadge", "Shows the badge.") { link, state, container in
                    let partner = container.get(PointsSection.self).partner
                    state.show("badge", parameters: ["size": link.value("size") ?? "", "partner": partner])
                    return true
                },
                LinkHandler("openMap", "Shows the map.") { _, _, _ in true },
            ])
    }
}

private protocol Printer: Sendable { var hasPaper: Bool { get } }
private struct LaserPrinter: Printer { let hasPaper = true }
private protocol Ink: Sendable {}
private struct BlackInk: Ink {}

/// Traps if there is no printer, like any read of a missing service.
private struct PrintedRoutable: MarketRoutable {
    static let feature = Feature(id: "printed", paths: ["printed"], "What was printed.")
    static let requires: [Any.Type] = [(any Printer).self]
    private let printer: any Printer

    init(container: Container, configuration: NoConfiguration) { printer = container.get() }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { printer.hasPaper }
}

extension MarketModule {
    fileprivate static let printing = MarketModule(
        "printing", routables: [PrintedRoutable.self],
        services: [
            Service((any Printer).self, requires: [(any Ink).self], "Prints.") { _ in LaserPrinter() },
            Service((any Ink).self, "Ink.") { _ in BlackInk() },
        ],
        preconditions: [
            Precondition("hasPaper", requires: [(any Printer).self], "There is paper.") { c in
                c.get((any Printer).self).hasPaper
            }
        ],
        handlers: [
            LinkHandler("openSheet", requires: [(any Printer).self], "Opens the tray.") { _, _, c in
                c.get((any Printer).self).hasPaper
            }
        ])
}

private struct PointsSection: MarketSection {
    var partner = ""
    var perDollar = 2
    var tiers: [Tier] = []

    static let key = "points"
    static let summary = "Points."
    static let keys: [ConfigurationKey<Self>] = [
        .init("partner", \.partner, .string(.nonEmpty), required: true, "Who keeps the points."),
        .init("perDollar", \.perDollar, .integer(0...10), "The points for a dollar."),
        .init("tiers", \.tiers, "The tiers."),
    ]

    struct Tier: ConfigurationSection {
        var name = ""
        var from = 0

        static let keys: [ConfigurationKey<Self>] = [
            .init("name", \.name, .string(.nonEmpty), required: true, "The name."),
            .init("from", \.from, .integer(0...100), "The points with which it begins."),
        ]
    }
}

private struct WeeklyFlyers: MarketRoutable {
    struct Configuration: ConfigurationSection {
        var weeksBack = 4
        var region = "all"
        var key: Secret?

        static let keys: [ConfigurationKey<Self>] = [
            .init("weeksBack", \.weeksBack, .integer(0...52), "How many past weeks may be opened."),
            .init("region", \.region, .string(.nonEmpty), "Whose flyers."),
            .init("key", \.key, "The printer's key."),
        ]
    }

    static let feature = Feature(id: "flyers", paths: ["flyers"], "Flyers.")
    let configuration: Configuration

    init(container: Container, configuration: Configuration) { self.configuration = configuration }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        var shown = ["weeksBack": "\(configuration.weeksBack)", "region": configuration.region]
        shown["key"] = try configuration.key?.reveal()
        state.show("flyers", parameters: shown)
        return true
    }
}

private struct TrackRoutable: AsyncMarketRoutable {
    struct Configuration: ConfigurationSection {
        var server = ""

        static let keys: [ConfigurationKey<Self>] = [
            .init("server", \.server, .string(.nonEmpty), required: true, "Who is asked.")
        ]
    }

    static let feature = Feature(id: "track", paths: ["track/:order"], requires: ["order"], "Where an order is.")
    let configuration: Configuration

    init(container: Container, configuration: Configuration) { self.configuration = configuration }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async throws -> Bool {
        await Task.yield()
        state.show("tracking", parameters: ["order": link.value("order") ?? "", "server": configuration.server])
        return true
    }
}
