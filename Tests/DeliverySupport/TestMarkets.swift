package import Foundation
package import GlassDelivery
import GlassBase
import GlassContainer
import GlassDeepLinking
package import GlassMarkets
import GlassSchema

/// Markets with minimal files, which are enough for a store because it does not read them.
package enum TestMarkets {
    /// A market file: `ID RELEASE`, or `ID broken` for one that no app can build.
    package static func file(_ id: String, _ release: String, path: String? = nil, custom: String? = nil)
        -> TestRepository.File
    {
        TestRepository.File(path ?? "4/\(id).json", Array("\(id) \(release)".utf8), custom: custom)
    }

    /// Builds a market from such a file.
    package static func build(
        _ id: String, _ bytes: [UInt8], _ digest: @escaping @Sendable () -> String?
    ) throws -> MarketCheck {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        let findings = FindingList()
        guard words.count == 2, words[0] == id, words[1] != "broken" else {
            findings.append(Finding(.unreadable, at: nil, "\(words) is no market"))
            return MarketCheck(
                id: id, findings: findings.sorted(), market: nil,
                cost: MarketCost(cpuTime: .zero, instructions: 0, peakMemory: 0),
                revision: MarketRevision([MarketFile(file: id, bytes: bytes)], folder: ""), timeLeft: .zero)
        }
        let source = ConfigurationNode(
            .map([
                "id": ConfigurationNode(.string(id)), "name": ConfigurationNode(.string(words[1])),
                "locales": ConfigurationNode(.list([ConfigurationNode(.string("en-CA"))])),
                "currency": ConfigurationNode(.string("CAD")),
                "deepLinking": ConfigurationNode(
                    .map(["schemes": ConfigurationNode(.list([ConfigurationNode(.string("test"))]))])),
                "routables": ConfigurationNode(.map([:])),
            ]))
        let revision = MarketRevision([MarketFile(file: id, bytes: bytes)], folder: "")
        let loaded = digest()
        let origin = MarketOrigin(layers: [source], files: [], revision: revision, isCurrent: { digest() == loaded })
        let market = try MarketAssembly(MarketModule("test"), secrets: { _ in nil }).market(
            from: origin, budget: .unlimited, findings: findings
        ).market
        return MarketCheck(
            id: id, findings: findings.sorted(), market: market,
            cost: MarketCost(cpuTime: .zero, instructions: 0, peakMemory: 0), revision: revision, timeLeft: .zero)
    }

    /// Opens a store with such markets.
    ///
    /// - Parameters:
    ///   - folder: Contains `app`, the snapshot embedded in the app, and `store`.
    ///   - system: The system calls.
    ///   - now: The system's time, in seconds since 1970.
    ///   - pause: Waits for a duration, for the work after the first screen.
    package static func open(
        _ folder: URL, app: String = "25.1", builtAt: Int = 1_000_000,
        system: StoreSystem = StoreSystem(),
        role: DeliveredMarkets.Role = .app, maximumAges: [String: MaximumAge] = [:], embedded: String = "app",
        now: @escaping @Sendable () -> Int = { 2_000_000 },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws -> DeliveredMarkets {
        let choice = TargetChoice(app: AppVersion(app)!, install: nil)
        let builtAt = UpdateTime(secondsSince1970: builtAt)
        let embedded = try EmbeddedMarkets(
            path: folder.appending(path: embedded).path, builtAt: builtAt, choice: choice)
        return DeliveredMarkets(
            embedded: embedded, store: DeliveryStore(folder.appending(path: "store").path, system: system),
            clock: DeliveryClock(builtAt: builtAt) { UpdateTime(secondsSince1970: now()) }, choice: choice, role: role,
            maximumAges: maximumAges, pause: pause, build: build)
    }
}
