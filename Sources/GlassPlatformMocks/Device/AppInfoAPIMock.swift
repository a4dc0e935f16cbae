public import GlassPlatform

/// An identity that a test decides.
public final class AppInfoAPIMock: AppInfoAPI {
    /// The name under the icon.
    public let name: String
    /// The bundle identifier.
    public let bundleIdentifier: String
    /// The marketing version.
    public let version: String
    /// The build number.
    public let build: Int
    /// The Apple developer team.
    public let teamIdentifier: String
    /// The app's number in the App Store.
    public let appStoreIdentifier: String
    /// The Android application id.
    public let androidPackage: String
    /// The digests of the certificates that sign the Android app.
    public let androidCertificateDigests: [String]

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - name: The name under the icon.
    ///   - bundleIdentifier: The bundle identifier.
    ///   - version: The marketing version.
    ///   - build: The build number.
    ///   - teamIdentifier: The Apple developer team.
    ///   - appStoreIdentifier: The app's number in the App Store.
    ///   - androidPackage: The Android application id.
    ///   - androidCertificateDigests: The digests of the Android certificates.
    public init(
        name: String = "Mock", bundleIdentifier: String = "com.example.mock", version: String = "1.0.0",
        build: Int = 1, teamIdentifier: String = "MOCK000000", appStoreIdentifier: String = "1",
        androidPackage: String = "com.example.mock", androidCertificateDigests: [String] = []
    ) {
        self.name = name
        self.bundleIdentifier = bundleIdentifier
        self.version = version
        self.build = build
        self.teamIdentifier = teamIdentifier
        self.appStoreIdentifier = appStoreIdentifier
        self.androidPackage = androidPackage
        self.androidCertificateDigests = androidCertificateDigests
    }
}
