import Foundation
import GlassBase
import GlassContainer
@testable import GlassMarketFiles
import GlassMarkets
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing
import MarketTesting

extension FlagKey where Value == Bool {
    static let newCheckout = FlagKey("newCheckout", default: false)
    static let member = FlagKey("member", default: true)
    static let onlyInCode = FlagKey("onlyInCode", default: true)
}

extension FlagKey where Value == Int {
    static let limit = FlagKey("limit", default: -1)
}

extension FlagKey where Value == Double {
    static let ratio = FlagKey("ratio", default: -1)
}

extension FlagKey where Value == String {
    static let rank = FlagKey("rank", default: "none")
    static let old = FlagKey("old", default: "none")
}

extension FlagKey where Value == FlagObject {
    static let banner = FlagKey("banner", default: FlagObject())
}

/// A store with a market that has a flag of each kind, and the service that reads them.
final class FlagsFixture: Sendable {
    let files: MarketFixture
    let store: MarketStore
    let provider: FlagProviderStub
    let flags: any FeatureFlags

    /// Units that `newCheckout` gives true or false to, and `rank` the variant `control`.
    static let (inside, outside) = (unit { $0 < 50_000 }, unit { $0 >= 50_000 })

    private static func unit(_ isWanted: (Int) -> Bool) -> String {
        let units = (0..<100).map { "unit-\($0)" }
        return units.first {
            isWanted(Bucketing.bucket(salt: "newCheckout", unit: $0))
                && Bucketing.bucket(salt: "rank", unit: $0) < 50_000
        } ?? ""
    }

    static let flagsText = """
        newCheckout = { kind = "release", owner = "checkout", expires = "2099-03-31", default = false, rules = {
          { name = "beta", when = { build = "beta" }, value = true },
          { name = "ramp", rollout = { percent = 50, by = "installID" }, value = true },
        } },
        rank = { kind = "experiment", owner = "search", expires = "2099-03-31", default = "control", layer = "search",
          slots = { 0, 100 }, variants = { control = "bm25", neural = "neural-2" }, rules = {
            { name = "half", split = { by = "installID", weights = { { "control", 50 }, { "neural", 50 } } } },
          } },
        limit = { kind = "operations", owner = "cart", default = 3 },
        ratio = { kind = "operations", owner = "cart", default = 0.5, rules = {
          { name = "in", when = { signedIn = true }, value = 1 },
        } },
        banner = { kind = "permission", owner = "home", track = true, default = { title = "Hi", sizes = { 1, 2 } } },
        member = { kind = "permission", owner = "home", default = false, rules = {
          { name = "half", rollout = { percent = 50, by = "customerID" }, value = true },
        } },
        old = { kind = "operations", owner = "home", enabled = false, default = "x", rules = {
          { name = "a", value = "y" },
        } },
        """

    static func text(_ flags: String = flagsText, more: String = "") -> String {
        """
        return { id = "t", name = "T", locales = { "en-US" }, currency = "USD", deepLinking = { schemes = { "t" } },
          platform = include "shared/platform.lua", routables = {}, layers = { search = { by = "installID" } },
          flags = { \(flags) }, \(more) }
        """
    }

    /// - Parameter context: The app's situation; the installation is `outside` unless it says otherwise.
    init(
        _ text: String = text(), provider: FlagProviderStub? = nil, context: [String: ContextValue] = [:]
    ) throws {
        let files = try MarketFixture(["shared/platform.lua": SmallMarket.platform, "t.lua": text])
        var host = PlatformHost()
        self.provider = provider ?? FlagProviderStub()
        if let provider { host.flagProviders = [provider] }
        let mocks = Service.platformMocks.filter { ["Analytics", "AnalyticsTracking"].contains($0.name) }
        let loader = MarketLoader(
            .platform.overriding(services: mocks + [.host(host)]), folder: MarketFolder(path: files.folder.path)
        ) { _ in withExtendedLifetime(files) { "s" } }
        store = MarketStore(
            loader, context: MarketContext(["installID": .text(Self.outside)].merging(context) { $1 }))
        store.reload("t")
        self.files = files
        let market = try #require(store.market("t"), "\(store.status(of: "t")?.lastRejected?.findings ?? [])")
        flags = market.container.get()
    }

    /// Changes attributes of the app's situation.
    func set(_ values: [String: ContextValue?]) throws {
        var context = store.context
        for (name, value) in values { context[name] = value }
        try store.update(context: context)
    }

    /// The events that the analytics of the market in use have.
    func exposures() async throws -> [AnalyticsEvent] {
        await (flags as? MarketFeatureFlags)?.waitForExposures()
        let market = try #require(store.market("t"))
        return (market.container.get((any Analytics).self) as? AnalyticsMock)?.events ?? []
    }
}

/// A remote service whose answers a test sets.
final class FlagProviderStub: FlagProvider {
    let name = "remote"
    private let answers = Lock<[String: FlagResolution]>([:])
    private let asked = Lock<[(flag: String, type: FlagType, context: MarketContext)]>([])
    private let changed = Broadcast<Set<String>?>()

    init(_ answers: [String: FlagResolution] = [:]) { self.answers.withLock { $0 = answers } }

    /// The questions so far.
    var questions: [(flag: String, type: FlagType, context: MarketContext)] { asked.withLock { $0 } }

    /// Gives another answer from now on, and says so.
    func set(_ answer: FlagResolution?, for flag: String) {
        answers.withLock { $0[flag] = answer }
        changed.send([flag])
    }

    func resolve(_ flag: String, as type: FlagType, in context: MarketContext) -> FlagResolution? {
        asked.withLock { $0.append((flag, type, context)) }
        return answers.withLock { $0[flag] }
    }

    func changes() -> AsyncStream<Set<String>?> { changed.values(limit: 16) }
}
