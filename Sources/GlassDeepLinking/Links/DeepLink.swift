/// A link that passed the gate: parsed once, split, then decoded once.
///
/// A custom scheme's link is its host and path (`walmart://account/orders` has the segments `account` and `orders`);
/// a web link (`https`) is its path. The scheme and the host are in lower case, so a custom scheme's first segment is
/// too.
///
/// ```swift
/// let link = try DeepLink("walmart://search?q=red+shoes")
/// print(link.segments)           // ["search"]
/// print(link.queryValue("q")!)   // red shoes
/// ```
public struct DeepLink: Sendable, CustomStringConvertible {
    /// The text and where its parts are.
    let source: LinkText

    /// What a match found out; `nil` before.
    var match: RouteMatch? { matchBox?.match }

    /// A reference, so that a link stays small while it has no match.
    private var matchBox: MatchBox?

    /// What the handlers of the link use together; `nil` before a match.
    package var budget: HandlerBudget? { matchBox?.budget }

    /// The link as it was written.
    public var text: String { source.text }

    /// The scheme in lower case, without the colon.
    public var scheme: String { source.scheme }

    /// The host in lower case; empty where the link has none.
    public var host: String { source.host }

    /// The query items in the order of the link, decoded anew at each read.
    ///
    /// - Complexity: O(length of the query).
    public var queryItems: [QueryItem] { source.queryItems }

    /// The decoded fragment, or `nil` where the link has none.
    public var fragment: String? { source.fragment }

    /// The path parameters that the matched pattern named; empty before a match.
    public var parameters: RouteParameters { match?.parameters ?? RouteParameters() }

    /// The pattern that matched, as written; `nil` before a match.
    public var pattern: String? { match?.declaration.pattern }

    /// The id of the routable that the link goes to; `nil` before a match.
    public var routableID: String? { match?.declaration.routableID }

    /// Parses a link.
    ///
    /// - Parameters:
    ///   - text: The link.
    ///   - limits: How large it may be.
    /// - Throws: ``DeepLinkRefusal`` when a rule of the gate refuses the link. An unknown scheme or host is not an
    ///   error here; the router reports it.
    /// - Complexity: O(length of the link).
    public init(_ text: String, limits: DeepLinkLimits = DeepLinkLimits()) throws(DeepLinkRefusal) {
        self = try DeepLinkParser.parse(text, limits)
    }

    init(_ source: LinkText) {
        self.source = source
    }

    /// Whether the scheme is `https` or `http`, so that the host is no part of the route.
    public var isWebLink: Bool { source.layout.isWeb }

    /// The route's segments, decoded: a custom scheme's host and path, a web link's path.
    public var segments: [String] { source.strings }

    /// The text of the link.
    public var description: String { text }

    /// The value of the first query item of that name.
    ///
    /// - Parameter name: The name, compared byte by byte.
    /// - Returns: The decoded value; empty for an item without a value; `nil` when there is no such item.
    public func queryValue(_ name: String) -> String? {
        // Bytes, because == on strings takes composed and decomposed accents for equal.
        guard let item = queryItems.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        return item.value ?? ""
    }

    /// A value of that name: the path parameter, or else the query item.
    ///
    /// A query item never shadows a path parameter. Empty values count as absent.
    ///
    /// - Parameter name: The parameter's name.
    /// - Returns: The decoded value, or `nil`.
    public func value(_ name: String) -> String? {
        let value = parameters[name] ?? queryValue(name)
        return value?.isEmpty == true ? nil : value
    }

    /// A value of that name as an integer.
    ///
    /// - Parameter name: The parameter's name.
    /// - Returns: The integer, or `nil` when there is no such value or it is no integer that fits.
    public func integer(_ name: String) -> Int64? {
        value(name).flatMap(Int64.init)
    }

    /// The link with what a match found out about it.
    func matched(_ match: RouteMatch, _ budget: HandlerBudget? = nil) -> DeepLink {
        var link = self
        link.matchBox = MatchBox(match, budget)
        return link
    }
}

extension DeepLink: Equatable {
    /// Whether both were written with the same bytes and matched the same route.
    public static func == (left: DeepLink, right: DeepLink) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.pattern == right.pattern
            && left.routableID == right.routableID
    }
}

/// A match behind one reference.
private final class MatchBox: Sendable {
    let match: RouteMatch
    let budget: HandlerBudget?

    init(_ match: RouteMatch, _ budget: HandlerBudget?) {
        self.match = match
        self.budget = budget
    }
}
