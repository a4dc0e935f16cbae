import Foundation
public import GlassContainer
public import GlassMarkets
package import GlassSchema

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Routes requests to a named backend with a cookie, to test a backend before it serves all users.
public protocol ReflectorManager: AnyObject, Sendable {
    /// The backends that the services of the current environment are routed to, by service name.
    var backends: [String: String] { get }

    /// Routes requests to a backend.
    ///
    /// - Parameters:
    ///   - backend: The backend's name: letters, digits, `.`, `_`, and `-`.
    ///   - service: The service whose host gets the cookie; `nil` selects every service. Services on one host are
    ///     routed together.
    /// - Throws: ``ReflectorError``.
    func point(to backend: String, service: String?) throws(ReflectorError)

    /// Removes the routing cookie.
    ///
    /// - Parameter service: The service whose host loses the cookie; `nil` selects every service.
    /// - Throws: ``ReflectorError/environment(_:)``.
    func clear(service: String?) throws(ReflectorError)
}

/// The reason why requests cannot be routed to a backend.
public enum ReflectorError: DescriptiveError, Equatable {
    /// The name is not valid in a cookie.
    case malformedBackend(String)
    /// The environment has no such service.
    case environment(EnvironmentError)
    /// The cookie storage rejects the cookie.
    case refused(host: String)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .malformedBackend(let name):
            "\(name.quotedForMessage) is not a valid backend name; use letters, digits, \".\", \"_\" and \"-\""
        case .environment(let cause): "\(cause)"
        case .refused(let host):
            "the cookie storage rejects the routing cookie for \(host); check platform.cookieStorage.acceptPolicy"
        }
    }
}

extension ReflectorManager {
    /// The script methods that set, remove, and report backends.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("backends", [], "The backends that services are routed to, by service.") { _ in
                .map(self.backends.mapValues { .string($0) })
            },
            ScriptMethod("point", ["backend", "service?"], "Routes requests to a backend.", keeps: true) { arguments in
                try self.point(
                    to: try arguments.string(0, "backend"), service: try arguments.optionalString(1, "service"))
                return .nil
            },
            ScriptMethod("clear", ["service?"], "Removes the routing cookie.") { arguments in
                try self.clear(service: try arguments.optionalString(0, "service"))
                return .nil
            },
        ]
    }
}

/// A routing cookie in the app's cookie storage. It ends with the session.
public final class CookieReflectorManager: ReflectorManager {
    /// The cookie's name.
    package let cookieName: String

    private let cookies: any CookieStorageAPI
    private let environment: any EnvironmentAPI

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - cookies: The storage for the cookie.
    ///   - environment: The services whose hosts receive it.
    ///   - configuration: Contains the cookie's name.
    public init(
        cookies: any CookieStorageAPI, environment: any EnvironmentAPI,
        configuration: ReflectorConfiguration = ReflectorConfiguration()
    ) {
        cookieName = configuration.cookie
        self.cookies = cookies
        self.environment = environment
    }

    /// Creates the service with the cookies, the environment, and the cookie's name of a container. Stops if the
    /// container has no ``EnvironmentAPI``; without a ``CookieStorageAPI``, the service has its own cookies.
    ///
    /// - Parameter container: The container.
    @_disfavoredOverload
    public convenience init(container: Container) {
        self.init(
            cookies: LateCookieStorage(LateContainer(container)), environment: container.get(),
            configuration: container.getIfRegistered(PlatformConfig.self)?.reflector ?? ReflectorConfiguration())
    }

    /// The backends that the services of the current environment are routed to, by service name.
    public var backends: [String: String] {
        var found: [String: String] = [:]
        for service in environment.services {
            // A service with a malformed URL has no host, and therefore no cookie.
            guard let url = try? environment.baseURL(for: service) else { continue }  // as above
            found[service] = cookies.cookies(for: url).first { $0.name == cookieName }?.value
        }
        return found
    }

    /// Routes requests to a backend.
    ///
    /// - Parameters:
    ///   - backend: The backend's name.
    ///   - service: The service whose host gets the cookie; `nil` selects every service.
    /// - Throws: ``ReflectorError``. The hosts before the failed one have the cookie.
    public func point(to backend: String, service: String?) throws(ReflectorError) {
        guard !backend.isEmpty, backend.utf8.count <= 128, backend.utf8.allSatisfy(\.mayNameABackend) else {
            throw .malformedBackend(backend)
        }
        for url in try urls(of: service) {
            guard let host = url.host else { continue }
            guard cookies.setCookie(cookieName, value: backend, for: url) else { throw .refused(host: host) }
        }
    }

    /// Removes the routing cookie.
    ///
    /// - Parameter service: The service whose host loses the cookie; `nil` selects every service.
    /// - Throws: ``ReflectorError/environment(_:)``.
    public func clear(service: String?) throws(ReflectorError) {
        for url in try urls(of: service) {
            cookies.removeCookie(cookieName, for: url)
        }
    }

    private func urls(of service: String?) throws(ReflectorError) -> [URL] {
        do throws(EnvironmentError) {
            var urls: [URL] = []
            for name in service.map({ [$0] }) ?? environment.services {
                urls.append(try environment.baseURL(for: name))
            }
            return urls
        } catch {
            throw .environment(error)
        }
    }
}

extension UInt8 {
    fileprivate var mayNameABackend: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
