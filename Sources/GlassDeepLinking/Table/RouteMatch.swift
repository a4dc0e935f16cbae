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
        // Without escapes, the raw values are the values.
        let raw = link.layout.hasPathEscapes ? link.rawStrings : []
        return routes.captures[ordinal].compactMap { capture in
            guard capture.segment < link.layout.segmentCount else { return nil }
            let value = capture.isCatchAll ? link.segments(from: capture.segment) : link.segment(capture.segment)
            guard capture.segment < raw.count else { return RouteParameters.Element(name: capture.name, value: value) }
            let written = capture.isCatchAll ? raw[capture.segment...].joined(separator: "/") : raw[capture.segment]
            return RouteParameters.Element(name: capture.name, value: value, rawValue: written)
        }
    }

    /// Whether both are the same route with the same values.
    public static func == (left: RouteMatch, right: RouteMatch) -> Bool {
        left.ordinal == right.ordinal && left.declaration == right.declaration && left.elements == right.elements
    }
}
