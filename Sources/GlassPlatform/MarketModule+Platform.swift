import GlassContainer
import GlassDeepLinking
public import GlassMarkets

extension MarketModule {
    /// The platform: its section, its 33 services, the standard features and what links can wait for.
    ///
    /// Its services are made for a host that keeps everything in memory; an app overrides it:
    ///
    /// ```swift
    /// let module = MarketModule.platform.overriding(services: [.host(PlatformHost(stateFolder: folder))])
    /// ```
    public static let platform = MarketModule(
        "platform", secretPrefixes: ["GLASS_"], sections: [PlatformConfig.self], routables: standardRoutables,
        services: PlatformCatalog.services + [.host(PlatformHost())],
        preconditions: [
            Precondition(StandardPrecondition.appStarted.rawValue, "The app has finished starting."),
            Precondition(StandardPrecondition.signedIn.rawValue, "Someone is signed in."),
            Precondition(StandardPrecondition.storeSelected.rawValue, "A store is selected."),
        ])
}

extension PlatformConfig: MarketSection {
    /// The key at the top of a market file.
    public static let key = "platform"
}

extension Service {
    /// What the program decides for the platform's services, whatever the market.
    ///
    /// - Parameter host: The decisions.
    /// - Returns: A service that overrides the one of `MarketModule.platform`.
    public static func host(_ host: PlatformHost) -> Service {
        .host { _ in host }
    }

    /// What the program decides for the platform's services of a market, such as a folder for each.
    ///
    /// - Parameter make: Decides, for what the market says.
    /// - Returns: A service that overrides the one of `MarketModule.platform`.
    public static func host(_ make: @escaping @Sendable (MarketDefinition) -> PlatformHost) -> Service {
        .setting(PlatformHost.self, "What the program decides, whatever the market.") { container in
            make(container.get())
        }
    }
}

extension Market {
    /// What the market gives the platform. The market's module must include `MarketModule.platform`.
    public var config: PlatformConfig { self[PlatformConfig.self] }
}

extension Container {
    /// What the market gives the platform.
    var platform: PlatformConfig { self.get() }
    /// What the program decides.
    var host: PlatformHost { self.get() }
    /// What the market says about links.
    var links: DeepLinkConfiguration { self.get() }
}
