import Foundation
import GlassBase
import GlassContainer
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

/// The destinations of a market's events.
@Suite(.timeLimit(.minutes(1)))
struct MarketSinksTests {
    private func market(_ sinks: [AnalyticsConfiguration.Sink], collector: String? = "api") -> AnalyticsConfiguration {
        var configuration = AnalyticsConfiguration()
        configuration.sinks = sinks
        configuration.collector = collector.map { name in
            var collector = AnalyticsConfiguration.Collector()
            collector.service = name
            return collector
        }
        return configuration
    }

    @Test(
        arguments: [
            ([], ["own"], ["collector", "log"]), ([.app], ["own"], ["collector", "log"]),
            ([.collector], ["collector"], ["log", "own"]),
            ([.collector, .app, .log], ["own", "collector", "log"], []),
        ] as [([AnalyticsConfiguration.Sink], [String], [String])])
    func marketChoosesItsSinks(sinks: [AnalyticsConfiguration.Sink], names: [String], left: [String]) {
        var host = TelemetryHost()
        host.sinks = [.log(name: "own")]
        #expect(host.sinks(of: market(sinks)).map(\.name) == names)
        // A sink that the market no longer uses has no claim to events, because nothing would send them.
        #expect(host.leftSinks(of: market(sinks)).sorted() == left)
    }

    @Test func programSinkOverridesMarketSinkOfSameName() {
        var host = TelemetryHost()
        host.sinks = [.log()]
        #expect(host.sinks(of: market([.log, .app])).map(\.name) == ["log"])
        host.usesMarketSinks = false
        #expect(host.sinks(of: market([.collector])).map(\.name) == ["log"])
        #expect(host.leftSinks(of: market([.collector])).isEmpty)
    }

    @Test(
        arguments: [
            ([.collector], nil, true, ["analytics.sinks[1] error"]),
            ([.collector], "api", true, []),
            ([.collector], "apo", true, ["analytics.collector.service error"]),
            ([], nil, true, ["analytics.sinks warning"]),
            ([.log], nil, true, ["analytics.sinks warning"]),
            ([], nil, false, []),
            ([.app], nil, true, []),
        ] as [([AnalyticsConfiguration.Sink], String?, Bool, [String])])
    func eventsWithoutDestinationAreReported(
        sinks: [AnalyticsConfiguration.Sink], collector: String?, tracks: Bool, findings: [String]
    ) {
        var config = sampleConfig()
        config.analytics = market(sinks, collector: collector)
        config.networking.tracking = tracks
        let found =
            (config.inconsistencies()
                + config.analytics.inconsistencies().map { found in
                    var found = found
                    found.path = ConfigurationPath([.key("analytics")] + found.path.elements)
                    return found
                })
        #expect(found.map { "\($0.path) \($0.severity.rawValue)" } == findings)
    }

    @Test func collectorOfCurrentEnvironmentReceivesEvents() async throws {
        let server = try RawServer { _, _ in answer(200) }
        defer { server.stop() }
        var config = sampleConfig()
        config.environment.environments["production"]?.services["api"] = server.url.absoluteString
        config.environment.environments["staging"]?.services["api"] = server.url.absoluteString + "/stage"
        config.aniviaSuperAttributes.writeKey = Secret(name: "GLASS_KEY", value: "k")
        config.aniviaSuperAttributes.tenant = "t"
        config.aniviaSuperAttributes.attributes = ["country": .string("MX")]
        config.urlSession.headers = ["X-Gateway": .secret(Secret(name: "GLASS_GATEWAY", value: "g")), "X-Plain": "p"]
        config.analytics = market([.collector])
        config.analytics.collector?.path = "a/b"
        config.analytics.collector?.batchEvents = 2
        config.analytics.collector?.writeKeyHeader = "X-Own-Key"
        config.analytics.collector?.batchKeyHeader = "X-Own-Batch"
        let container = Container()
        container.setupPlatformDependencies(with: config, host: .inMemory)
        let analytics: any Analytics = container.get()
        try analytics.track(AnalyticsEvent("first"))
        try await analytics.flush()
        try container.get((any EnvironmentAPI).self).switchTo("staging")
        try analytics.track(AnalyticsEvent("second"))
        try await analytics.flush()
        #expect(server.requests.map(\.path) == ["/base/a/b", "/base/stage/a/b"])
        #expect(server.requests.allSatisfy { $0.headers["x-own-key"] == "k" && $0.headers["x-own-batch"] != nil })
        #expect(server.requests.first?.headers["x-write-key"] == nil)
        #expect(server.requests.allSatisfy { $0.headers["x-gateway"] == "g" && $0.headers["x-plain"] == "p" })
        // Before the first event, the intent: the market and the app.
        let body = try #require(server.requests.first?.body)
        #expect(body.contains(#""name":"aniviaIntent""#) && body.contains(#""appVersion":"1.2.3""#))
        #expect(body.contains(#""country":"MX""#) && body.contains(#""tenant":"t""#))
        #expect(try analytics.counts().tracked == 3)
        await container.shutdown()
    }

    @Test func intentIsOneEventSentWithFirst() async throws {
        let sink = TestSink()
        let analytics = AsyncAnalyticsManager(
            info: AnalyticsInfoProviders(), sinks: [sink], host: TelemetryHost())
        var configuration = AniviaSuperAttributesConfiguration()
        configuration.tenant = "t"
        analytics.addAniviaIntent(container: Container(), configuration: configuration)
        try analytics.track(AnalyticsEvent("one"))
        try analytics.track(AnalyticsEvent("two"))
        try await analytics.flush()
        #expect(sink.events.map(\.name) == ["aniviaIntent", "one", "two"])
        #expect(sink.events.first?.attributes == ["tenant": .string("t"), "channel": .string("app")])
        await analytics.dispose()
    }
}
