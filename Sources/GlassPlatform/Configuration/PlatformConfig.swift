import GlassBase
public import GlassSchema

/// What a market gives the platform: the eight sub-configurations of the shared container, addresses and permissions.
public struct PlatformConfig: ConfigurationSection {
    /// The user defaults that the app registers.
    public var userDefaultsRegistration = UserDefaultsRegistrationConfiguration()
    /// What every analytics event carries.
    public var aniviaSuperAttributes = AniviaSuperAttributesConfiguration()
    /// The environments and their base URLs.
    public var environment = EnvironmentConfiguration()
    /// How the app's URL sessions behave.
    public var urlSession = SessionConfiguration()
    /// Requests, retries and media downloads.
    public var networking = NetworkingConfiguration()
    /// Who the app is.
    public var appInfo = AppInfoConfiguration()
    /// The declared preferences.
    public var preferences = PreferencesConfiguration()
    /// Cookies.
    public var cookieStorage = CookieStorageConfiguration()
    /// Where remote configuration comes from, and who asks for it.
    public var quimby = QuimbyConfiguration()
    /// Postal addresses.
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
            "aniviaSuperAttributes", \.aniviaSuperAttributes, required: true, "What every analytics event carries."),
        .init("environment", \.environment, required: true, "The environments and their base URLs."),
        .init("urlSession", \.urlSession, "How the app's URL sessions behave."),
        .init("networking", \.networking, required: true, "Requests, retries and media downloads."),
        .init("appInfo", \.appInfo, required: true, "Who the app is."),
        .init("preferences", \.preferences, required: true, "The declared preferences."),
        .init("cookieStorage", \.cookieStorage, "Cookies."),
        .init("quimby", \.quimby, "Where remote configuration comes from, and who asks for it."),
        .init("address", \.address, required: true, "Postal addresses."),
        .init("permissions", \.permissions, "What the app asks its user to allow."),
    ]

    /// Creates the configuration with every default; a market fills in the rest.
    public init() {}

    /// The default service of requests must be one of the environments' services.
    public func inconsistencies() -> [Inconsistency] {
        let services = environment.serviceNames
        guard !services.contains(networking.defaultService) else { return [] }
        return [
            Inconsistency(
                "networking.defaultService",
                "\(networking.defaultService.quotedForMessage) is no service of the environments",
                misspelt: networking.defaultService, in: services,
                else: "the services are \(services.joined(separator: ", "))")
        ]
    }
}
