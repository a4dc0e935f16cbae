public import GlassContainer

/// One entry of the catalogue ``StandardRoutables``.
public struct StandardRoutableDefinition: Sendable {
    /// The id under which a market file knows the routable.
    public let id: String

    /// The tab that the feature lives in.
    public let tab: String

    /// The screen that it shows; `nil` for a tab's root.
    public let screen: String?

    /// The patterns that it answers to unless a market replaces them.
    public let paths: [String]

    /// The values without which it declines a link: each a path parameter or a required query item.
    public let requiredParameters: [String]

    /// The values that it uses where a link has them.
    public let optionalParameters: [String]

    /// What a link to it opens, in one line.
    public let summary: String

    private let factory: @Sendable (Container, RoutableConfiguration) -> any Routable

    init<R: StandardRoutable>(
        _ type: R.Type, id: String, tab: String, screen: String?, paths: [String], requiredParameters: [String] = [],
        optionalParameters: [String] = [], summary: String
    ) {
        self.id = id
        self.tab = tab
        self.screen = screen
        self.paths = paths
        self.requiredParameters = requiredParameters
        self.optionalParameters = optionalParameters
        self.summary = summary
        factory = { R(container: $0, configuration: $1) }
    }

    /// Creates the routable.
    ///
    /// - Parameters:
    ///   - container: The container with the services that the feature uses; it is held weakly.
    ///   - configuration: How a market changes it.
    /// - Returns: The routable.
    public func makeRoutable(
        container: Container, configuration: RoutableConfiguration = RoutableConfiguration()
    ) -> any Routable {
        factory(container, configuration)
    }

    /// The required parameters that a pattern does not provide: links to it would be declined.
    ///
    /// - Parameter pattern: A pattern of a market.
    /// - Returns: The missing names; empty where the pattern fits.
    public func missingParameters(in pattern: RoutePattern) -> [String] {
        let names = Set(pattern.parameterNames.dropLast(pattern.isLastOptional ? 1 : 0) + pattern.requiredQuery)
        return requiredParameters.filter { !names.contains($0) }
    }
}
