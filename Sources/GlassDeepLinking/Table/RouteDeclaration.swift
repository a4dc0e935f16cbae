/// A pattern with where it comes from, so that an error can name the line that declares it.
public struct RouteDeclaration: Sendable, Hashable {
    /// The pattern as written.
    public let pattern: String

    /// The id of the routable that declares it.
    public let routableID: String

    /// Which of the routable's patterns it is, from 0: the index in ``Routable/actionRoutes``.
    public let index: Int

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - pattern: The pattern as written.
    ///   - routableID: The id of the routable that declares it.
    ///   - index: Which of the routable's patterns it is, from 0.
    public init(pattern: String, routableID: String, index: Int = 0) {
        self.pattern = pattern
        self.routableID = routableID
        self.index = index
    }
}
