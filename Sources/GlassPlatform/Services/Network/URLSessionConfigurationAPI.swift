public import Foundation
import GlassBase
package import GlassSchema
import Logging

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Makes the configurations that the app's URL sessions start from.
public protocol URLSessionConfigurationAPI: AnyObject, Sendable {
    /// A new configuration with everything that the market declares.
    ///
    /// - Returns: A configuration of the caller's own: changing it changes nobody else's.
    func makeConfiguration() -> URLSessionConfiguration
}

extension URLSessionConfigurationAPI {
    /// One getter for everything: the settings of a new configuration.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("settings", [], "The settings of a new configuration.") { _ in
                let made = self.makeConfiguration()
                var headers: [String: ScriptValue] = [:]
                for (name, value) in made.httpAdditionalHeaders ?? [:] { headers["\(name)"] = .string("\(value)") }
                return [
                    "requestTimeoutSeconds": .number(made.timeoutIntervalForRequest),
                    "resourceTimeoutSeconds": .number(made.timeoutIntervalForResource),
                    "maximumConnectionsPerHost": .integer(made.httpMaximumConnectionsPerHost),
                    "allowsCellularAccess": .boolean(made.allowsCellularAccess),
                    "setsCookies": .boolean(made.httpShouldSetCookies),
                    "headers": .map(headers),
                ]
            }
        ]
    }
}

/// URL session configurations from the market, the app's user agent and the market's cookies.
public final class URLSessionConfigurationPlatformAPI: URLSessionConfigurationAPI {
    /// What the market declares.
    public typealias Configuration = SessionConfiguration

    private let configuration: Configuration
    private let userAgent: any UserAgentProviding
    private let cookies: any CookieStorageAPI
    /// Foundation makes folders as soon as there is a cache.
    private let cache: LazyValue<URLCache>

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: What the market declares.
    ///   - userAgent: The app's user agent; a `User-Agent` among the market's headers wins.
    ///   - cookies: The market's cookies.
    ///   - cacheFolder: Where responses are kept; nil keeps them in memory only.
    public init(
        configuration: Configuration, userAgent: any UserAgentProviding, cookies: any CookieStorageAPI,
        cacheFolder: URL? = nil
    ) {
        self.configuration = configuration
        self.userAgent = userAgent
        self.cookies = cookies
        let megabyte = 1024 * 1024
        let memory = configuration.memoryCacheMegabytes * megabyte
        let disk = cacheFolder == nil ? 0 : configuration.diskCacheMegabytes * megabyte
        #if canImport(FoundationNetworking)
            cache = LazyValue {
                let folder = Self.privateFolder(cacheFolder)
                return URLCache(memoryCapacity: memory, diskCapacity: folder == nil ? 0 : disk, diskPath: folder?.path)
            }
        #else
            cache = LazyValue {
                let folder = Self.privateFolder(cacheFolder)
                return URLCache(memoryCapacity: memory, diskCapacity: folder == nil ? 0 : disk, directory: folder)
            }
        #endif
    }

    /// The folder, closed to others before Foundation makes files in it with modes of its own; nil, and so no cache on
    /// disk, when it cannot be.
    private static func privateFolder(_ folder: URL?) -> URL? {
        guard let folder else { return nil }
        do {
            try PrivateFolder.make(folder)
            return folder
        } catch {
            Logger(label: "glass.network").warning("responses are kept in memory only: \(error)")
            return nil
        }
    }

    /// A new configuration with everything that the market declares.
    ///
    /// - Returns: A configuration of the caller's own; cache and cookies are shared by all of them.
    public func makeConfiguration() -> URLSessionConfiguration {
        let made = URLSessionConfiguration.ephemeral
        made.timeoutIntervalForRequest = configuration.requestTimeoutSeconds
        made.timeoutIntervalForResource = configuration.resourceTimeoutSeconds
        made.httpMaximumConnectionsPerHost = configuration.maximumConnectionsPerHost
        made.urlCache = cache.value
        made.requestCachePolicy = configuration.cachePolicy.foundationPolicy
        made.httpCookieStorage = cookies.storage
        made.httpCookieAcceptPolicy = configuration.cookieAcceptPolicy.foundationPolicy
        made.httpShouldSetCookies = configuration.setsCookies
        made.allowsCellularAccess = configuration.allowsCellularAccess
        let headers = ["User-Agent": userAgent.userAgent]
        made.httpAdditionalHeaders = headers.merging(configuration.headers) { _, market in market }
        #if !canImport(FoundationNetworking)
            made.allowsExpensiveNetworkAccess = configuration.allowsExpensiveNetworkAccess
            made.allowsConstrainedNetworkAccess = configuration.allowsConstrainedNetworkAccess
            made.waitsForConnectivity = configuration.waitsForConnectivity
        #endif
        return made
    }
}

extension SessionConfiguration.CachePolicy {
    fileprivate var foundationPolicy: NSURLRequest.CachePolicy {
        switch self {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        }
    }
}
