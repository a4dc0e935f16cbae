/// A pattern and its origin, so that an error can name the line that declares it.
public struct RouteDeclaration: Sendable, Hashable {
    /// The pattern as written.
    public let pattern: String

    /// The id of the routable that declares it.
    public let routableID: String

    /// The index of the pattern in ``Routable/actionRoutes``.
    public let index: Int

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - pattern: The pattern as written.
    ///   - routableID: The id of the routable that declares it.
    ///   - index: The index of the pattern among those of the routable.
    public init(pattern: String, routableID: String, index: Int = 0) {
        self.pattern = pattern
        self.routableID = routableID
        self.index = index
    }

    /// The declarations of a routable's patterns.
    package static func list(_ patterns: [String], of routableID: String) -> [RouteDeclaration] {
        patterns.enumerated().map { RouteDeclaration(pattern: $1, routableID: routableID, index: $0) }
    }
}
