import GlassBase
package import GlassSchema

/// Who the app is: version and build are the built app's, the rest is what the market's `platform.appInfo` says.
public protocol AppInfoAPI: AnyObject, Sendable {
    /// The name under the icon.
    var name: String { get }
    /// The bundle identifier.
    var bundleIdentifier: String { get }
    /// The marketing version.
    var version: String { get }
    /// The build number.
    var build: Int { get }
    /// The Apple developer team.
    var teamIdentifier: String { get }
    /// The app's number in the App Store.
    var appStoreIdentifier: String { get }
    /// The Android application id; nil for a market without an Android app.
    var androidPackage: String? { get }
    /// The SHA-256 digests of the certificates that sign the Android app.
    var androidCertificateDigests: [String] { get }
}

extension AppInfoAPI {
    /// Team and bundle joined by a dot: what Apple's site files call the app id.
    package var applicationIdentifier: String { "\(teamIdentifier).\(bundleIdentifier)" }

    /// One getter per property.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("name", [], "The name under the icon.") { _ in .string(self.name) },
            ScriptMethod("bundleIdentifier", [], "The bundle identifier.") { _ in .string(self.bundleIdentifier) },
            ScriptMethod("version", [], "The marketing version.") { _ in .string(self.version) },
            ScriptMethod("build", [], "The build number.") { _ in .integer(self.build) },
            ScriptMethod("teamIdentifier", [], "The Apple developer team.") { _ in .string(self.teamIdentifier) },
            ScriptMethod("applicationIdentifier", [], "Team and bundle joined by a dot.") { _ in
                .string(self.applicationIdentifier)
            },
            ScriptMethod("appStoreIdentifier", [], "The app's number in the App Store.") { _ in
                .string(self.appStoreIdentifier)
            },
            ScriptMethod("androidPackage", [], "The Android application id; nil without an Android app.") { _ in
                self.androidPackage.map { .string($0) } ?? .nil
            },
            ScriptMethod("androidCertificateDigests", [], "The digests of the Android certificates.") { _ in
                .list(self.androidCertificateDigests.map { .string($0) })
            },
        ]
    }
}

/// The app's identity as the market declares it, with the version and the build of the app that runs.
///
/// A market cannot know which build it runs in: what it says counts where there is no bundle, as in a command line, and
/// `glass-host check --bundle` compares it with a built app.
public final class AppInfoPlatformAPI: AppInfoAPI {
    /// What the market declares.
    public typealias Configuration = AppInfoConfiguration

    private let configuration: Configuration
    /// The bundle of the app; nil for a program that is another one's, or in none.
    private let bundle: LazyValue<AppBundle?>

    /// Creates the service for the bundle of this process, where it is the app's or that of one of its extensions.
    ///
    /// - Parameter configuration: What the market declares.
    public convenience init(configuration: Configuration) {
        self.init(configuration: configuration, bundle: .main)
    }

    /// Creates the service.
    package init(configuration: Configuration, bundle: @autoclosure @escaping @Sendable () -> AppBundle) {
        self.configuration = configuration
        self.bundle = LazyValue {
            let bundle = bundle()
            return bundle.belongs(to: configuration.bundleIdentifier) ? bundle : nil
        }
    }

    /// The name under the icon.
    public var name: String { configuration.name }
    /// The bundle identifier.
    public var bundleIdentifier: String { configuration.bundleIdentifier }
    /// The marketing version of the app that runs, else the market's.
    public var version: String { bundle.value?.version ?? configuration.version }
    /// The build number of the app that runs, else the market's.
    public var build: Int { bundle.value?.build ?? configuration.build }
    /// The Apple developer team.
    public var teamIdentifier: String { configuration.teamIdentifier }
    /// The app's number in the App Store.
    public var appStoreIdentifier: String { configuration.appStoreIdentifier }
    /// The Android application id; nil for a market without an Android app.
    public var androidPackage: String? { configuration.android?.package }
    /// The SHA-256 digests of the certificates that sign the Android app.
    public var androidCertificateDigests: [String] { configuration.android?.certificateDigests ?? [] }
}
