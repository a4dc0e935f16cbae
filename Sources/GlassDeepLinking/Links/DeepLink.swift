/// A link that passed the gate: parsed once, split before decoding, and decoded once.
///
/// The route of a link with a custom scheme is its host and path (`walmart://account/orders` has the segments `account`
/// and `orders`); the route of a web link (`https`) is its path. The scheme and the host are lowercase, so the first
/// segment of a custom scheme's link is as well.
///
/// ```swift
/// let link = try DeepLink("walmart://search?q=red+shoes")
/// print(link.segments)           // ["search"]
/// print(link.queryValue("q")!)   // red shoes
/// ```
public struct DeepLink: Sendable, CustomStringConvertible {
    /// The text and the positions of its parts.
    let source: LinkText

    /// The match; `nil` if there is none yet.
    var match: RouteMatch? { matchBox?.match }

    /// A reference, so that a link without a match stays small.
    private var matchBox: MatchBox?

    /// The budget that all handlers of the link share; `nil` if there is no match yet.
    package var budget: HandlerBudget? { matchBox?.budget }

    /// The link as written.
    public var text: String { source.text }

    /// The scheme in lowercase, without the colon.
    public var scheme: String { source.scheme }

    /// The host in lowercase; empty if the link has none.
    public var host: String { source.host }

    /// The query items in order, decoded with each access.
    ///
    /// - Complexity: O(length of the query).
    public var queryItems: [QueryItem] { source.queryItems }

    /// The decoded fragment, or `nil` if the link has none.
    public var fragment: String? { source.fragment }

    /// The path parameters of the matched pattern; empty if there is no match yet.
    public var parameters: RouteParameters { match?.parameters ?? RouteParameters() }

    /// The matched pattern as written; `nil` if there is no match yet.
    public var pattern: String? { match?.declaration.pattern }

    /// The id of the matched routable; `nil` if there is no match yet.
    public var routableID: String? { match?.declaration.routableID }

    /// Parses a link.
    ///
    /// - Parameters:
    ///   - text: The link.
    ///   - limits: The limits for the size of the link.
    /// - Throws: ``DeepLinkRefusal`` if a rule of the gate refuses the link. An unknown scheme or host is not an error
    ///   here; the router reports it.
    /// - Complexity: O(length of the link).
    public init(_ text: String, limits: DeepLinkLimits = DeepLinkLimits()) throws(DeepLinkRefusal) {
        self.init(try LinkText(text, limits: limits))
    }

    private init(_ source: consuming LinkText) {
        self.source = source
    }

    /// Parses a link that may not be valid UTF-8, such as a command-line argument.
    package init(bytes: [UInt8], limits: DeepLinkLimits = DeepLinkLimits()) throws(DeepLinkRefusal) {
        guard bytes.count <= limits.length else { throw .tooLong(bytes.count, limits) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DeepLinkRefusal(rule: .invalidUTF8, part: String(decoding: bytes, as: UTF8.self), offset: 0)
        }
        try self.init(text, limits: limits)
    }

    /// Whether the scheme is `https` or `http`, so that the host isn't part of the route.
    public var isWebLink: Bool { source.layout.isWeb }

    /// The route's segments, decoded: a custom scheme's host and path, a web link's path.
    public var segments: [String] { source.segments }

    /// The text of the link.
    public var description: String { text }

    /// The value of the first query item with the given name.
    ///
    /// - Parameter name: The name, compared byte by byte.
    /// - Returns: The decoded value; empty for an item without a value; `nil` if there is no such item.
    public func queryValue(_ name: String) -> String? {
        // Compares bytes, because `==` on strings treats composed and decomposed accents as equal.
        guard let item = queryItems.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        return item.value ?? ""
    }

    /// The value of a path parameter or, if there is none, of a query item.
    ///
    /// A query item never shadows a path parameter. Empty values count as absent.
    ///
    /// - Parameter name: The parameter's name.
    /// - Returns: The decoded value, or `nil`.
    public func value(_ name: String) -> String? {
        let value = parameters[name] ?? queryValue(name)
        return value?.isEmpty == true ? nil : value
    }

    /// The value of a path parameter or query item as an integer.
    ///
    /// - Parameter name: The parameter's name.
    /// - Returns: The integer, or `nil` if there is no such value or it isn't an integer within range.
    public func integer(_ name: String) -> Int64? {
        value(name).flatMap(Int64.init)
    }

    /// The link with a match.
    func matched(_ match: RouteMatch, _ budget: HandlerBudget? = nil) -> DeepLink {
        var link = self
        link.matchBox = MatchBox(match, budget)
        return link
    }
}

extension DeepLink: Equatable {
    /// Whether both have the same bytes and matched the same route.
    public static func == (left: DeepLink, right: DeepLink) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.pattern == right.pattern
            && left.routableID == right.routableID
    }
}

/// A match, stored as a single reference.
private final class MatchBox: Sendable {
    let match: RouteMatch
    let budget: HandlerBudget?

    init(_ match: RouteMatch, _ budget: HandlerBudget?) {
        self.match = match
        self.budget = budget
    }
}
