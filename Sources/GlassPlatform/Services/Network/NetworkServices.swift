import Foundation
import GlassContainer
import GlassSchema

extension PlatformCatalogue {
    /// Requests, downloads, cookies and what the network is like.
    static let network: [PlatformService] =
        requests + [
            PlatformService(
                (any CookieStorageAPI).self, "CookieStorageAPI", CookieStoragePlatformAPI.self,
                configuredBy: ["platform.cookieStorage"], "The app's cookies."
            ) { input, _ in
                CookieStoragePlatformAPI(configuration: input.platform.cookieStorage)
            },
            PlatformService(
                (any NetworkInformationProvider).self, "NetworkInformationProvider", NetworkInformationMonitor.self,
                "What the network is like, and when that changes."
            ) { _, _ in
                NetworkInformationMonitor()
            },
            PlatformService(
                (any QuimbyAuthProviding).self, "QuimbyAuthProviding", QuimbyAuthProvider.self,
                requires: [(any StorageAPI).self], "The customer's identity that remote-configuration requests carry."
            ) { input, container in
                QuimbyAuthProvider(storage: container.get(), host: input.host)
            },
            PlatformService(
                (any QuimbyCartProviding).self, "QuimbyCartProviding", QuimbyCartProvider.self,
                requires: [(any StorageAPI).self], "The cart that remote-configuration requests speak of."
            ) { _, container in
                QuimbyCartProvider(storage: container.get())
            },
            PlatformService(
                (any ReflectorManager).self, "ReflectorManager", CookieReflectorManager.self, providesChild: true,
                requires: [(any CookieStorageAPI).self, (any EnvironmentAPI).self],
                configuredBy: ["platform.environment"], "Points requests at a named backend by a routing cookie."
            ) { _, container in
                CookieReflectorManager(cookies: container.get(), environment: container.get())
            },
            PlatformService(
                (any RetryNotifyingFactory).self, "RetryNotifyingFactory", RetryNotifierFactory.self,
                requires: [
                    (any EnvironmentAPI).self, (any Networking).self, (any QuimbyAuthProviding).self,
                    (any QuimbyCartProviding).self,
                ],
                configuredBy: ["platform.networking.retry"],
                "Makes what runs operations, repeats them by policy and says so."
            ) { input, container in
                RetryNotifierFactory(
                    ccmSource: input.host.network.ccmSource(
                        environment: container.get(), networking: container.get(), auth: container.get(),
                        cart: container.get()),
                    market: input.platform.networking.retry, timing: input.host.network.timing)
            },
            PlatformService(
                (any URLSessionConfigurationAPI).self, "URLSessionConfigurationAPI",
                URLSessionConfigurationPlatformAPI.self,
                requires: [(any UserAgentProviding).self, (any CookieStorageAPI).self],
                configuredBy: ["platform.urlSession"], "What the app's URL sessions start from."
            ) { input, container in
                URLSessionConfigurationPlatformAPI(
                    configuration: input.platform.urlSession, userAgent: container.get(), cookies: container.get(),
                    cacheFolder: input.host.stateFolder?.appending(path: "responses"))
            },
        ]

    /// What `setupNetworking` registers.
    static let requests: [PlatformService] = [
        PlatformService(
            (any MediaNetworking).self, "MediaNetworking", URLSessionMediaNetworking.self,
            requires: [(any URLSessionConfigurationAPI).self],
            configuredBy: ["platform.networking.media", "platform.networking.retry"],
            "Downloads images and videos, each once, and keeps them as HTTP allows."
        ) { input, container in
            URLSessionMediaNetworking(
                configuration: input.platform.networking, sessions: container.get(),
                cacheFolder: input.host.stateFolder?.appending(path: "media"), timing: input.host.network.timing)
        },
        PlatformService(
            (any Networking).self, "Networking", URLSessionNetworking.self,
            requires: [
                (any EnvironmentAPI).self, (any URLSessionConfigurationAPI).self, (any AnalyticsTracking).self,
            ],
            configuredBy: ["platform.networking"], "Sends requests to the services of the market."
        ) { input, container in
            URLSessionNetworking(
                configuration: input.platform.networking, environment: container.get(), sessions: container.get(),
                tracking: container.get((any AnalyticsTracking).self), timing: input.host.network.timing)
        },
    ]
}

extension NetworkHost {
    fileprivate func ccmSource(
        environment: any EnvironmentAPI, networking: any Networking, auth: any QuimbyAuthProviding,
        cart: any QuimbyCartProviding
    ) -> (any RemoteConfigurationSource)? {
        switch remoteConfiguration {
        case .none: nil
        case .file(let file): FileRemoteConfigurationSource(file: file)
        case .service(let name, let path):
            environment.services.contains(name)
                ? HTTPRemoteConfigurationSource(
                    networking: networking, auth: auth, cart: cart, service: name, path: path)
                : nil
        case .source(let source): source
        }
    }
}
