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

    /// All patterns: the replacements or the standard ones, then the additions.
    func routes(standard: [String]) -> [String] {
        (paths ?? standard) + customPaths
    }
}
