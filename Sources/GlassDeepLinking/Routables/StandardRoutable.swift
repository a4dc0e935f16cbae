public import GlassContainer

/// Opens a feature by selecting its tab and showing its screen.
///
/// ```swift
/// let account = StandardAccountRoutable(container: container, configuration: .init(customPath: "myaccount"))
/// print(account.actionRoutes)  // ["account", "myaccount"]
/// ```
public final class StandardRoutable<Parameters: FeatureParameters>: FeatureRoutable {
    /// How a market changes the routable.
    public typealias Configuration = RoutableConfiguration

    /// How the market changes the routable.
    package let configuration: Configuration

    /// The container, as long as someone else keeps it.
    package weak let container: Container?

    /// Creates the routable.
    ///
    /// - Parameters:
    ///   - container: The container with the services that the feature uses; it is held weakly, so that a container that
    ///     nobody else holds is freed.
    ///   - configuration: How the market changes the routable; by default it has its standard paths.
    public init(container: Container, configuration: Configuration = Configuration()) {
        self.container = container
        self.configuration = configuration
    }

    /// The standard or configured patterns.
    public var actionRoutes: [String] { configuration.routes(standard: Parameters.feature.paths) }

    /// Whether links wait for any precondition.
    public var waitForPreconditions: Bool { configuration.waitForPreconditions.waits }

    /// Which preconditions links wait for.
    public var requiredPreconditions: PreconditionRequirement { configuration.waitForPreconditions }

    /// Adds the routable to its container's deep linker; does nothing when the container is gone.
    ///
    /// - Throws: ``RouteTableError`` when the patterns do not fit into the deep linker's table.
    public func registerRoutes() throws {
        try container?.deepLinker.register(routables: [self])
    }

    /// Selects the feature's tab and shows its screen with the values that the link has.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: True.
    public func open(_ parameters: Parameters, state: DeepLinkNavigationState) -> Bool {
        let feature = Parameters.feature
        if let tab = feature.tab { state.select(tab: tab) }
        if let screen = feature.screen { state.show(screen, parameters: parameters.texts.compactMapValues(\.self)) }
        return true
    }
}
