public import GlassSchema

/// Who the app is: names, versions, and the identities that stores and site files know it by.
public struct AppInfoConfiguration: ConfigurationSection {
    /// The name under the icon.
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
    /// The Android app of the same market; nil for a market whose app is for Apple's systems alone.
    public var android: Android?

    /// The Android app of the same market.
    public struct Android: ConfigurationSection {
        /// The application id.
        public var package = ""
        /// The SHA-256 digests of the certificates that sign the app.
        public var certificateDigests: [String] = []

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("package", \.package, .string(.bundleIdentifier), required: true, "The application id."),
            .init(
                "certificateDigests", \.certificateDigests, .set(of: .string(.sha256Fingerprint), count: 1...10),
                required: true, "The SHA-256 digests of the certificates that sign the app."
            ).identifying(.certificates),
        ]

        /// Creates an identity to be filled in.
        public init() {}

        /// Creates the configuration.
        ///
        /// - Parameters:
        ///   - package: The application id.
        ///   - certificateDigests: The SHA-256 digests of the certificates that sign the app.
        public init(
            package: String, certificateDigests: [String]
        ) {
            self.package = package
            self.certificateDigests = certificateDigests
        }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("name", \.name, .string(.nonEmpty), required: true, "The name under the icon."),
        .init(
            "bundleIdentifier", \.bundleIdentifier, .string(.bundleIdentifier), required: true,
            "The bundle identifier."
        ).identifying(.app),
        .init("version", \.version, .string(.version), required: true, "The marketing version."),
        .init("build", \.build, .integer(1...Int.max), required: true, "The build number."),
        .init(
            "teamIdentifier", \.teamIdentifier, .string(.teamIdentifier), required: true, "The Apple developer team."),
        .init(
            "appStoreIdentifier", \.appStoreIdentifier, .string(.digits), required: true,
            "The app's number in the App Store."),
        .init("android", \.android, "The Android app of the same market, where it has one."),
    ]

    /// Creates an identity to be filled in.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - name: The name under the icon.
    ///   - bundleIdentifier: The bundle identifier.
    ///   - version: The marketing version.
    ///   - build: The build number.
    ///   - teamIdentifier: The Apple developer team.
    ///   - appStoreIdentifier: The app's number in the App Store.
    ///   - android: The Android app of the same market; nil where there is none.
    public init(
        name: String, bundleIdentifier: String, version: String, build: Int, teamIdentifier: String,
        appStoreIdentifier: String, android: Android?
    ) {
        self.name = name
        self.bundleIdentifier = bundleIdentifier
        self.version = version
        self.build = build
        self.teamIdentifier = teamIdentifier
        self.appStoreIdentifier = appStoreIdentifier
        self.android = android
    }
}
