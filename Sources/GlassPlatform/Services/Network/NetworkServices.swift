import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// Requests, downloads, cookies, and the state of the network.
    static let network: [Service] =
        requests(.registered) + [
            Service(
                (any CookieStorageAPI).self, script: { $0.scriptMethods },
                requires: [PlatformConfig.self, PlatformHost.self],
                configuredBy: ["platform.cookieStorage"], "The app's cookies."
            ) { container in
                CookieStoragePlatformAPI(configuration: container.platform.cookieStorage, host: container.host)
            },
            Service(
                (any NetworkInformationProvider).self, script: { $0.scriptMethods },
                "The state of the network, and its changes."
            ) { _ in
                NetworkInformationMonitor()
            },
            Service(
                (any QuimbyAuthProviding).self, script: { $0.scriptMethods },
                requires: [PlatformConfig.self, PlatformHost.self, (any StorageAPI).self],
                configuredBy: ["platform.quimby"],
                "The customer's identity in requests for remote configuration."
            ) { container in
                QuimbyAuthProvider(
                    storage: container.get(), host: container.host,
                    customerHeader: container.platform.quimby.customerHeader)
            },
            Service(
                (any QuimbyCartProviding).self, script: { $0.scriptMethods },
                requires: [PlatformConfig.self, (any StorageAPI).self], configuredBy: ["platform.quimby"],
                "The cart's identity in requests for remote configuration."
            ) { container in
                QuimbyCartProvider(storage: container.get(), header: container.platform.quimby.cartHeader)
            },
            Service(
                (any ReflectorManager).self, script: { $0.scriptMethods },
                usesChildContainer: true,
                requires: [PlatformConfig.self, (any CookieStorageAPI).self, (any EnvironmentAPI).self],
                configuredBy: ["platform.environment", "platform.reflector"],
                "Routes requests to a named backend with a cookie."
            ) { container in
                CookieReflectorManager(
                    cookies: container.get(), environment: container.get(),
                    configuration: container.platform.reflector)
            },
            remoteConfiguration(.registered),
            Service(
                (any RetryNotifyingFactory).self, script: { $0.scriptMethods },
                requires: [PlatformConfig.self, PlatformHost.self, (any RemoteConfigurationAPI).self],
                configuredBy: ["platform.networking.retry"],
                "Creates notifiers that run operations, retry them, and report each retry."
            ) { container in
                RetryNotifierFactory(
                    ccmSource: container.get(), market: container.platform.networking.retry,
                    timing: container.host.timing)
            },
            Service(
                (any URLSessionConfigurationAPI).self, script: { $0.scriptMethods },
                requires: [
                    PlatformConfig.self, PlatformHost.self, (any UserAgentProviding).self, (any CookieStorageAPI).self,
                ],
                configuredBy: ["platform.urlSession"], "The configurations of the app's URL sessions."
            ) { container in
                URLSessionConfigurationPlatformAPI(
                    configuration: container.platform.urlSession, userAgent: container.get(), cookies: container.get(),
                    cacheFolder: container.host.cacheFolder?.appending(path: "responses"))
            },
        ]

    /// The source of the configuration for services that send requests.
    enum RequestSettings: Sendable {
        /// The container, which has the market's configuration.
        case registered
        /// The caller that sets up only these services.
        case given(NetworkingConfiguration, PlatformHost?, reports: Bool)

        fileprivate var requires: [Any.Type] {
            required([PlatformConfig.self, PlatformHost.self, (any RemoteConfigurationAPI).self])
        }

        /// Types that the services must find, unless the caller sets up only these services: they can work without.
        fileprivate func required(_ types: [Any.Type]) -> [Any.Type] {
            if case .registered = self { types } else { [] }
        }

        /// The remote configuration. It is optional if the caller sets up only these services.
        fileprivate func remote(_ container: Container) -> (any RemoteConfigurationAPI)? {
            if case .given = self {
                container.getIfRegistered()
            } else {
                container.get((any RemoteConfigurationAPI).self)
            }
        }

        fileprivate func networking(_ container: Container) -> NetworkingConfiguration {
            if case .given(let networking, _, _) = self { networking } else { container.platform.networking }
        }

        fileprivate func host(_ container: Container) -> PlatformHost {
            if case .given(_, let host, _) = self { host ?? LateContainer(container).host } else { container.host }
        }

        /// The configurations of sessions: the container's, or else the defaults with a plain user agent.
        fileprivate func sessions(_ container: Container) -> any URLSessionConfigurationAPI {
            guard case .given = self else { return container.get() }
            return container.getIfRegistered((any URLSessionConfigurationAPI).self)
                ?? URLSessionConfigurationPlatformAPI(
                    LateContainer(container), configuration: SessionConfiguration())
        }

        /// The service that receives the events of requests; `nil` reports none.
        fileprivate func tracking(_ container: Container) -> (any AnalyticsTracking)? {
            guard case .given(_, _, let reports) = self else { return container.get((any AnalyticsTracking).self) }
            return reports ? LateContainer(container).tracking : nil
        }
    }

    /// The services that `setupNetworking` registers.
    static func requests(_ settings: RequestSettings) -> [Service] {
        [
            Service(
                (any MediaNetworking).self, script: { $0.scriptMethods },
                requires: settings.requires + settings.required([(any URLSessionConfigurationAPI).self]),
                configuredBy: ["platform.networking.media", "platform.networking.retry"], isExternal: true,
                "Downloads each image or video once, and caches it as HTTP allows."
            ) { container in
                let host = settings.host(container)
                return URLSessionMediaNetworking(
                    configuration: settings.networking(container), sessions: settings.sessions(container),
                    cacheFolder: host.cacheFolder?.appending(path: "media"), remote: settings.remote(container),
                    timing: host.timing)
            },
            Service(
                (any Networking).self, script: { $0.scriptMethods },
                requires: settings.requires + [(any EnvironmentAPI).self]
                    + settings.required([(any URLSessionConfigurationAPI).self, (any AnalyticsTracking).self]),
                configuredBy: ["platform.networking", "platform.urlSession"], isExternal: true,
                "Sends requests to the services of the market."
            ) { container in
                URLSessionNetworking(
                    configuration: settings.networking(container), environment: try container.require(),
                    sessions: settings.sessions(container), tracking: settings.tracking(container),
                    remote: settings.remote(container), timing: settings.host(container).timing)
            },
        ]
    }
}
