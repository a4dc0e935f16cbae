import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema

/// Uses every kind of service in turn, reports what was acknowledged, and checks the results.
struct SoakUser {
    /// A user's note; its first word is the kind.
    enum Note {
        /// An event was stored.
        case tracked(String)
        /// A value was written.
        case wrote(key: String, value: String)
        /// An operation went as expected.
        case did(String)
        /// An operation did not go as expected.
        case wrong(String)
    }

    static let namespace = "soak"
    static let counter = StorageKey<Int>("soak-counter", "keys")

    let name: String
    let market: Market
    let server: URL
    let say: @Sendable (Note) -> Void

    private var container: Container { market.container }

    /// One round of use.
    ///
    /// - Parameter number: Starts with 0, and is unique.
    func step(_ number: Int) async {
        await attempt("track") { try track(number) }
        await attempt("storage") { try store(number) }
        if number % 2 == 0 { await attempt("link") { try openLink(number) } }
        if number % 3 == 0 { await attempt("request") { try await request(number) } }
        if number % 5 == 0 { await attempt("media") { try await load(number) } }
        if number % 7 == 0 { await attempt("preferences") { try prefer(number) } }
        if number % 11 == 0 { await attempt("policy") { try await policy() } }
        if number % 13 == 0 { await attempt("device") { try await device() } }
        if number % 17 == 0 { await attempt("environment") { try switchEnvironment(number) } }
    }

    private func attempt(_ what: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            say(.did(what))
        } catch let error as NetworkingError where error.isFault {
            // The server was made to fail, and after the last attempt the app receives that error.
            say(.did("\(what) given up"))
            _ = container.get((any ErrorCoordinatorProducing).self).coordinate(error, feature: "soak")
        } catch {
            say(.wrong("\(name) \(what): \(error)"))
        }
    }

    private func track(_ number: Int) throws {
        let event = "\(name)-\(number)"
        try container.get((any AnalyticsTracking).self)
            .track(AnalyticsEvent(event, attributes: ["number": .integer(number)]))
        say(.tracked(event))
    }

    private func store(_ number: Int) throws {
        let storage: any StorageAPI = container.get()
        let (key, value) = ("\(name)-\(number)", "\(number &* 2_654_435_761)")
        try storage.transaction { transaction in
            try transaction.set(value, for: StorageKey<String>(Self.namespace, key))
            try transaction.set((try transaction.value(for: Self.counter) ?? 0) + 1, for: Self.counter)
        }
        say(.wrote(key: key, value: value))
        let earlier = Int.random(in: 0...number)
        let found = try storage.value(for: StorageKey<String>(Self.namespace, "\(name)-\(earlier)"))
        try expect(found == "\(earlier &* 2_654_435_761)", "key \(name)-\(earlier) holds \(found ?? "nothing")")
    }

    private func openLink(_ number: Int) throws {
        let inLua = market.open("loopback://probe/\(number)")
        try expect(inLua.outcome == .routed && inLua.routableID == "probe", "\(inLua)")
        let item = market.open("loopback://ip/\(number)?utm_medium=email")
        try expect(item.outcome == .routed && item.routableID == "item", "\(item)")
    }

    private func request(_ number: Int) async throws {
        struct Echo: Decodable {
            var path: String
            var query: [String: String]
            var body: String
        }
        var request = NetworkRequest(
            number % 2 == 0 ? .get : .post, "items/\(number)", query: [URLQueryItem(name: "by", value: name)])
        if request.method == .post { request.body = Data("body \(number)".utf8) }
        let echo = try await container.get((any Networking).self).decode(Echo.self, from: request)
        try expect(
            echo.path.hasSuffix("/orchestra/items/\(number)") && echo.query == ["by": name]
                && echo.body == (request.method == .post ? "body \(number)" : ""), "\(echo)")
    }

    private func load(_ number: Int) async throws {
        let media = try await container.get((any MediaNetworking).self)
            .load(
                server.appending(path: "media/\(number % 50).png").appending(queryItems: [
                    .init(name: "age", value: "1")
                ]))
        try expect(
            media.data.starts(with: [0x89, 0x50, 0x4E, 0x47]) && media.data.count == 70, "\(media.data.count) bytes")
    }

    private func prefer(_ number: Int) throws {
        let preferences: any PreferencesStorage = container.get()
        try preferences.set(number, for: "storeID")
        let found = try preferences.value(Int.self, for: "storeID")
        try expect(found != nil, "storeID holds nothing")
        let info = container.get((any AnalyticsStoreIDProviding).self) as? any AnalyticsFeatureInfo
        try info?.setAnalyticsStoreID("\(number)")
    }

    private func policy() async throws {
        let remote: any RemoteConfigurationAPI = container.get()
        let platform = remote.current.applied(to: market.config)
        // One in seven configurations changes where requests go, which must be rejected.
        try expect(platform.environment == market.config.environment, "another environment")
        let factory: any RetryNotifyingFactory = container.get()
        let retries = await factory.makeNotifier(named: "checkout").policy.maxRetries
        // The server's value, or the market's if the server did not respond.
        try expect(retries == 1 || retries == 4, "\(retries) attempts")
    }

    private func device() async throws {
        let status = try await container.get((any LocationPermissionProvider).self).request()
        try expect(status == .granted, "\(status)")
        for try await place in container.get((any LocationUpdatesProvider).self).locations() {
            try expect(place.latitude == 36.3723, "\(place)")
            break
        }
        _ = container.get((any NetworkInformationProvider).self).current
        try await container.get((any ApplicationURLHandler).self).open("https://www.walmart.com/help")
    }

    private func switchEnvironment(_ number: Int) throws {
        let environment: any EnvironmentAPI = container.get()
        try environment.switchTo(number % 2 == 0 ? "staging" : "production")
        let reflector: any ReflectorManager = container.get()
        try reflector.point(to: "backend\(number % 3)", service: nil)
        try reflector.clear(service: nil)
    }

    private func expect(_ condition: Bool, _ found: @autoclosure () -> String) throws {
        if !condition { throw Unexpected(description: found()) }
    }
}

extension NetworkingError {
    /// Whether the server's faults alone can be the cause.
    fileprivate var isFault: Bool {
        switch self {
        case .status(_, let response, _): [429, 500, 503].contains(response.status)
        case .transport: true
        default: false
        }
    }
}

/// An unexpected result of a service.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}
