public import Foundation
import GlassBase
public import GlassSchema
import Logging

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Creates the configurations of the app's URL sessions.
public protocol URLSessionConfigurationAPI: AnyObject, Sendable {
    /// Creates a configuration with all settings that the market declares.
    ///
    /// - Returns: A separate configuration. Changing it affects no other.
    func makeConfiguration() -> URLSessionConfiguration

    /// The headers of the market's sessions that have a secret. They are not part of a configuration, whose sessions
    /// may also ask other hosts: the services of the market's environments receive them.
    var secretHeaders: [String: Secret] { get }
}

extension URLSessionConfigurationAPI {
    /// No secrets.
    public var secretHeaders: [String: Secret] { [:] }

    /// The only getter: the settings of a new configuration.
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

/// URL session configurations based on the market, the app's user agent, and the market's cookies.
public final class URLSessionConfigurationPlatformAPI: URLSessionConfigurationAPI {
    /// The market's declaration.
    public typealias Configuration = SessionConfiguration

    private let configuration: Configuration
    private let userAgent: any UserAgentProviding
    private let cookies: any CookieStorageAPI
    /// Created lazily, because Foundation creates folders as soon as there is a cache.
    private let cache: LazyValue<URLCache>

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: The market's declaration.
    ///   - userAgent: The app's user agent. A `User-Agent` among the market's headers overrides it.
    ///   - cookies: The market's cookies.
    ///   - cacheFolder: The folder for cached responses; `nil` caches them only in memory.
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

    /// Creates the service with the user agent, the cookies, and the cache folder of a container, or with the defaults.
    convenience init(_ container: LateContainer, configuration: Configuration) {
        self.init(
            configuration: configuration, userAgent: LateUserAgent(container), cookies: LateCookieStorage(container),
            cacheFolder: container.host.cacheFolder?.appending(path: "responses"))
    }

    /// Makes the folder inaccessible to other users before Foundation creates files in it with its own modes. Returns
    /// `nil` if that fails, which disables the cache on disk.
    private static func privateFolder(_ folder: URL?) -> URL? {
        guard let folder else { return nil }
        do {
            try PrivateFolder.make(folder)
            return folder
        } catch {
            Logger(label: "glass.network").warning("responses are cached only in memory: \(error)")
            return nil
        }
    }

    /// The headers of the market that have a secret.
    public var secretHeaders: [String: Secret] { configuration.headers.secrets }

    /// Creates a configuration with all settings that the market declares.
    ///
    /// - Returns: A separate configuration. The cache and the cookies are shared by all of them.
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
        made.httpAdditionalHeaders = headers.merging(configuration.headers.texts) { _, market in market }
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
