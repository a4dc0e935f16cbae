import GlassContainer
import GlassDeepLinking
public import GlassMarkets
public import GlassSchema

extension MarketModule {
    /// The platform: its section, its services, the standard features, and the preconditions that links can wait
    /// for.
    ///
    /// Its default market is `us`; an app's module can name another.
    ///
    /// By default, its services store data in the system's standard location, in a folder for each market:
    /// ``PlatformHost/standard``. An app can override the host:
    ///
    /// ```swift
    /// let module = MarketModule.platform.overriding(services: [.host(PlatformHost(stateFolder: folder))])
    /// ```
    public static let platform = MarketModule(
        "platform", secretPrefixes: ["GLASS_"], sections: [PlatformConfig.self], routables: standardRoutables,
        services: PlatformCatalog.services + [.host { _ in .standard }],
        preconditions: [
            Precondition(StandardPrecondition.appStarted.rawValue, "The app has started."),
            Precondition(StandardPrecondition.signedIn.rawValue, "The customer is signed in."),
            Precondition(StandardPrecondition.storeSelected.rawValue, "A store is selected."),
        ], attributes: attributes, defaultMarket: "us")

    /// The attributes whose values come from the platform's section.
    private static var attributes: [ContextAttribute] {
        [
            ContextAttribute(
                "appVersion", .version, pace: .build, documentation: "The version of the app.",
                defaultPath: "platform.appInfo.version"),
            ContextAttribute(
                "environment", .choice([]), pace: .start, documentation: "The environment whose services the app uses.",
                valuesPath: "platform.environment.environments", defaultPath: "platform.environment.default"),
            ContextAttribute(
                "region", .region, pace: .live,
                documentation: "The country or region of the store or address.",
                defaultPath: "platform.address.country"),
        ]
    }
}

extension PlatformConfig: MarketSection {
    /// The key at the top of a market file.
    public static let key = "platform"
    /// At start: most services set up connections, storages and caches when they are created, and an app rarely expects
    /// to lose them while it runs.
    public static let pace = ContextPace.start
}

extension Service {
    /// The program's settings for the platform's services, which do not depend on the market.
    ///
    /// - Parameter host: The settings.
    /// - Returns: A service that overrides the one of `MarketModule.platform`.
    public static func host(_ host: PlatformHost) -> Service {
        .host { _ in host }
    }

    /// The program's settings for the platform's services of each market, such as a folder per market.
    ///
    /// - Parameter make: Returns the settings for a market's definition.
    /// - Returns: A service that overrides the one of `MarketModule.platform`.
    public static func host(_ make: @escaping @Sendable (MarketDefinition) -> PlatformHost) -> Service {
        .setting(PlatformHost.self, "The program's settings, which do not depend on the market.") { container in
            let definition: MarketDefinition = container.get()
            return make(definition).placed(for: definition.id)
        }
    }
}

extension Market {
    /// The market's configuration of the platform. The market's module must include `MarketModule.platform`.
    public var config: PlatformConfig { self[PlatformConfig.self] }
}

extension Container {
    /// The market's configuration of the platform.
    var platform: PlatformConfig { self.get() }
    /// The program's settings.
    var host: PlatformHost { self.get() }
    /// The market's configuration of links.
    var links: DeepLinkConfiguration { self.get() }
}
