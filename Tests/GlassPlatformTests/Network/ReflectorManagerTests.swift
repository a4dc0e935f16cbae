import Foundation
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct ReflectorManagerTests {
    private let cookies = CookieStorageAPIMock()
    private let environment = EnvironmentAPIMock(
        baseURLs: [
            "api": URL(string: "https://www.example.com/api")!, "web": URL(string: "https://www.example.com/web")!,
            "media": URL(string: "https://media.example.com")!,
        ])
    private var reflector: CookieReflectorManager {
        CookieReflectorManager(cookies: cookies, environment: environment)
    }

    @Test func serviceRequestsCarryBackendUntilCleared() throws {
        #expect(reflector.backends == [:])
        try reflector.point(to: "canary-7", service: nil)
        #expect(reflector.backends == ["api": "canary-7", "web": "canary-7", "media": "canary-7"])
        try reflector.point(to: "blue_1.2", service: "media")
        #expect(reflector.backends == ["api": "canary-7", "web": "canary-7", "media": "blue_1.2"])
        try reflector.clear(service: "api")
        #expect(reflector.backends == ["media": "blue_1.2"])
        try reflector.clear(service: nil)
        #expect(reflector.backends == [:])
        #expect(cookies.storage.cookies?.isEmpty == true)
    }

    @Test func otherHostsAndCookiesAreUnaffected() throws {
        let other = try #require(
            HTTPCookie(properties: [.name: "session", .value: "1", .domain: "www.example.com", .path: "/"]))
        cookies.storage.setCookie(other)
        try reflector.point(to: "canary", service: "api")
        let elsewhere = try #require(URL(string: "https://example.org/"))
        #expect(cookies.cookies(for: elsewhere).isEmpty)
        try reflector.clear(service: nil)
        #expect(cookies.storage.cookies?.map(\.name) == ["session"])
    }

    @Test func appRequestCarriesCookie() async throws {
        let server = try RawServer { _, _ in answer() }
        defer { server.stop() }
        let live = LiveNetworking(server.url)
        let reflector = CookieReflectorManager(
            cookies: live.cookies, environment: EnvironmentAPIMock(baseURLs: ["api": server.url]))
        try reflector.point(to: "canary", service: "api")
        _ = try await live.networking.send(NetworkRequest(.get, "x"))
        try reflector.clear(service: nil)
        _ = try await live.networking.send(NetworkRequest(.get, "x"))
        #expect(server.requests.map { $0.headers["cookie"] } == ["wm_reflector=canary", nil])
    }

    @Test(arguments: ["", "a b", "a;b", "a=b", "a\r\nb", "ä", String(repeating: "a", count: 129)])
    func nameUnfitForCookieIsRejected(name: String) {
        #expect(throws: ReflectorError.malformedBackend(name)) { try reflector.point(to: name, service: nil) }
        #expect(reflector.backends == [:])
    }

    @Test func errorsHaveAdvice() throws {
        #expect(
            ReflectorError.malformedBackend("a b").description
                == "\"a b\" is not a valid backend name; use letters, digits, \".\", \"_\" and \"-\"")
        let unknown = #expect(throws: ReflectorError.self) { try reflector.point(to: "a", service: "apo") }
        #expect(
            unknown?.description == "environment \"mock\" has no service \"apo\"; its services are api, media, web")
        cookies.storage.cookieAcceptPolicy = .never
        let refused = #expect(throws: ReflectorError.self) { try reflector.point(to: "a", service: "api") }
        #expect(
            refused?.description
                == "the cookie storage rejects the routing cookie for www.example.com; check platform.cookieStorage.acceptPolicy"
        )
    }
}

struct QuimbyTests {
    private let tokens = SignInTokensInMemory()

    @Test func identityIsStoredWithoutToken() throws {
        let storage = StorageAPIMock()
        try QuimbyAuthProvider(storage: storage, tokens: tokens).setIdentity(
            QuimbyIdentity(accessToken: "t", customerID: "7"))
        try QuimbyCartProvider(storage: storage).setCartID("cart")
        #expect(
            try QuimbyAuthProvider(storage: storage, tokens: tokens).headers() == [
                "Authorization": "Bearer t", "WM-Customer-ID": "7",
            ])
        #expect(try QuimbyCartProvider(storage: storage).headers() == ["WM-Cart-ID": "cart"])
        #expect(try storage.keys(in: "quimby") == ["cartID", "customerID"])
        try QuimbyAuthProvider(storage: storage, tokens: tokens).setIdentity(QuimbyIdentity())
        #expect(try storage.keys(in: "quimby") == ["cartID"])
    }

    @Test func storedTextCannotAddHeaderField() throws {
        let storage = StorageAPIMock()
        try QuimbyAuthProvider(storage: storage, tokens: tokens).setIdentity(
            QuimbyIdentity(accessToken: "t\r\nX-Admin: 1", customerID: "7"))
        #expect(try QuimbyAuthProvider(storage: storage, tokens: tokens).headers() == ["WM-Customer-ID": "7"])
    }

    @Test func storedValueOfOtherTypeIsAnError() throws {
        let storage = StorageAPIMock()
        try storage.set(7, for: StorageKey<Int>("quimby", "cartID"))
        #expect(throws: StorageError.self) { try QuimbyCartProvider(storage: storage).cartID() }
    }
}
