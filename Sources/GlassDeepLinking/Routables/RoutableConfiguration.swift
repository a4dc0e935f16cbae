/// How a market changes a standard routable.
public struct RoutableConfiguration: Sendable, Equatable {
    /// Patterns that replace the standard ones; `nil` keeps them.
    public var paths: [String]?

    /// Patterns in addition to those.
    public var customPaths: [String]

    /// What the routable's links wait for.
    public var waitForPreconditions: PreconditionRequirement

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - paths: Patterns that replace the standard ones; `nil` keeps them.
    ///   - customPaths: Patterns in addition to those.
    ///   - waitForPreconditions: What the routable's links wait for; all preconditions by default.
    public init(
        paths: [String]? = nil, customPaths: [String] = [], waitForPreconditions: PreconditionRequirement = .all
    ) {
        self.paths = paths
        self.customPaths = customPaths
        self.waitForPreconditions = waitForPreconditions
    }

    /// Creates a configuration that adds one pattern.
    ///
    /// - Parameter customPath: The pattern.
    public init(customPath: String) {
        self.init(customPaths: [customPath])
    }

    /// Where one of a routable's patterns is written, so that an error can point there.
    package enum RouteSource: Sendable, Equatable {
        /// In the catalogue, at this index of the standard paths.
        case standard(Int)
        /// In ``RoutableConfiguration/paths``, at this index.
        case paths(Int)
        /// In ``RoutableConfiguration/customPaths``, at this index.
        case customPaths(Int)
    }

    /// Where a pattern is written.
    ///
    /// - Parameters:
    ///   - index: The index in ``Routable/actionRoutes``, as ``RouteDeclaration/index`` has it.
    ///   - standard: The standard paths of the routable; empty for one that has none.
    /// - Returns: The list and the index in it.
    package func source(ofRouteAt index: Int, standard: [String]) -> RouteSource {
        let count = (paths ?? standard).count
        if index >= count { return .customPaths(index - count) }
        return paths == nil ? .standard(index) : .paths(index)
    }

    /// All patterns: the replacements or the standard ones, then the additions.
    func routes(standard: [String]) -> [String] {
        (paths ?? standard) + customPaths
    }
}
