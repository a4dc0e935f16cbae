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
                "The base URL of each service; http only for 127.0.0.1 and localhost.")
        ]

        /// Creates an environment without services.
        public init() {}
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("default", \.default, .string(.identifier), required: true, "The environment that the app starts in."),
        .init(
            "environments", \.environments, .map(of: Environment.valueType, keys: .identifier, count: 0...20),
            required: true,
            "The environments by name."),
    ]

    /// Creates a configuration without environments.
    public init() {}

    /// The services of the default environment, in byte order.
    package var serviceNames: [String] { (environments[self.default]?.services.keys).map { $0.sorted() } ?? [] }

    private static func path(of service: String, in environment: String) -> ConfigurationPath {
        ConfigurationPath([.key("environments"), .key(environment), .key("services"), .key(service)])
    }

    /// The default environment must exist, and every environment must have the same services.
    public func inconsistencies() -> [Inconsistency] {
        guard environments[self.default] != nil else {
            let names = environments.keys.sorted()
            return [
                Inconsistency(
                    "default", "\(self.default.quotedForMessage) is not an environment",
                    misspelled: self.default, in: names, else: "the environments are \(names.joined(separator: ", "))",
                    others: ["environments"])
            ]
        }
        let services = serviceNames
        return environments.sorted { $0.key < $1.key }.flatMap { name, environment in
            services.filter { environment.services[$0] == nil }.map { service in
                Inconsistency(
                    Self.path(of: service, in: name), "missing: environment \"\(self.default)\" has this service",
                    hint: "every environment needs a base URL for each service",
                    others: environments.keys.sorted().filter { environments[$0]?.services[service] != nil }
                        .prefix(1).map { Self.path(of: service, in: $0) })
            }
        }
    }
}
