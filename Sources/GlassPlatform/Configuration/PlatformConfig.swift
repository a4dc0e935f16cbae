import GlassBase
public import GlassSchema

/// What a market gives the platform: the eight sub-configurations of the shared container, addresses and permissions.
public struct PlatformConfig: ConfigurationSection {
    /// The user defaults that the app registers.
    public var userDefaultsRegistration = UserDefaultsRegistrationConfiguration()
    /// Attributes on every analytics event.
    public var aniviaSuperAttributes = AniviaSuperAttributesConfiguration()
    /// Where analytics events go.
    public var analytics = AnalyticsConfiguration()
    /// Named environments, each with a base URL per service.
    public var environment = EnvironmentConfiguration()
    /// How the app's URL sessions behave.
    public var urlSession = SessionConfiguration()
    /// Requests, retries and media downloads.
    public var networking = NetworkingConfiguration()
    /// Who the app is.
    public var appInfo = AppInfoConfiguration()
    /// The declared preferences.
    public var preferences = PreferencesConfiguration()
    /// The cookie storage and what it starts with.
    public var cookieStorage = CookieStorageConfiguration()
    /// Where remote configuration comes from, and who asks for it.
    public var quimby = QuimbyConfiguration()
    /// How requests are pointed at a named backend.
    public var reflector = ReflectorConfiguration()
    /// How postal addresses look.
    public var address = AddressConfiguration()
    /// What the app asks its user to allow.
    public var permissions = PermissionsConfiguration()

    /// What the section is for.
    public static let summary = "What a market gives the platform."
    /// The keys of the section.
    public static let keys: [ConfigurationKey<PlatformConfig>] = [
        .init(
            "userDefaultsRegistration", \.userDefaultsRegistration, required: true,
            "The user defaults that the app registers."),
        .init(
            "aniviaSuperAttributes", \.aniviaSuperAttributes, required: true, "Attributes on every analytics event."),
        .init("analytics", \.analytics, "Where analytics events go."),
        .init("environment", \.environment, required: true, "Named environments, each with a base URL per service."),
        .init("urlSession", \.urlSession, "How the app's URL sessions behave."),
        .init("networking", \.networking, required: true, "Requests, retries and media downloads."),
        .init("appInfo", \.appInfo, required: true, "Who the app is."),
        .init("preferences", \.preferences, required: true, "The declared preferences."),
        .init("cookieStorage", \.cookieStorage, "The cookie storage and what it starts with."),
        .init("quimby", \.quimby, "Where remote configuration comes from, and who asks for it."),
        .init("reflector", \.reflector, "How requests are pointed at a named backend."),
        .init("address", \.address, required: true, "How postal addresses look."),
        .init("permissions", \.permissions, "What the app asks its user to allow."),
    ]

    /// Creates the configuration with every default; a market fills in the rest.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - userDefaultsRegistration: The user defaults that the app registers.
    ///   - aniviaSuperAttributes: Attributes on every analytics event.
    ///   - analytics: Where analytics events go.
    ///   - environment: Named environments, each with a base URL per service.
    ///   - urlSession: How the app's URL sessions behave.
    ///   - networking: Requests, retries and media downloads.
    ///   - appInfo: Who the app is.
    ///   - preferences: The declared preferences.
    ///   - cookieStorage: The cookie storage and what it starts with.
    ///   - quimby: Where remote configuration comes from, and who asks for it.
    ///   - reflector: How requests are pointed at a named backend.
    ///   - address: How postal addresses look.
    ///   - permissions: What the app asks its user to allow.
    public init(
        userDefaultsRegistration: UserDefaultsRegistrationConfiguration,
        aniviaSuperAttributes: AniviaSuperAttributesConfiguration, analytics: AnalyticsConfiguration = .init(),
        environment: EnvironmentConfiguration, urlSession: SessionConfiguration = .init(),
        networking: NetworkingConfiguration, appInfo: AppInfoConfiguration, preferences: PreferencesConfiguration,
        cookieStorage: CookieStorageConfiguration = .init(), quimby: QuimbyConfiguration = .init(),
        reflector: ReflectorConfiguration = .init(), address: AddressConfiguration,
        permissions: PermissionsConfiguration = .init()
    ) {
        self.userDefaultsRegistration = userDefaultsRegistration
        self.aniviaSuperAttributes = aniviaSuperAttributes
        self.analytics = analytics
        self.environment = environment
        self.urlSession = urlSession
        self.networking = networking
        self.appInfo = appInfo
        self.preferences = preferences
        self.cookieStorage = cookieStorage
        self.quimby = quimby
        self.reflector = reflector
        self.address = address
        self.permissions = permissions
    }

    /// Requests and events go to services of the environments; and events that nobody takes are worth a word.
    public func inconsistencies() -> [Inconsistency] {
        var found = unknownService(networking.defaultService, at: "networking.defaultService")
        if let collector = analytics.collector {
            found += unknownService(collector.service, at: "analytics.collector.service")
        }
        if networking.tracking, !analytics.sinks.contains(.collector), !analytics.sinks.contains(.app) {
            found.append(
                Inconsistency(
                    "analytics.sinks", severity: .warning, "requests are tracked, and no event leaves the device",
                    hint:
                        "name a sink: { \"collector\" } with a table collector, or { \"app\" } where the app's program "
                        + "lists its own; or set networking.tracking = false", others: ["networking.tracking"]))
        }
        return found
    }

    private func unknownService(_ name: String, at path: ConfigurationPath) -> [Inconsistency] {
        let services = environment.serviceNames
        guard !services.contains(name) else { return [] }
        return [
            Inconsistency(
                path, "\(name.quotedForMessage) is no service of the environments",
                misspelt: name, in: services, else: "the services are \(services.joined(separator: ", "))",
                others: ["environment.environments"])
        ]
    }
}
