public import GlassContainer

/// Opens a feature by selecting its tab and showing its screen.
///
/// ```swift
/// let account = StandardAccountRoutable(container: container, configuration: .init(customPath: "myaccount"))
/// print(account.actionRoutes)  // ["account", "myaccount"]
/// ```
public final class StandardRoutable<Parameters: FeatureParameters>: FeatureRoutable {
    /// A market's changes to the routable.
    public typealias Configuration = RoutableConfiguration

    /// The market's changes to the routable.
    package let configuration: Configuration

    /// The container; nil after it has been released.
    package weak let container: Container?

    /// Creates the routable.
    ///
    /// - Parameters:
    ///   - container: The container with the services that the feature uses. Held weakly, so that the routable doesn't
    ///     keep it alive.
    ///   - configuration: The market's changes to the routable; by default none.
    public init(container: Container, configuration: Configuration = Configuration()) {
        self.container = container
        self.configuration = configuration
    }

    /// The standard or configured patterns.
    public var actionRoutes: [String] { configuration.routes(standard: Parameters.feature.paths) }

    /// Whether links wait for any precondition.
    public var waitForPreconditions: Bool { configuration.waitForPreconditions.waits }

    /// The preconditions that links wait for.
    public var requiredPreconditions: PreconditionRequirement { configuration.waitForPreconditions }

    /// Adds the routable to its container's deep linker. Does nothing if the container has been released. Traps if the
    /// patterns do not fit into the deep linker's table; for patterns from a file, use ``DeepLinker/add(routables:)``.
    public func registerRoutes() {
        container?.deepLinker.register(self)
    }

    /// Selects the feature's tab and shows its screen with the values of the link.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the link.
    ///   - state: The navigation state to change.
    /// - Returns: True.
    public func open(_ parameters: Parameters, state: DeepLinkNavigationState) -> Bool {
        let feature = Parameters.feature
        if let tab = feature.tab { state.select(tab: tab) }
        if let screen = feature.screen { state.show(screen, parameters: parameters.texts.compactMapValues(\.self)) }
        return true
    }
}
