public import Foundation
import GlassBase
package import GlassSchema
import GlassTransfer

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The app's cookies.
public protocol CookieStorageAPI: AnyObject, Sendable {
    /// The storage that URL sessions use.
    var storage: HTTPCookieStorage { get }
}

extension CookieStorageAPI {
    /// The cookies that a request to a URL would carry.
    ///
    /// - Parameter url: The request's URL.
    /// - Returns: The cookies, in the order of the storage. Secure cookies are returned only for https (RFC 6265 §5.4),
    ///   which Foundation on Linux does not check.
    public func cookies(for url: URL) -> [HTTPCookie] {
        (storage.cookies(for: url) ?? []).filter { !$0.isSecure || url.scheme?.lowercased() == "https" }
    }

    /// Stores a session cookie for the host of a URL. For an https URL, the cookie is secure.
    ///
    /// - Parameters:
    ///   - name: The cookie's name.
    ///   - value: The cookie's value.
    ///   - url: A URL of the host. The cookie applies to all of its paths.
    /// - Returns: Whether the storage accepted it. Its accept policy, the name, or the value may prevent that.
    @discardableResult
    public func setCookie(_ name: String, value: String, for url: URL) -> Bool {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: url.host ?? "", .path: "/", .originURL: url,
        ]
        if url.scheme?.lowercased() == "https" { properties[.secure] = "TRUE" }
        guard StringFormat.headerName.matches(name), !value.contains(where: { ";, \r\n\"".contains($0) }),
            let cookie = HTTPCookie(properties: properties)
        else { return false }
        storage.setCookie(cookie)
        storage.postChange()
        return cookies(for: url).contains { $0.name == name && $0.value == value }
    }

    /// Removes the cookies with a name that a request to a URL would carry.
    ///
    /// - Parameters:
    ///   - name: The name of the cookies.
    ///   - url: The request's URL.
    public func removeCookie(_ name: String, for url: URL) {
        for cookie in cookies(for: url) where cookie.name == name { storage.deleteCookie(cookie) }
        storage.postChange()
    }

    /// The script methods that read, set, and remove cookies by URL.
    package var scriptMethods: [ScriptMethod] {
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
            ScriptMethod(
                "set", ["url", "name", "value"], "Stores a cookie; false if the storage rejects it.", keeps: true
            ) {
                arguments in
                .boolean(
                    self.setCookie(
                        try arguments.string(1, "name"), value: try arguments.string(2, "value"),
                        for: try arguments.url(0, "url", method: "set")))
            },
            ScriptMethod("remove", ["url", "name"], "Removes the cookies with a name.") { arguments in
                self.removeCookie(
                    try arguments.string(1, "name"), for: try arguments.url(0, "url", method: "remove"))
                return .nil
            },
            ScriptMethod("count", [], "The number of cookies.") { _ in
                .integer(self.storage.cookies?.count ?? 0)
            },
        ]
    }
}

extension ScriptArguments {
    /// The URL argument at an index.
    func url(_ index: Int, _ name: String, method: String = "cookies") throws(ScriptArgumentError) -> URL {
        let text = try string(index, name)
        guard let url = URL(string: text), url.host != nil else {
            throw ScriptArgumentError(
                method: method, parameter: name, expected: "a URL with a host", found: text.quotedForMessage)
        }
        return url
    }
}

/// A real cookie storage for this market, which starts with the stored cookies and those that the market declares.
///
/// Cookies with an expiration date are stored in the state folder, in the file `cookies.json`, until they expire. Those
/// without one end with the process. On Apple platforms, the system stores those of a `sharedGroup` instead.
///
/// On Linux, a cookie of a response or of ``CookieStorageAPI/setCookie(_:value:for:)`` is written at once. A change in
/// ``storage`` itself is written when the storage is next used, when the service is released, or when the process exits.
public final class CookieStoragePlatformAPI: CookieStorageAPI {
    /// The market's declaration.
    public typealias Configuration = CookieStorageConfiguration

    private struct Opened: Sendable {
        let storage: HTTPCookieStorage
        let file: CookieFile?
        var onIssue: (@Sendable (StorageIssue) -> Void)?
    }

    private let made: LazyValue<Opened>

    /// The storage that URL sessions use. It is created with the initial cookies on first use.
    public var storage: HTTPCookieStorage {
        let opened = made.value
        if let issue = opened.file?.takeIssue() { opened.onIssue?(issue) }
        opened.file?.save()
        return opened.storage
    }

    /// The reason why cookies cannot be read or stored now. They are then in memory only, until a later use of the
    /// storage can write them.
    ///
    /// `nil` before the first use, and while there is no error.
    public var storageError: StorageError? { made.valueIfComputed?.file?.error }

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: The market's declaration. On Apple platforms, `sharedGroup` is the app group whose processes
    ///     share the storage.
    ///   - host: Determines where cookies are stored, on other platforms and without a group. All services with the same
    ///     folder in a process have the same storage. Without a folder, only this object uses the storage, in memory.
    ///     By default, the host of the container whose factory creates the service; elsewhere,
    ///     ``PlatformHost/standard``.
    public convenience init(configuration: Configuration, host: PlatformHost? = nil) {
        let container = LateContainer.building
        self.init(configuration: configuration) { host ?? container.host }
    }

    /// Creates the service with a host that is looked up on first use.
    init(configuration: Configuration, host: @escaping @Sendable () -> PlatformHost) {
        made = LazyValue {
            let host = host()
            let opened = Self.open(configuration, host)
            opened.storage.cookieAcceptPolicy = configuration.acceptPolicy.foundationPolicy
            for cookie in configuration.cookies {
                if let made = HTTPCookie(properties: cookie.properties) { opened.storage.setCookie(made) }
            }
            return opened
        }
    }

    private static func open(_ configuration: Configuration, _ host: PlatformHost) -> Opened {
        #if !canImport(FoundationNetworking)
            if let sharedGroup = configuration.sharedGroup {
                let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: sharedGroup)
                return Opened(storage: storage, file: nil)
            }
        #endif
        // A market that accepts no cookies leaves those of another version of it in the file.
        if let folder = host.stateFolder, configuration.acceptPolicy != .never {
            let file = CookieFile.opened(in: folder, host: host.storage)
            return Opened(storage: file.storage, file: file, onIssue: host.storage.onIssue)
        }
        // The only public way to get a storage that is neither shared nor backed by a file.
        return Opened(storage: URLSessionConfiguration.ephemeral.httpCookieStorage ?? .shared, file: nil)
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
