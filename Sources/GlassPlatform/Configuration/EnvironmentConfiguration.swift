import GlassBase
public import GlassSchema

/// Named environments, each with a base URL for every service.
public struct EnvironmentConfiguration: ConfigurationSection {
    /// The environment that the app starts in.
    public var `default` = ""
    /// The environments by name.
    public var environments: [String: Environment] = [:]

    /// One environment.
    public struct Environment: ConfigurationSection {
        /// The base URL of each service.
        public var services: [String: String] = [:]

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init(
                "services", \.services, .map(of: .string(.httpsURL), keys: .identifier, count: 0...100), required: true,
                "The base URL of each service; http only for 127.0.0.1 and localhost."
            ).role(.serviceURLs).varying(.start)
        ]

        /// Creates an environment without services.
        public init() {}
    }

    /// The keys of the section.
    ///
    /// Situations are described by the name of the environment, so which environments there are cannot depend on more
    /// than the build; the URLs of their services can.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "default", \.default, .string(.identifier), required: true, "The environment that the app starts in."
        ).role(.firstEnvironment).varying(.build),
        .init(
            "environments", \.environments, .map(of: Environment.valueType, keys: .identifier, count: 0...20),
            required: true,
            "The environments by name."
        ).role(.environments).varying(.build),
    ]

    /// The default environment must exist, and every environment must have the same services. This is one rule, because
    /// services are compared with those of the default environment, so both parts read the same keys.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["default", "environments"]) { config in
            let environments = config.environments
            guard environments[config.default] != nil else {
                let names = environments.keys.sorted()
                return [
                    Inconsistency(
                        "default", "\(config.default.quotedForMessage) is not an environment",
                        misspelled: config.default, in: names,
                        else: "the environments are \(names.joined(separator: ", "))", others: ["environments"])
                ]
            }
            let services = config.serviceNames
            let complete = environments.keys.sorted().filter { environments[$0]?.services.count == services.count }
            return environments.sorted { $0.key < $1.key }.flatMap { name, environment in
                let missing = services.filter { environment.services[$0] == nil }
                // `prod` beside `production` is one mistake, however many services it lacks.
                if missing.count > 1,
                    let meant = complete.first(where: { $0.hasPrefix(name) || name.hasPrefix($0) })
                {
                    var found = Inconsistency(
                        ConfigurationPath([.key("environments"), .key(name)]),
                        "this environment lacks \(missing.joined(separator: ", ")), which \(meant.quotedForMessage) has",
                        hint: "did you mean \(meant.quotedForMessage)? Every environment needs a base URL for each "
                            + "service")
                    found.correction = .spelling(name, meant: meant, isUnambiguous: false)
                    return [found]
                }
                return missing.map { service in
                    Inconsistency(
                        path(of: service, in: name), "missing: environment \"\(config.default)\" has this service",
                        hint: "every environment needs a base URL for each service",
                        others: environments.keys.sorted().filter { environments[$0]?.services[service] != nil }
                            .prefix(1).map { path(of: service, in: $0) })
                }
            }
        }
    ]

    /// Creates a configuration without environments.
    public init() {}

    /// The services of the default environment, in byte order.
    package var serviceNames: [String] { (environments[self.default]?.services.keys).map { $0.sorted() } ?? [] }

    private static func path(of service: String, in environment: String) -> ConfigurationPath {
        ConfigurationPath([.key("environments"), .key(environment), .key("services"), .key(service)])
    }
}
