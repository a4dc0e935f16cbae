import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform

/// The resources that the processes of a soak test share: one folder of markets, one state folder, one server.
struct SoakEnvironment {
    let markets: String
    let state: URL
    let server: URL

    /// The market with live services that store their state in the folder and send their events to its collector.
    func market() throws -> Market {
        var host = PlatformHost(stateFolder: state)
        host.storage.busyTimeout = .seconds(30)
        host.telemetry.retry.initialDelay = .milliseconds(50)
        host.telemetry.retry.maximumDelay = .seconds(1)
        // Otherwise deliberately dropped events could not be distinguished from lost ones.
        host.telemetry.outbox.maximumEvents = 10_000_000
        host.telemetry.outbox.maximumBytes = 4 << 30
        host.telemetry.outbox.busyTimeout = .seconds(30)
        host.telemetry.outbox.leaseDuration = .seconds(5)
        host.device = .unattended(
            permissions: .allow, locations: [Location(latitude: 36.3723, longitude: -94.2106)],
            urlOpener: .print { _ in })
        let module = MarketModule.platform.overriding(services: [.host(host)])
        let loader = MarketLoader(module, folder: MarketFolder(path: markets), secrets: { _ in "soak" })
        let market = try loader.load("loopback")
        market.preconditions.satisfyAll()
        return market
    }
}
