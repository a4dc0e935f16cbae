public import GlassContainer

/// A routable of the catalogue: it has standard paths and takes a ``RoutableConfiguration``.
public protocol StandardRoutable: Routable {
    /// How a market changes the routable.
    typealias Configuration = RoutableConfiguration

    /// The routable's entry in the catalogue.
    static var definition: StandardRoutableDefinition { get }

    /// What the routable was created with.
    var setup: RoutableSetup { get }

    /// Creates the routable.
    ///
    /// - Parameters:
    ///   - container: The container with the services that the feature uses; it is held weakly.
    ///   - configuration: How the market changes it.
    init(container: Container, configuration: Configuration)
}

extension StandardRoutable {
    /// Creates the routable with its standard paths.
    ///
    /// - Parameter container: The container with the services that the feature uses; it is held weakly.
    public init(container: Container) {
        self.init(container: container, configuration: Configuration())
    }

    /// The standard or configured patterns.
    public var actionRoutes: [String] { setup.configuration.routes(standard: Self.definition.paths) }

    /// Whether links wait for any precondition.
    public var waitForPreconditions: Bool { setup.configuration.waitForPreconditions.waits }

    /// Which preconditions links wait for.
    public var requiredPreconditions: PreconditionRequirement { setup.configuration.waitForPreconditions }

    /// The container, as long as someone else keeps it.
    public var container: Container? { setup.container }

    /// Adds the routable to its container's deep linker; does nothing when the container is gone.
    ///
    /// - Throws: ``RouteTableError`` when the patterns do not fit into the deep linker's table.
    public func registerRoutes() throws {
        try container?.deepLinker.register(routables: [self])
    }

    /// Selects the feature's tab and shows its screen.
    func show(_ state: DeepLinkNavigationState, _ parameters: [String: String?] = [:]) {
        state.select(tab: Self.definition.tab)
        if let screen = Self.definition.screen {
            state.show(screen, parameters: parameters.compactMapValues { $0 })
        }
    }
}

/// What a standard routable was created with.
public struct RoutableSetup: Sendable {
    private final class WeakContainer: Sendable {
        weak let container: Container?

        init(_ container: Container) {
            self.container = container
        }
    }

    private let box: WeakContainer

    /// How the market changes the routable.
    public let configuration: RoutableConfiguration

    /// Creates a setup.
    ///
    /// - Parameters:
    ///   - container: The container; it is held weakly, so that a container that nobody else holds is freed.
    ///   - configuration: How the market changes the routable.
    public init(container: Container, configuration: RoutableConfiguration) {
        box = WeakContainer(container)
        self.configuration = configuration
    }

    /// The container, as long as someone else keeps it.
    public var container: Container? { box.container }
}
