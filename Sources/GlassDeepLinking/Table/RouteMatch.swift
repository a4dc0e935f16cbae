/// A route that matches a link.
public struct RouteMatch: Sendable, Equatable {
    /// The route's declaration.
    public let declaration: RouteDeclaration

    /// The route's place in ``RouteTable/declarations``.
    public let ordinal: Int

    /// The values of its path parameters.
    public let parameters: RouteParameters
}
