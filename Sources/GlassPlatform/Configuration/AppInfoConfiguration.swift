public import GlassSchema

/// The identity of the app: its name and versions, and the identifiers that stores and site association files use.
public struct AppInfoConfiguration: ConfigurationSection {
    /// The name below the icon.
    public var name = ""
    /// The bundle identifier.
    public var bundleIdentifier = ""
    /// The marketing version.
    public var version = ""
    /// The build number.
    public var build = 1
    /// The Apple developer team.
    public var teamIdentifier = ""
    /// The app's number in the App Store.
    public var appStoreIdentifier = ""
    /// The Android app of the same market; `nil` if the app exists only for Apple systems.
    public var android: Android?

    /// The Android app of the same market.
    public struct Android: ConfigurationSection {
        /// The application id.
        public var package = ""
        /// The SHA-256 digests of the certificates that sign the app.
        public var certificateDigests: [String] = []

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("package", \.package, .string(.bundleIdentifier), required: true, "The application id.").role(
                .androidPackage),
            .init(
                "certificateDigests", \.certificateDigests, .set(of: .string(.sha256Fingerprint), count: 1...10),
                required: true, "The SHA-256 digests of the certificates that sign the app."
            ).role(.certificateDigests).identifying(.certificates),
        ]

        /// Creates an empty identity.
        public init() {}
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("name", \.name, .string(.nonEmpty), required: true, "The name below the icon.").role(.appName),
        .init(
            "bundleIdentifier", \.bundleIdentifier, .string(.bundleIdentifier), required: true,
            "The bundle identifier."
        ).role(.bundleIdentifier).identifying(.app),
        .init("version", \.version, .string(.version), required: true, "The marketing version.").role(.appVersion),
        .init("build", \.build, .integer(1...Int.max), required: true, "The build number.").role(.appBuild),
        .init(
            "teamIdentifier", \.teamIdentifier, .string(.teamIdentifier), required: true, "The Apple developer team."
        ).role(.teamIdentifier),
        .init(
            "appStoreIdentifier", \.appStoreIdentifier, .string(.digits), required: true,
            "The app's number in the App Store."
        ).role(.storeIdentifier),
        .init("android", \.android, "The Android app of the same market, if there is one."),
    ]

    /// Creates an empty identity.
    public init() {}
}
