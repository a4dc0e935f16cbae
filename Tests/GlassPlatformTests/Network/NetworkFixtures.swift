import FlyingFox
import FlyingSocks
import Foundation
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A live `Networking` whose pauses end immediately and whose service `api` is a test server.
struct LiveNetworking {
    let networking: URLSessionNetworking
    let clock = ImmediateClock()
    let events = AnalyticsTrackingMock()
    let cookies = CookieStorageAPIMock()

    init(
        _ url: URL, maximumBytes: Int = 1024 * 1024, now: Date = Date(timeIntervalSince1970: 784_111_777),
        random: Double = 0, _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) {
        var configuration = NetworkingConfiguration()
        configuration.defaultService = "api"
        configuration.retry.maxRetries = 2
        configuration.retry.initialDelaySeconds = 1
        configure(&configuration)
        networking = URLSessionNetworking(
            configuration: configuration, environment: EnvironmentAPIMock(baseURLs: ["api": url]),
            sessions: sessions(cookies), tracking: events,
            timing: RetryTiming(clock: clock, random: { random }, now: { now }), maximumBytes: maximumBytes)
    }
}

/// Session configurations like the ones of the live service.
func sessions(
    _ cookies: any CookieStorageAPI = CookieStorageAPIMock(),
    _ configure: (inout SessionConfiguration) -> Void = { _ in }
) -> any URLSessionConfigurationAPI {
    var configuration = SessionConfiguration()
    configuration.requestTimeoutSeconds = 30
    configuration.headers = ["Accept-Language": "es-MX"]
    configuration.cachePolicy = .reloadIgnoringLocalCacheData
    configure(&configuration)
    return URLSessionConfigurationPlatformAPI(
        configuration: configuration, userAgent: UserAgentProvidingMock(), cookies: cookies)
}

/// Runs a test with a real HTTP server on loopback.
func withServer(
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    _ test: (URL) async throws -> Void
) async throws {
    let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: ClosureHTTPHandler(handler))
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
    try await test(URL(string: "http://127.0.0.1:\(port)/base")!)
    await server.stop()
}

/// The error of a task that must fail.
func failure<Value>(_ body: () async throws(NetworkingError) -> Value) async -> NetworkingError? {
    do throws(NetworkingError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Calls a method of a service like a script does.
func call(_ methods: [ScriptMethod], _ name: String, _ arguments: [ScriptValue] = []) async throws -> ScriptValue {
    let method = try #require(methods.first { $0.name == name })
    return try await method(arguments)
}
