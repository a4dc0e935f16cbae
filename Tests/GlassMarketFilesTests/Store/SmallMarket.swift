import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import Synchronization
import MarketTesting

/// A market that loads quickly: in each version, its name, its route and the shown screen contain the version.
enum SmallMarket {
    static func text(version: Int) -> String {
        """
        return { id = "t", name = "v\(version)", locales = { "en-US" }, currency = "USD",
          deepLinking = { schemes = { "t" } }, platform = include "shared/platform.lua",
          routables = {
            own = { paths = { "p\(version)" }, waitForPreconditions = false,
              handle = function(link, state) state:show("v\(version)") return true end },
            later = { paths = { "late" }, waitForPreconditions = { "appStarted", "signedIn" },
              handle = function(link, state) state:show("late v\(version)") return true end },
          } }
        """
    }

    /// The minimal platform section.
    static let platform = """
        return {
          address = { country = "US", fieldOrder = { "street" }, requiredFields = { "street" },
            regions = { { code = "AL", name = "Alabama" } },
            postalCodePattern = "[0-9]{5}", postalCodeExample = "72716" },
          analytics = { sinks = { "app" } },
          aniviaSuperAttributes = { tenant = "t" },
          appInfo = { name = "T", bundleIdentifier = "com.example.t", version = "1.0", build = 1,
            teamIdentifier = "AB7W4LMART", appStoreIdentifier = "1",
            android = { package = "com.example.t", certificateDigests = {
              "1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09" } } },
          environment = { default = "production",
            environments = { production = { services = { orchestra = "https://example.com" } } } },
          networking = { defaultService = "orchestra" },
          preferences = { suite = "group.com.example.t", keys = {} },
          userDefaultsRegistration = { suite = "group.com.example.t" },
        }
        """

    static func fixture(version: Int) throws -> MarketFixture {
        try MarketFixture(["shared/platform.lua": platform, "t.lua": text(version: version)])
    }

    /// - Parameter isOwnDeepLinker: Whether an app's own deep linker replaces the router.
    static func loader(
        of fixture: MarketFixture, log: DisposalLog = DisposalLog(), isOwnDeepLinker: Bool = false
    ) -> MarketLoader {
        MarketLoader(
            module(log: log, isOwnDeepLinker: isOwnDeepLinker), folder: MarketFolder(path: fixture.folder.path),
            secrets: { _ in withExtendedLifetime(fixture) { "s" } })
    }

    private static func module(log: DisposalLog, isOwnDeepLinker: Bool) -> MarketModule {
        let probes = MarketModule(
            "probes",
            services: [
                Service(Part.self, requires: [MarketDefinition.self], "A part.") { c in
                    Part(version: c.get(MarketDefinition.self).name, log: log)
                },
                Service(Probe.self, requires: [Part.self, MarketDefinition.self], "A probe.") { c in
                    Probe(part: c.get(Part.self), version: c.get(MarketDefinition.self).name, log: log)
                },
            ])
        let services =
            isOwnDeepLinker
            ? [.ownDeepLinker] : Service.platformMocks.filter { $0.type != (any DeepLinker).self }
        return MarketModule.platformInMemory.including(probes).overriding(services: services)
    }
}

/// Records disposals, in order.
typealias DisposalLog = Lines

/// Lines that several threads append.
final class Lines: Sendable {
    private let lines = Lock<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var names: [String] { all }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A service that another one requires.
final class Part: Disposable, Sendable {
    let version: String
    private let log: DisposalLog

    init(version: String, log: DisposalLog) {
        self.version = version
        self.log = log
    }

    func dispose() { log.append("part \(version)") }
}

/// A service that requires another one.
final class Probe: Disposable, Sendable {
    let part: Part
    let version: String
    private let log: DisposalLog

    init(part: Part, version: String, log: DisposalLog) {
        self.part = part
        self.version = version
        self.log = log
    }

    func dispose() { log.append("probe \(version)") }
}
