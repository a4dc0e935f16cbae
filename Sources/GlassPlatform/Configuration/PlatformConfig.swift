import GlassBase
public import GlassSchema

/// A market's configuration of the platform: the eight sub-configurations of the shared container, addresses, and
/// permissions.
public struct PlatformConfig: ConfigurationSection {
    /// The user defaults that the app registers.
    public var userDefaultsRegistration = UserDefaultsRegistrationConfiguration()
    /// The attributes of every analytics event.
    public var aniviaSuperAttributes = AniviaSuperAttributesConfiguration()
    /// The destinations of analytics events.
    public var analytics = AnalyticsConfiguration()
    /// Named environments, each with a base URL per service.
    public var environment = EnvironmentConfiguration()
    /// The behavior of the app's URL sessions.
    public var urlSession = SessionConfiguration()
    /// Requests, retries, and media downloads.
    public var networking = NetworkingConfiguration()
    /// The identity of the app.
    public var appInfo = AppInfoConfiguration()
    /// The declared preferences.
    public var preferences = PreferencesConfiguration()
    /// The cookie storage and its initial cookies.
    public var cookieStorage = CookieStorageConfiguration()
    /// The source of remote configuration, and how requests identify the user.
    public var quimby = QuimbyConfiguration()
    /// The routing of requests to a named backend.
    public var reflector = ReflectorConfiguration()
    /// The format of postal addresses.
    public var address = AddressConfiguration()
    /// The permissions that the app requests.
    public var permissions = PermissionsConfiguration()
    /// The texts about errors that users see.
    public var errors = ErrorsConfiguration()

    /// The summary of the section.
    public static let summary = "The market's configuration of the platform."
    /// The keys of the section. The identity of the app is in its bundle, while addresses are read on each use.
    public static let keys: [ConfigurationKey<PlatformConfig>] = [
        .init(
            "userDefaultsRegistration", \.userDefaultsRegistration, required: true,
            "The user defaults that the app registers."),
        .init(
            "aniviaSuperAttributes", \.aniviaSuperAttributes, required: true,
            "The attributes of every analytics event. Anivia is the name of an analytics service."),
        .init("analytics", \.analytics, "The destinations of analytics events."),
        .init("environment", \.environment, required: true, "Named environments, each with a base URL per service."),
        .init("urlSession", \.urlSession, "The behavior of the app's URL sessions."),
        .init("networking", \.networking, required: true, "Requests, retries and media downloads."),
        .init("appInfo", \.appInfo, required: true, "The identity of the app.").varying(.build),
        .init("preferences", \.preferences, required: true, "The declared preferences."),
        .init("cookieStorage", \.cookieStorage, "The cookie storage and its initial cookies."),
        .init(
            "quimby", \.quimby,
            "The source of remote configuration, and how requests identify the user. Quimby is the name of a service that "
                + "serves it."),
        .init("reflector", \.reflector, "The routing of requests to a named backend."),
        .init("address", \.address, required: true, "The format of postal addresses.").varying(.live),
        .init("permissions", \.permissions, "The permissions that the app requests."),
        .init(
            "errors", \.errors, "The error messages that users see. The default messages are in English."
        ).role(.userTexts).defaults(in: "en").varying(.live),
    ]

    /// Requests and events must go to services of the environments. Events without a destination cause a warning.
    public static let rules: [ConfigurationRule<PlatformConfig>] = [
        .init(reads: ["networking.defaultService", "environment.default", "environment.environments"]) { config in
            config.unknownService(config.networking.defaultService, at: "networking.defaultService")
        },
        .init(reads: ["analytics.collector.service", "environment.default", "environment.environments"]) { config in
            guard let collector = config.analytics.collector else { return [] }
            return config.unknownService(collector.service, at: "analytics.collector.service")
        },
        .init(reads: ["networking.tracking", "analytics.sinks"]) { config in
            let sinks = config.analytics.sinks
            guard config.networking.tracking, !sinks.contains(.collector), !sinks.contains(.app) else { return [] }
            return [
                Inconsistency(
                    "analytics.sinks", severity: .warning, "requests are tracked, but no event leaves the device",
                    hint:
                        "add a sink: { \"collector\" } with a table collector, or { \"app\" } if the app's program "
                        + "lists its own sinks; or set networking.tracking = false", others: ["networking.tracking"])
            ]
        },
        .init(
            reads: [
                "networking.retry.maxRetries", "networking.retry.initialDelaySeconds",
                "networking.retry.maximumDelaySeconds", "networking.retry.multiplier",
                "urlSession.requestTimeoutSeconds", "urlSession.resourceTimeoutSeconds",
            ], severity: .warning, code: .numbersDisagree
        ) { config in
            let session = config.urlSession
            // A request that cannot take its own time is the same contradiction, reported there.
            guard session.requestTimeoutSeconds <= session.resourceTimeoutSeconds else { return [] }
            return config.networking.retry.longPauses(timeout: session.resourceTimeoutSeconds)
        },
    ]

    /// Creates the configuration with every default. A market sets the rest.
    public init() {}

    private func unknownService(_ name: String, at path: ConfigurationPath) -> [Inconsistency] {
        let services = environment.serviceNames
        guard !services.contains(name) else { return [] }
        return [
            Inconsistency(
                path, "\(name.quotedForMessage) is not a service of the environments",
                misspelled: name, in: services, else: "the services are \(services.joined(separator: ", "))",
                others: ["environment.environments"])
        ]
    }
}

extension PlatformConfig {
    /// The secrets of the market, which no report may contain.
    var secrets: [Secret] {
        [aniviaSuperAttributes.writeKey, networking.consumerKey].compactMap(\.self)
            + Array(networking.headers.secrets.values) + Array(urlSession.headers.secrets.values)
    }
}

extension NetworkingConfiguration.Retry {
    /// Pauses that are longer than a whole transfer may take.
    fileprivate func longPauses(timeout: Double) -> [Inconsistency] {
        let other: ConfigurationPath = "urlSession.resourceTimeoutSeconds"
        guard maxRetries > 0 else { return [] }
        if maximumDelaySeconds > timeout {
            return [
                Inconsistency(
                    "networking.retry.maximumDelaySeconds",
                    "\(maximumDelaySeconds.brief) is more than \(other), \(timeout.brief): a pause may be longer than a "
                        + "whole transfer",
                    hint: "write at most \(timeout.brief), or raise \(other)", others: [other])
            ]
        }
        var (delay, total) = (initialDelaySeconds, 0.0)
        // At most ten, as the key allows.
        for _ in 0..<maxRetries {
            total += min(delay, maximumDelaySeconds)
            delay = min(delay * multiplier, maximumDelaySeconds)
        }
        guard total > timeout else { return [] }
        return [
            Inconsistency(
                "networking.retry.maxRetries",
                "the pauses before \(maxRetries) retries take \(total.brief) seconds, more than \(other), "
                    + "\(timeout.brief)",
                hint: "write fewer retries or shorter delays, or raise \(other)",
                others: [
                    "networking.retry.initialDelaySeconds", "networking.retry.maximumDelaySeconds",
                    "networking.retry.multiplier", other,
                ])
        ]
    }
}

extension PlatformConfig {
    /// Validates a configuration that is written in Swift by the rules for market files: types and ranges, string
    /// formats, and contradictions. Each finding has a key path.
    ///
    /// An empty required value is reported as not having the expected format: `platform.appInfo.name: expected …, got
    /// ""`.
    ///
    /// - Returns: The findings, sorted by key path; empty if the configuration is valid. O(values).
    public func findings() -> [Finding] {
        ConfigurationValidator.findings(
            in: ConfigurationNode(configurationValue), section: Self.declaration,
            path: ConfigurationPath([.key(Self.key)]))
    }

    /// Returns the findings, and logs the errors among them in one message.
    func loggedFindings() -> [Finding] {
        let findings = findings()
        let errors = findings.filter { $0.severity == .error }
        if !errors.isEmpty {
            let text = errors.map { "\($0.path): \($0.message)" }.joined(separator: "; ")
            SafeLogger(label: "glass.platform").warning(
                "the configuration has \(errors.count.counted("error")): \(text)")
        }
        return findings
    }
}
