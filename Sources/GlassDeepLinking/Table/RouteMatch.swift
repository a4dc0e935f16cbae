/// A route that matches a link.
public struct RouteMatch: Sendable, Equatable {
    private let routes: FrozenRoutes
    private let link: LinkText

    /// The index of the route in ``RouteTable/declarations``.
    package let ordinal: Int

    init(_ routes: FrozenRoutes, _ ordinal: Int, _ link: LinkText) {
        self.routes = routes
        self.ordinal = ordinal
        self.link = link
    }

    /// The route's declaration.
    public var declaration: RouteDeclaration { routes.declarations[ordinal] }

    /// The values of the path parameters, which are decoded on access.
    public var parameters: RouteParameters { RouteParameters(self) }

    var elements: [RouteParameters.Element] {
        let captures = routes.captures[ordinal]
        guard !captures.isEmpty else { return [] }
        let segments = link.segments
        // Without escapes, the raw values are the values.
        let raw = link.layout.hasPathEscapes ? link.rawSegments : segments
        return captures.compactMap { capture in
            guard capture.segment < segments.count else { return nil }
            let range = capture.segment..<(capture.isCatchAll ? segments.count : capture.segment + 1)
            return RouteParameters.Element(
                name: capture.name, value: segments[range].joined(separator: "/"),
                rawValue: raw[range].joined(separator: "/"))
        }
    }

    /// Whether both are the same route with the same values.
    public static func == (left: RouteMatch, right: RouteMatch) -> Bool {
        left.ordinal == right.ordinal && left.declaration == right.declaration && left.elements == right.elements
    }
}
