extension KeyDeclaration {
    /// What the value of a key means, beyond its type: the country of the market, headers of requests, cookies.
    ///
    /// Rules about the meaning of values, reviews of changes, imports, templates, and exported files ask for roles and never
    /// for the path of a key. To use all of these in a section of your app, give its keys roles:
    ///
    /// ```swift
    /// .init("homeland", \.homeland, .string(.country), "Where points are kept.").role(.country)
    /// ```
    ///
    /// If several keys of a module have a role, each is examined. If a rule needs a single value, such as the market's
    /// country, it uses the first declared key with the role and compares the others with that key.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a role, for rules of an app.
        ///
        /// - Parameter rawValue: The name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension KeyDeclaration.Role {
    // MARK: Places

    /// The market's country.
    public static let country = Self(rawValue: "country")
    /// A list of regions of the country, each with a ``regionCode`` and a ``regionName``.
    public static let regions = Self(rawValue: "regions")
    /// In a region: its ISO 3166-2 code without the country.
    public static let regionCode = Self(rawValue: "regionCode")
    /// In a region: its name.
    public static let regionName = Self(rawValue: "regionName")
    /// A pattern of postal codes.
    public static let postalPattern = Self(rawValue: "postalPattern")

    // MARK: Requests

    /// A map of header fields that requests have.
    public static let headers = Self(rawValue: "headers")
    /// A list of cookies, each with a ``cookieName``, a ``cookieValue``, and a ``cookieDomain``.
    public static let cookies = Self(rawValue: "cookies")
    /// In a cookie: its name.
    public static let cookieName = Self(rawValue: "cookieName")
    /// In a cookie: its value.
    public static let cookieValue = Self(rawValue: "cookieValue")
    /// In a cookie: the domain that it is sent to.
    public static let cookieDomain = Self(rawValue: "cookieDomain")
    /// Which cookies are accepted: one of `never`, `onlyFromMainDocumentDomain`, and `always`.
    public static let cookiePolicy = Self(rawValue: "cookiePolicy")
    /// Whether requests include the stored cookies.
    public static let setsCookies = Self(rawValue: "setsCookies")
    /// A map of environments, each with ``serviceURLs``.
    public static let environments = Self(rawValue: "environments")
    /// In an environment: a map of URLs by service.
    public static let serviceURLs = Self(rawValue: "serviceURLs")
    /// The environment that the app starts in: one of the ``environments`` in the same section.
    public static let firstEnvironment = Self(rawValue: "firstEnvironment")

    // MARK: Users

    /// A section of texts that users read.
    public static let userTexts = Self(rawValue: "userTexts")
    /// A map of values that preferences begin with.
    public static let userDefaults = Self(rawValue: "userDefaults")
    /// A map of preferences, each with a ``preferenceDefault``.
    public static let preferences = Self(rawValue: "preferences")
    /// In a preference: the value that it begins with.
    public static let preferenceDefault = Self(rawValue: "preferenceDefault")
    /// A map of attributes that each event has.
    public static let eventAttributes = Self(rawValue: "eventAttributes")
    /// A list of receivers of events.
    public static let eventSinks = Self(rawValue: "eventSinks")
    /// Whether requests are reported to analytics.
    public static let tracking = Self(rawValue: "tracking")
    /// The fraction of requests that are reported.
    public static let trackingShare = Self(rawValue: "trackingShare")
    /// A list of the notification features that the app requests.
    public static let notificationOptions = Self(rawValue: "notificationOptions")
    /// When the app can access the device's location: one of `whenInUse` and `always`.
    public static let locationLevel = Self(rawValue: "locationLevel")
    /// Whether location updates continue in the background.
    public static let backgroundLocation = Self(rawValue: "backgroundLocation")

    // MARK: The app

    /// The app's name.
    public static let appName = Self(rawValue: "appName")
    /// The app's version.
    public static let appVersion = Self(rawValue: "appVersion")
    /// The app's build.
    public static let appBuild = Self(rawValue: "appBuild")
    /// The app's bundle identifier on Apple's systems.
    public static let bundleIdentifier = Self(rawValue: "bundleIdentifier")
    /// The team that signs the app on Apple's systems.
    public static let teamIdentifier = Self(rawValue: "teamIdentifier")
    /// The app's number in the App Store.
    public static let storeIdentifier = Self(rawValue: "storeIdentifier")
    /// The app's package on Android.
    public static let androidPackage = Self(rawValue: "androidPackage")
    /// The digests of the certificates that sign the app on Android.
    public static let certificateDigests = Self(rawValue: "certificateDigests")
}

extension SectionDeclaration {
    /// The paths of the keys with each role, in the order of declaration. Keys in lists and maps are not among them: they
    /// are roles inside a role.
    package var roles: [KeyDeclaration.Role: [ConfigurationPath]] {
        var found: [KeyDeclaration.Role: [ConfigurationPath]] = [:]
        func collect(_ section: SectionDeclaration, _ path: ConfigurationPath) {
            for key in section.keys {
                let inner = path.appending(key.name)
                if let role = key.role { found[role, default: []].append(inner) }
                if case .section(let section) = key.type { collect(section, inner) }
            }
        }
        collect(self, ConfigurationPath())
        return found
    }

    /// The name of the first key of the section with a role.
    package func name(of role: KeyDeclaration.Role) -> String? { keys.first { $0.role == role }?.name }
}
