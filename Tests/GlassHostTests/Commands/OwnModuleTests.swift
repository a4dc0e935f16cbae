import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassHost

/// Commands with an app's own module.
@Suite(.timeLimit(.minutes(2)))
struct OwnModuleTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Writes the file that `new` would write, and checks it.
    private func check(_ module: MarketModule) throws -> (text: String, check: MarketCheck) {
        let template = MarketTemplate(id: "zz", name: "Zed", schema: MarketSchema(module), base: nil)
        _ = try folder.write(template.market.plain, to: "zz.lua")
        let loader = MarketLoader(module, folder: MarketFolder(path: folder.url.path), secrets: { _ in "value" })
        return (template.market.plain, try loader.check("zz"))
    }

    @Test func moduleIsCreatedOnceOnDemand() {
        let made = Lock(0)
        @Sendable func module() -> MarketModule {
            made.withLock { $0 += 1 }
            return MarketModule("own")
        }
        let settings = HostSettings(module: module())
        #expect(made.withLock { $0 } == 0)
        #expect(settings.module.services.isEmpty && settings.module.routables.isEmpty && settings.mocks.isEmpty)
        #expect(made.withLock { $0 } == 1)
    }

    // MARK: new

    @Test(arguments: [true, false]) func newMarketHasRequiredSectionsOfApp(hasPlatform: Bool) throws {
        let own = MarketModule("own", secretPrefixes: ["OWN_"], sections: [Everything.self, Voluntary.self])
        let (text, check) = try check(hasPlatform ? .platform.including(own) : own)
        #expect(check.findings.filter { $0.severity == .error } == [], "\(text)")
        #expect(text.contains("  platform = {") == hasPlatform)
        #expect(!text.contains("voluntary"))
        #expect(text.contains("    code = undecided \"X-1\",  -- A code.\n"), "\(text)")
        let prefix = hasPlatform ? "GLASS_" : "OWN_"
        #expect(text.contains("    key = secret \"\(prefix)EVERYTHING_KEY\",  -- Who we are.\n"), "\(text)")
        let market = try #require(check.market)
        #expect(market[Everything.self].tiers.map(\.from) == [1, 1])
        market.preconditions.satisfyAll()
        #expect(market.open("shop.zz://home").outcome == .routed)
    }

    // MARK: open

    @Test func endlessHandlerIsAwaitedUntilTimeout() throws {
        let module = MarketModule("slow", asyncRoutables: [Endless.self])
        _ = try folder.write(
            """
            return { id = "t", name = "T", locales = { "en-US" }, currency = "USD", deepLinking = { schemes = { "t" } },
              routables = { endless = true } }
            """, to: "t.lua")
        let market = try MarketLoader(module, folder: MarketFolder(path: folder.url.path)).load("t")
        let failure = #expect(throws: CommandFailure.self) {
            try OpenCommand.finalResult(of: "t://endless", in: market, within: .milliseconds(50))
        }
        #expect(failure?.status == .no)
        #expect(
            failure?.message?.plain
                == "the handler of t://endless did not finish within 0.05 s; raise the limit with --timeout")
    }
}

/// A section with a required key of each type.
private struct Everything: MarketSection {
    var code = ""
    var size = 0
    var share = 0.0
    var isOn = true
    var color = ""
    var key = Secret(name: "")
    var tiers: [Tier] = []
    var names: [String: String] = [:]

    static let key = "everything"
    static let summary = "One of each."
    static let keys: [ConfigurationKey<Self>] = [
        .init(
            "code", \.code,
            .string(StringFormat(name: "code", expectation: "a code such as \"X-1\"") { $0.hasPrefix("X-") }),
            required: true, "A code."),
        .init("size", \.size, .integer(3...7), required: true, "How large."),
        .init("share", \.share, .number(0.5...1), required: true, "How much."),
        .init("isOn", \.isOn, required: true, "Whether it is on."),
        .init("color", \.color, .choice(["red", "blue"]), required: true, "Which color."),
        .init("key", \.key, required: true, "Who we are."),
        .init("tiers", \.tiers, .list(of: .section(Tier.declaration), count: 2...9), required: true, "The tiers."),
        .init("names", \.names, .map(of: .string(.nonEmpty), keys: .locale), required: true, "The names."),
    ]

    struct Tier: ConfigurationSection {
        var from = 0
        var note = ""

        static let keys: [ConfigurationKey<Self>] = [
            .init("from", \.from, .integer(1...100), required: true, "Where it begins."),
            .init("note", \.note, .string(.nonEmpty), "What is special."),
        ]
    }
}

/// A section without a required key.
private struct Voluntary: MarketSection {
    var size = 1

    static let key = "voluntary"
    static let summary = "Nothing that must be said."
    static let keys: [ConfigurationKey<Self>] = [.init("size", \.size, .integer(0...9), "How large.")]
}

private struct Endless: AsyncMarketRoutable {
    static let feature = Feature(id: "endless", paths: ["endless"], "Never ends by itself.")

    init(container: Container, configuration: NoConfiguration) {}

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async throws -> Bool {
        try await Task.sleep(for: .seconds(3600))
        return true
    }
}
