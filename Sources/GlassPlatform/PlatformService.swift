public import GlassContainer
public import GlassDeepLinking
public import GlassSchema

/// One service of the platform: what it is known by, what configures it, and how it is made.
public struct PlatformService: Sendable {
    /// The protocol's name, by which scripts and tables know the service.
    public let name: String
    /// What the service is for, in one line.
    public let summary: String
    /// The name of the live implementation.
    public let implementation: String
    /// The keys of a market that configure it.
    public let configuredBy: [ConfigurationPath]
    /// The names of the services that it takes when it is made.
    public let requires: [String]
    /// Whether it is made with a child container of its own.
    public let providesChild: Bool
    /// The protocol.
    public let type: Any.Type
    /// Registers the live implementation.
    let registerLive: @Sendable (Container, PlatformInput) -> Void
    /// Asks a container for the service.
    private let lookUp: @Sendable (Container) -> Any?

    /// The service in a container.
    ///
    /// - Parameter container: The container.
    /// - Returns: The service, made if it was not yet; nil when the container does not have it.
    public func resolve(in container: Container) -> Any? { lookUp(container) }

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - type: The protocol.
    ///   - name: The protocol's name.
    ///   - implementation: The live implementation.
    ///   - providesChild: Whether it is made with a child container of its own.
    ///   - requires: The services that it takes when it is made.
    ///   - configuredBy: The keys of a market that configure it.
    ///   - summary: What it is for.
    ///   - make: Makes the live implementation.
    init<Service: SendableMetatype>(
        _ type: Service.Type, _ name: String, _ implementation: Any.Type, providesChild: Bool = false,
        requires: [Any.Type] = [], configuredBy: [ConfigurationPath] = [], _ summary: String,
        make: @escaping @Sendable (PlatformInput, Container) -> Service
    ) {
        self.name = name
        self.summary = summary
        self.implementation = "\(implementation)"
        self.configuredBy = configuredBy
        self.requires = requires.map { "\($0)" }
        self.providesChild = providesChild
        self.type = type
        registerLive = { container, input in
            if providesChild {
                container.registerProvidingChild(type, requires: requires) { make(input, $0) }
            } else {
                container.register(type, requires: requires) { make(input, $0) }
            }
        }
        lookUp = { $0.getIfRegistered(type) }
    }
}

/// Everything that the live services are made from.
public struct PlatformInput: Sendable {
    /// What the market gives the platform.
    public var platform: PlatformConfig
    /// What the market says about links.
    public var deepLinking: DeepLinkConfiguration
    /// What the host gives.
    public var host: PlatformHost

    /// Creates the input.
    ///
    /// - Parameters:
    ///   - platform: What the market gives the platform.
    ///   - deepLinking: What the market says about links.
    ///   - host: What the host gives.
    public init(platform: PlatformConfig, deepLinking: DeepLinkConfiguration, host: PlatformHost) {
        self.platform = platform
        self.deepLinking = deepLinking
        self.host = host
    }
}
