/// A market's changes to a standard routable.
public struct RoutableConfiguration: Sendable, Equatable {
    /// Patterns that replace the standard ones; `nil` keeps them.
    public var paths: [String]?

    /// Additional patterns.
    public var customPaths: [String]

    /// The preconditions that the routable's links wait for.
    public var waitForPreconditions: PreconditionRequirement

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - paths: Patterns that replace the standard ones; `nil` keeps them.
    ///   - customPaths: Additional patterns.
    ///   - waitForPreconditions: The preconditions that the routable's links wait for; by default all.
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
