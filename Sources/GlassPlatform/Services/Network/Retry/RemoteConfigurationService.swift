import GlassContainer
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// The values that remote configuration overrides.
    enum RemoteConfigurationBase: Sendable {
        /// The market of the container.
        case registered
        /// All defaults, for an app that registers only its own services and no market.
        case alone

        fileprivate var requires: [Any.Type] {
            if case .registered = self { [MarketInstance.self, PlatformConfig.self, PlatformHost.self] } else { [] }
        }
    }

    /// The market's remote configuration. It sends its own requests, because those of `Networking` depend on its
    /// values.
    static func remoteConfiguration(
        _ base: RemoteConfigurationBase, file: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        Service(
            (any RemoteConfigurationAPI).self, script: { $0.scriptMethods },
            requires: base.requires + [
                (any EnvironmentAPI).self, (any QuimbyAuthProviding).self, (any QuimbyCartProviding).self,
                (any URLSessionConfigurationAPI).self,
            ],
            configuredBy: ["platform.quimby"], isExternal: true,
            "Remote values that override the market's: for retries, timeouts, concurrency and tracking.",
            file: file, line: line
        ) { container in
            var (platform, host, setup) = (PlatformConfig(), PlatformHost.standard, LiveRemoteConfiguration.Setup())
            setup.market = [platform]
            if case .registered = base {
                let instance = container.get(MarketInstance.self)
                (platform, host) = (container.platform, container.host)
                (setup.market, setup.digest) = (instance.values(in: container), instance.compiledDigest)
            }
            setup.file = host.stateFolder.map { RemoteConfigurationFile(folder: $0, timeout: host.storage.busyTimeout) }
            setup.lifetime = .seconds(platform.quimby.refreshSeconds)
            setup.timing = host.timing
            let source = host.remoteConfiguration.source(
                quimby: platform.quimby, networking: platform.networking, timing: host.timing,
                environment: container.get(), sessions: container.get(), auth: container.get(), cart: container.get())
            return LiveRemoteConfiguration(source: source, setup)
        }
    }
}

extension RemoteConfigurationChoice {
    fileprivate func source(
        quimby: QuimbyConfiguration, networking: NetworkingConfiguration, timing: RetryTiming,
        environment: any EnvironmentAPI, sessions: any URLSessionConfigurationAPI, auth: any QuimbyAuthProviding,
        cart: any QuimbyCartProviding
    ) -> (any RemoteConfigurationSource)? {
        func service(_ name: String, _ path: String) -> (any RemoteConfigurationSource)? {
            guard environment.services.contains(name) else { return nil }
            return HTTPRemoteConfigurationSource(
                networking: URLSessionNetworking(
                    configuration: networking, environment: environment, sessions: sessions, timing: timing,
                    maximumBytes: 1024 * 1024),
                environment: environment, auth: auth, cart: cart, service: name, path: path,
                timeout: .seconds(quimby.timeoutSeconds))
        }
        return switch self {
        case .none: nil
        case .file(let file): FileRemoteConfigurationSource(file: file)
        case .market: service(quimby.service, quimby.path)
        case .service(let name, let path): service(name, path)
        case .source(let source): source
        }
    }
}
