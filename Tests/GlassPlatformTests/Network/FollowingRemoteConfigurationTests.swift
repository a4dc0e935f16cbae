import Foundation
import GlassBase
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// Requests use the remote configuration at the time they are made.
@Suite(.timeLimit(.minutes(1)))
struct FollowingRemoteConfigurationTests {
    private func configuration(_ json: String) throws -> RemoteConfiguration {
        try RemoteConfiguration(json: Data(json.utf8), origin: "test")
    }

    private func networking(
        _ url: URL, _ remote: RemoteConfigurationAPIMock, events: AnalyticsTrackingMock = AnalyticsTrackingMock(),
        random: Double = 0
    ) -> URLSessionNetworking {
        var configuration = NetworkingConfiguration()
        configuration.defaultService = "api"
        configuration.retry.maxRetries = 1
        return URLSessionNetworking(
            configuration: configuration, environment: EnvironmentAPIMock(baseURLs: ["api": url]),
            sessions: sessions(), tracking: events, remote: remote,
            timing: RetryTiming(clock: ImmediateClock(), random: { random }))
    }

    @Test func currentConfigurationDecidesRetries() async throws {
        let server = try RawServer { _, _ in answer(503) }
        defer { server.stop() }
        let remote = RemoteConfigurationAPIMock()
        let networking = networking(server.url, remote)
        for (json, attempts) in [
            ("{}", 2), (#"{"platform":{"networking":{"retry":{"maxRetries":4}}}}"#, 5),
            (#"{"platform":{"networking":{"retry":{"maxRetries":0}}}}"#, 1), ("{}", 2),
        ] {
            try remote.receive(try configuration(json))
            let before = server.requests.count
            await #expect(throws: NetworkingError.self) { try await networking.send(NetworkRequest(.get, "a")) }
            #expect(server.requests.count - before == attempts, "\(json)")
        }
    }

    @Test func currentConfigurationDecidesReporting() async throws {
        let server = try RawServer { _, _ in answer(200) }
        defer { server.stop() }
        let (remote, events) = (RemoteConfigurationAPIMock(), AnalyticsTrackingMock())
        let networking = networking(server.url, remote, events: events, random: 0.5)
        for (json, reports) in [
            ("{}", 1), (#"{"platform":{"networking":{"tracking":false}}}"#, 0),
            (#"{"platform":{"networking":{"trackingSampleRate":0.6}}}"#, 1),
            (#"{"platform":{"networking":{"trackingSampleRate":0.5}}}"#, 0),
        ] {
            try remote.receive(try configuration(json))
            let before = events.events.count
            _ = try await networking.send(NetworkRequest(.get, "a"))
            #expect(events.events.count - before == reports, "\(json)")
        }
    }

    @Test func shortenedTimeoutEndsRequest() async throws {
        let server = try RawServer { _, _ in .hang("") }
        defer { server.stop() }
        let remote = RemoteConfigurationAPIMock()
        try remote.receive(
            try configuration(
                #"{"platform":{"urlSession":{"resourceTimeoutSeconds":1},"networking":{"retry":{"maxRetries":0}}}}"#))
        let networking = networking(server.url, remote)
        await #expect(throws: NetworkingError.self) { try await networking.send(NetworkRequest(.get, "a")) }
    }

    /// Requests in progress count: with a limit of one, the next would wait for the slow one.
    @Test func requestInProgressSurvivesChangedConnectionLimit() async throws {
        let gate = Lock(false)
        let server = try RawServer { request, _ in
            if request.path.hasSuffix("slow") { while !gate.withLock({ $0 }) { usleep(1000) } }
            return answer(200, request.path)
        }
        defer { server.stop() }
        let remote = RemoteConfigurationAPIMock()
        let networking = networking(server.url, remote)
        async let slow = networking.send(NetworkRequest(.get, "slow"))
        while server.requests.isEmpty { await Task.yield() }
        for connections in 2...6 {
            try remote.receive(
                try configuration(#"{"platform":{"urlSession":{"maximumConnectionsPerHost":\#(connections)}}}"#))
            let answer = try await networking.send(NetworkRequest(.get, "quick\(connections)"))
            #expect(String(decoding: answer.body, as: UTF8.self) == "/base/quick\(connections)")
        }
        gate.withLock { $0 = true }
        #expect(String(decoding: try await slow.body, as: UTF8.self) == "/base/slow")
    }

    @Test func requestsUseRemoteConfigurationOfContainer() async throws {
        let container = Container()
        var host = PlatformHost()
        host.remoteConfiguration = .source(
            ScriptedSource { _ throws(RemoteConfigurationError) in
                try RemoteConfiguration(
                    json: Data(#"{"platform":{"networking":{"retry":{"maxRetries":6}}}}"#.utf8), origin: "test")
            })
        container.setupPlatformDependencies(with: sampleConfig(), host: host)
        let remote: any RemoteConfigurationAPI = container.get()
        try await remote.refresh()
        let factory: any RetryNotifyingFactory = RetryNotifierFactory(ccmSource: container.get())
        #expect(await factory.makeNotifier(named: "any").policy.maxRetries == 6)
        guard case .map(let values) = try await call(remote.scriptMethods, "values") else {
            return #expect(Bool(false))
        }
        #expect(values == ["platform.networking.retry.maxRetries": "6"])
    }
}
