import Foundation
import GlassContainer
import GlassSchema
import Testing

@testable import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Delivery to a real local server, which fails in every possible way.
@Suite(.timeLimit(.minutes(2)))
struct HTTPAnalyticsSinkTests {
    private func manager(_ url: URL, _ host: TelemetryHost = eagerHost()) -> AsyncAnalyticsManager {
        AsyncAnalyticsManager(sinks: [HTTPAnalyticsSink(url: url, configuration: .ephemeral)], host: host)
    }

    @Test func batchIsPostedAsJSONWithKeysAndUserAgent() async throws {
        let server = CollectorServer()
        try await server.run { url in
            var config = sampleConfig()
            config.aniviaSuperAttributes.tenant = "walmart-mx"
            config.aniviaSuperAttributes.writeKey = Secret(name: "KEY", value: "k-123")
            var host = PlatformHost()
            host.telemetry = patientHost()
            host.telemetry.sinks = [.http(url, writeKeyHeader: "X-Anivia-Key")]
            let container = Container()
            container.setupPlatformDependencies(with: config, host: host)
            let tracking: any AnalyticsTracking = container.get()
            try tracking.track(AnalyticsEvent("a"))
            try tracking.track(AnalyticsEvent("b"))
            try await container.get((any Analytics).self).flush()
            await container.shutdown()
        }
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST" && request.path == "/events")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["x-anivia-key"] == "k-123")
        #expect(request.headers["user-agent"]?.contains("com.example.app") == true)
        #expect(request.headers["accept-language"] == "es-MX")
        #expect(UUID(uuidString: request.key) != nil)
        #expect(server.events.map(\.name) == ["aniviaIntent", "a", "b"])
        #expect(server.events.first?.context["tenant"] == .string("walmart-mx"))
        #expect(server.events.first?.context["sessionID"] != nil)
    }

    @Test(arguments: [401, 404, 408, 429, 500, 503])
    func failedBatchIsResentUnderSameKey(status: Int) async throws {
        let server = CollectorServer()
        server.answer(.fail(status), .fail(status))
        try await server.run { url in
            let analytics = manager(url)
            try analytics.track(AnalyticsEvent("e"))
            try await flushAtLast(analytics)
            #expect(try analytics.counts().sent == 1)
            await analytics.dispose()
        }
        #expect(server.requests.count == 3)
        #expect(Set(server.requests.map(\.key)).count == 1)
        #expect(Set(server.requests.map(\.body)).count == 1)
        #expect(server.events.count == 1)
    }

    @Test func lostAcknowledgmentStillDeliversOnce() async throws {
        let server = CollectorServer()
        server.answer(.takeAndFail(504), .takeAndFail(500), .accept)
        try await server.run { url in
            let analytics = manager(url)
            for number in 0..<5 { try analytics.track(AnalyticsEvent("e\(number)")) }
            try await flushAtLast(analytics)
            try analytics.track(AnalyticsEvent("e5"))
            try await flushAtLast(analytics)
            #expect(try analytics.counts().sent == 6)
            await analytics.dispose()
        }
        #expect(server.requests.count > 3)
        #expect(server.events.map(\.name) == (0..<6).map { "e\($0)" })
    }

    @Test func onlyRejectedEventIsDropped() async throws {
        let server = CollectorServer { $0.name == "bad" }
        try await server.run { url in
            let analytics = manager(url, patientHost())
            for number in 0..<9 { try analytics.track(AnalyticsEvent(number == 4 ? "bad" : "e\(number)")) }
            try await analytics.flush()
            let counts = try analytics.counts()
            #expect(counts.rejected == 1 && counts.sent == 8 && counts.isBalanced)
            await analytics.dispose()
        }
        #expect(server.events.map(\.name) == ["e0", "e1", "e2", "e3", "e5", "e6", "e7", "e8"])
    }

    @Test(arguments: [301, 302, 307])
    func redirectIsNotAcknowledgment(status: Int) async throws {
        let server = CollectorServer()
        server.answer(.fail(status, headers: ["Location": "/elsewhere"]))
        try await server.run { url in
            let sink = HTTPAnalyticsSink(url: url, configuration: .ephemeral)
            let error = await #expect(throws: AnalyticsSinkError.self) {
                try await sink.send(AnalyticsBatch(key: "k", events: []))
            }
            #expect(error.map { "\($0)" } == "the collector responded with status \(status)")
        }
        #expect(server.requests.map(\.path) == ["/events"])
    }

    @Test func retryAfterIsRespected() async throws {
        let server = CollectorServer()
        server.answer(.fail(429, headers: ["Retry-After": "7"]))
        try await server.run { url in
            let sink = HTTPAnalyticsSink(url: url, configuration: .ephemeral)
            let error = await #expect(throws: AnalyticsSinkError.self) {
                try await sink.send(AnalyticsBatch(key: "k", events: []))
            }
            guard case .unavailable("the collector responded with status 429", .seconds(7), nil)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(
        arguments: [
            (nil, "the write key cannot be read: the secret KEY is not set: set it in the host's environment"),
            ("a\r\nX-Evil: 1", "<secret KEY> has characters that are invalid in headers"),
        ] as [(String?, String)])
    func nothingIsSentWithoutUsableWriteKey(value: String?, text: String) async throws {
        let server = CollectorServer()
        try await server.run { url in
            let sink = HTTPAnalyticsSink(
                url: url, configuration: .ephemeral, writeKey: Secret(name: "KEY", value: value))
            let error = await #expect(throws: AnalyticsSinkError.self) {
                try await sink.send(AnalyticsBatch(key: "k", events: []))
            }
            #expect(error.map { "\($0)" } == text)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func droppedConnectionIsErrorWithCause() async throws {
        let dropper = try ConnectionDropper()
        let sink = HTTPAnalyticsSink(url: dropper.url, configuration: .ephemeral)
        let error = await #expect(throws: AnalyticsSinkError.self) {
            try await sink.send(AnalyticsBatch(key: "k", events: []))
        }
        guard case .unavailable("the collector did not respond", nil, let cause?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is URLError)
        #expect(dropper.connections > 0)
    }

    @Test func cancelledRequestEnds() async throws {
        let dropper = try ConnectionDropper(holdsConnections: true)
        let sink = HTTPAnalyticsSink(url: dropper.url, configuration: .ephemeral)
        let task = Task { try await sink.send(AnalyticsBatch(key: "k", events: [])) }
        try await pollUntil { dropper.connections > 0 }
        task.cancel()
        await #expect(throws: AnalyticsSinkError.self) { try await task.value }
    }
}
