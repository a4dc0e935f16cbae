import GlassContainer
import GlassDeepLinking
@testable import GlassMarkets
import GlassSchema

// The parts of modules in these tests: no Lua, no platform.

struct Points: MarketSection {
    var perDollar = 2

    static let key = "points"
    static let summary = "Points."
    static let keys: [ConfigurationKey<Self>] = [
        .init("perDollar", \.perDollar, .integer(0...10), "The points for a dollar.")
    ]
}

/// Another section with the same key.
struct OtherPoints: MarketSection {
    static let key = "points"
    static let summary = "Points."
    static let keys: [ConfigurationKey<Self>] = []
}

protocol Clock: Sendable { var name: String { get } }
struct NamedClock: Clock { let name: String }
protocol Counter: Sendable { var perDollar: Int { get } }
struct PointsCounter: Counter {
    let perDollar: Int
    let clock: any Clock
}
protocol Unrelated: Sendable {}
struct Nothing: Unrelated {}
protocol Other: Sendable {}
struct Something: Other {}

struct Flyers: MarketRoutable {
    static let feature = Feature(id: "flyers", paths: ["flyers"], "Flyers.")
    init(container: Container, configuration: NoConfiguration) {}
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}

/// Replaces the routable above.
struct OwnFlyers: MarketRoutable {
    static let feature = Feature(id: "flyers", paths: ["own/flyers"], "Own flyers.")
    init(container: Container, configuration: NoConfiguration) {}
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}

/// Replaces either of the two.
struct SlowFlyers: AsyncMarketRoutable {
    static let feature = Feature(id: "flyers", paths: ["slow/flyers"], "Flyers that are asked for.")
    init(container: Container, configuration: NoConfiguration) {}
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async -> Bool { true }
}

extension Service {
    static func clock(_ name: String) -> Service {
        Service((any Clock).self, "The time.") { _ in NamedClock(name: name) }
    }
    static let counter = Service((any Counter).self, requires: [Points.self, (any Clock).self], "Counts.") { c in
        PointsCounter(perDollar: c.get(Points.self).perDollar, clock: c.get())
    }
    static let unrelated = Service((any Unrelated).self, "Nothing.") { _ in Nothing() }
}

extension MarketModule {
    static let base = MarketModule(
        "base", sections: [Points.self], routables: [Flyers.self],
        services: [.counter, .clock("base"), .unrelated],
        preconditions: [Precondition("ready", "All is there.")],
        handlers: [LinkHandler("openBadge", "Shows the badge.") { _, _, _ in true }])
}
