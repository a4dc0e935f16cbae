public import Foundation
public import GlassSchema

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The app's cookies.
public protocol CookieStorageAPI: ScriptCallable {
    /// The storage that URL sessions use.
    var storage: HTTPCookieStorage { get }
}

extension CookieStorageAPI {
    /// The cookies that a request to a URL would carry.
    ///
    /// - Parameter url: The request's URL.
    /// - Returns: The cookies in the order of the storage; secure ones for https only (RFC 6265 §5.4), which Foundation
    ///   on Linux does not look at.
    public func cookies(for url: URL) -> [HTTPCookie] {
        (storage.cookies(for: url) ?? []).filter { !$0.isSecure || url.scheme?.lowercased() == "https" }
    }

    /// `CookieStorageAPI`.
    public var scriptTypeName: String { "CookieStorageAPI" }

    /// Reading cookies by URL.
    public var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("names", ["url"], "The names of the cookies that a request to the URL would carry.") {
                arguments in
                .list(self.cookies(for: try arguments.url(0, "url")).map(\.name).sorted().map { .string($0) })
            },
            ScriptMethod("value", ["url", "name"], "The value of a cookie, or nil.") { arguments in
                let name = try arguments.string(1, "name")
                let cookie = self.cookies(for: try arguments.url(0, "url")).first { $0.name == name }
                return cookie.map { .string($0.value) } ?? .nil
            },
            ScriptMethod("count", [], "How many cookies there are.") { _ in
                .integer(self.storage.cookies?.count ?? 0)
            },
        ]
    }
}

extension ScriptArguments {
    /// The URL at a position.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    ///   - method: The method's name, for the error message.
    /// - Returns: The URL.
    /// - Throws: `ScriptArgumentError` when the argument is no URL.
    func url(_ index: Int, _ name: String, method: String = "cookies") throws(ScriptArgumentError) -> URL {
        let text = try string(index, name)
        guard let url = URL(string: text), url.host != nil else {
            throw ScriptArgumentError(
                method: method, parameter: name, expected: "a URL with a host", found: text.quotedForMessage)
        }
        return url
    }
}

/// A real cookie storage of the market's own, seeded with the cookies that the market declares.
public final class CookieStoragePlatformAPI: CookieStorageAPI {
    /// What the market declares.
    public typealias Configuration = CookieStorageConfiguration

    /// The storage that URL sessions use.
    public let storage: HTTPCookieStorage

    /// Creates the service and seeds the storage.
    ///
    /// - Parameter configuration: What the market declares. On Apple platforms `sharedGroup` names the app group whose
    ///   processes share the storage; elsewhere, and without a group, the storage belongs to this object alone.
    public init(configuration: Configuration) {
        storage = Self.makeStorage(sharedGroup: configuration.sharedGroup)
        storage.cookieAcceptPolicy = configuration.acceptPolicy.foundationPolicy
        for cookie in configuration.cookies {
            if let made = HTTPCookie(properties: cookie.properties) { storage.setCookie(made) }
        }
    }

    private static func makeStorage(sharedGroup: String?) -> HTTPCookieStorage {
        #if !canImport(FoundationNetworking)
            if let sharedGroup {
                return HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: sharedGroup)
            }
        #endif
        // The only public way to a storage that nobody else uses and no file backs.
        return URLSessionConfiguration.ephemeral.httpCookieStorage ?? .shared
    }
}

extension CookieStorageConfiguration.Cookie {
    fileprivate var properties: [HTTPCookiePropertyKey: Any] {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path,
        ]
        if secure { properties[.secure] = "TRUE" }
        if let lifetimeSeconds {
            properties[.maximumAge] = "\(lifetimeSeconds)"
            properties[.version] = "1"
        }
        return properties
    }
}

extension CookieAcceptPolicy {
    /// Foundation's policy of the same name.
    var foundationPolicy: HTTPCookie.AcceptPolicy {
        switch self {
        case .always: .always
        case .never: .never
        case .onlyFromMainDocumentDomain: .onlyFromMainDocumentDomain
        }
    }
}
