import GlassPlatform

/// An app identity that a test defines.
package final class AppInfoAPIMock: AppInfoAPI {
    /// The name below the icon.
    package let name: String
    /// The bundle identifier.
    package let bundleIdentifier: String
    /// The marketing version.
    package let version: String
    /// The build number.
    package let build: Int
    /// The Apple developer team.
    package let teamIdentifier: String
    /// The app's number in the App Store.
    package let appStoreIdentifier: String
    /// The Android application id.
    package let androidPackage: String?
    /// The digests of the certificates that sign the Android app.
    package let androidCertificateDigests: [String]

    /// Creates a mock.
    package init(
        name: String = "Mock", bundleIdentifier: String = "com.example.mock", version: String = "1.0.0",
        build: Int = 1, teamIdentifier: String = "MOCK000000", appStoreIdentifier: String = "1",
        androidPackage: String? = "com.example.mock", androidCertificateDigests: [String] = []
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
