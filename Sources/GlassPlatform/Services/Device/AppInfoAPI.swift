import GlassBase
package import GlassSchema

/// The identity of the app: version and build from the built app, and the rest from the market's `platform.appInfo`.
public protocol AppInfoAPI: AnyObject, Sendable {
    /// The name below the icon.
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
    /// The Android application id; `nil` if the market has no Android app.
    var androidPackage: String? { get }
    /// The SHA-256 digests of the certificates that sign the Android app.
    var androidCertificateDigests: [String] { get }
}

extension AppInfoAPI {
    /// The team and the bundle identifier joined by a dot, which Apple's site association files call the app ID.
    package var applicationIdentifier: String { "\(teamIdentifier).\(bundleIdentifier)" }

    /// One getter for each property.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("name", [], "The name below the icon.") { _ in .string(self.name) },
            ScriptMethod("bundleIdentifier", [], "The bundle identifier.") { _ in .string(self.bundleIdentifier) },
            ScriptMethod("version", [], "The marketing version.") { _ in .string(self.version) },
            ScriptMethod("build", [], "The build number.") { _ in .integer(self.build) },
            ScriptMethod("teamIdentifier", [], "The Apple developer team.") { _ in .string(self.teamIdentifier) },
            ScriptMethod("applicationIdentifier", [], "The team and the bundle identifier, joined by a dot.") { _ in
                .string(self.applicationIdentifier)
            },
            ScriptMethod("appStoreIdentifier", [], "The app's number in the App Store.") { _ in
                .string(self.appStoreIdentifier)
            },
            ScriptMethod("androidPackage", [], "The Android application id; nil if there is no Android app.") { _ in
                self.androidPackage.map { .string($0) } ?? .nil
            },
            ScriptMethod("androidCertificateDigests", [], "The digests of the Android certificates.") { _ in
                .list(self.androidCertificateDigests.map { .string($0) })
            },
        ]
    }
}

/// The app's identity as declared by the market, with the version and build number of the running app.
///
/// A market cannot know the build that it runs in. Its own version and build are used only without a bundle, for
/// example in a command-line program; `glass-host check --bundle` compares them with a built app.
public final class AppInfoPlatformAPI: AppInfoAPI {
    /// The market's declaration.
    public typealias Configuration = AppInfoConfiguration

    private let configuration: Configuration
    /// The app's bundle; `nil` for a program outside a bundle or in the bundle of another app.
    private let bundle: LazyValue<AppBundle?>

    /// Creates the service for the bundle of this process, if the bundle belongs to the app or one of its extensions.
    ///
    /// - Parameter configuration: The market's declaration.
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

    /// The name below the icon.
    public var name: String { configuration.name }
    /// The bundle identifier.
    public var bundleIdentifier: String { configuration.bundleIdentifier }
    /// The marketing version of the running app, or else the market's.
    public var version: String { bundle.value?.version ?? configuration.version }
    /// The build number of the running app, or else the market's.
    public var build: Int { bundle.value?.build ?? configuration.build }
    /// The Apple developer team.
    public var teamIdentifier: String { configuration.teamIdentifier }
    /// The app's number in the App Store.
    public var appStoreIdentifier: String { configuration.appStoreIdentifier }
    /// The Android application id; `nil` if the market has no Android app.
    public var androidPackage: String? { configuration.android?.package }
    /// The SHA-256 digests of the certificates that sign the Android app.
    public var androidCertificateDigests: [String] { configuration.android?.certificateDigests ?? [] }
}
