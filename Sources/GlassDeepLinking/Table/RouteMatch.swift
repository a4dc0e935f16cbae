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
        let hasEscapes = link.layout.hasPathEscapes
        let raw = hasEscapes ? link.rawSegments : segments
        return captures.compactMap { capture in
            guard capture.segment < segments.count else { return nil }
            if capture.prefix + capture.suffix > 0 {
                return RouteParameters.Element(
                    name: capture.name, value: RouteMatch.value(in: segments[capture.segment], capture),
                    rawValue: RouteMatch.value(in: raw[capture.segment], capture, isEscaped: hasEscapes))
            }
            let range = capture.segment..<(capture.isCatchAll ? segments.count : capture.segment + 1)
            return RouteParameters.Element(
                name: capture.name, value: segments[range].joined(separator: "/"),
                rawValue: raw[range].joined(separator: "/"))
        }
    }

    /// The value in a segment without the text beside it, whose length counts decoded bytes.
    private static func value(in segment: String, _ capture: FrozenRoutes.Capture, isEscaped: Bool = false) -> String {
        let bytes = Array(segment.utf8)
        var starts: [Int] = []
        var index = 0
        while index < bytes.count {
            starts.append(index)
            index += isEscaped && bytes[index] == UInt8(ascii: "%") ? 3 : 1
        }
        starts.append(bytes.count)
        return String(
            decoding: bytes[starts[capture.prefix]..<starts[starts.count - 1 - capture.suffix]], as: UTF8.self)
    }

    /// Whether both are the same route with the same values.
    public static func == (left: RouteMatch, right: RouteMatch) -> Bool {
        left.ordinal == right.ordinal && left.declaration == right.declaration && left.elements == right.elements
    }
}
