import Foundation
import GlassBase
import GlassContainer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Services for initializers that take a container: each forwards to the container's own service once that is registered.

/// The storage of a container, or the default one.
final class LateStorage: StorageAPI {
    private let container: LateContainer
    private let storage: LateService<any StorageAPI>

    init(_ container: LateContainer) {
        self.container = container
        storage = LateService({ container.get() }, default: { Self.makeDefault(container) })
    }

    /// The storage for a container without one: that of its host, or else the one that `StoragePlatformAPI()` creates.
    static func makeDefault(_ container: LateContainer) -> any StorageAPI {
        guard container.end == nil else { return StoragePlatformAPI(folder: nil) }
        let host = container.host
        return StoragePlatformAPI(folder: host.stateFolder, host: host.storage)
    }

    func value<Value>(for key: StorageKey<Value>) throws(StorageError) -> Value? {
        try current().value(for: key)
    }

    func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws(StorageError) {
        try current().set(value, for: key)
    }

    func keys(in namespace: String) throws(StorageError) -> [String] { try current().keys(in: namespace) }

    func transaction<Result>(_ body: (borrowing StorageTransaction) throws -> Result) throws -> Result {
        try current().transaction(body)
    }

    /// The storage. Once the container has ended, its values would go to another place than before.
    private func current() throws(StorageError) -> any StorageAPI {
        if storage.known == nil, let end = container.end { throw .unavailable("use the storage", cause: end) }
        return storage.value
    }

    func changes(in namespace: String) -> StorageChanges { storage.value.changes(in: namespace) }

    var issues: [StorageIssue] { storage.value.issues }

    func report(_ issue: StorageIssue) { storage.value.report(issue) }
}

/// The analytics of a container. Without any, an event is an error.
final class LateTracking: AnalyticsTracking {
    private let container: LateContainer

    init(_ container: LateContainer) {
        self.container = container
    }

    func track(_ event: AnalyticsEvent) throws(AnalyticsError) {
        guard let tracking = container.tracking else { throw .notKept(cause: Missing()) }
        try tracking.track(event)
    }

    private struct Missing: Error, CustomStringConvertible {
        let description = "the container has no analytics; add register((any Analytics).self) { … }"
    }
}

/// The user agent of a container, or a plain one.
final class LateUserAgent: UserAgentProviding {
    private let agent: LateService<any UserAgentProviding>

    init(_ container: LateContainer) {
        agent = LateService({ container.get() }, default: { GlassUserAgent(container) })
    }

    var userAgent: String { agent.value.userAgent }
}

/// The cookies of a container, or a storage with those that its configuration declares.
final class LateCookieStorage: CookieStorageAPI {
    private let cookies: LateService<any CookieStorageAPI>

    init(_ container: LateContainer) {
        cookies = LateService(
            { container.get() },
            default: {
                let configuration = container.get(PlatformConfig.self)?.cookieStorage
                return CookieStoragePlatformAPI(
                    configuration: configuration ?? CookieStorageConfiguration(), host: container.host)
            })
    }

    var storage: HTTPCookieStorage { cookies.value.storage }
}

/// The storage for the sign-in token of a container's host.
final class LateSignInTokens: SignInTokens {
    private let tokens: LateService<any SignInTokens>

    init(_ container: LateContainer) {
        tokens = LateService(
            { container.get(PlatformHost.self).map { SignInTokenStorage.tokens(for: $0) } },
            default: { SignInTokenStorage.tokens(for: container.host) })
    }

    func token() throws -> String? { try tokens.value.token() }

    func keep(_ token: String?) throws { try tokens.value.keep(token) }

    var place: URL? { tokens.value.place }
}
