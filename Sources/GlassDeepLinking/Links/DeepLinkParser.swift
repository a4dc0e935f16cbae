/// The gate: converts text to a ``DeepLink``, or reports the rule that refuses it.
///
/// Works on UTF-8 bytes, splits before decoding, and decodes once. It is independent of markets: the router handles
/// schemes, hosts and routes.
///
/// A `+` in a query is a space, as in web forms and on Android; `%2B` is a plus. Only `&` separates items.
/// `walmart:account` and `walmart:/account` are equivalent to `walmart://account`; an empty host is not a segment.
package struct DeepLinkParser: Sendable {
    /// The limits for the size of a link.
    package let limits: DeepLinkLimits

    /// Creates a parser.
    package init(limits: DeepLinkLimits = DeepLinkLimits()) {
        self.limits = limits
    }

    /// Parses a link.
    package func parse(_ text: String) throws(DeepLinkRefusal) -> DeepLink {
        try DeepLinkParser.parse(text, limits)
    }

    /// Consumes the text, so that creating a link costs only one reference to it.
    @inline(__always)
    static func parse(_ text: consuming String, _ limits: DeepLinkLimits) throws(DeepLinkRefusal) -> DeepLink {
        // Counting the bytes of native text is O(1), so a huge link is refused before it is copied.
        let count = text.utf8.count
        guard count <= limits.length else { throw tooLong(count, limits) }
        var layout = LinkText.Layout()
        let isPlain = text.utf8.withContiguousStorageIfAvailable { LinkScanner.scan($0, limits: limits, into: &layout) }
        if isPlain == true { return DeepLink(LinkText(text: text, layout: layout)) }
        return try parseThoroughly(text, limits)
    }

    @inline(never)
    private static func parseThoroughly(
        _ text: String, _ limits: DeepLinkLimits
    ) throws(DeepLinkRefusal) -> DeepLink {
        var text = text
        text.makeContiguousUTF8()
        return DeepLink(LinkText(text: text, layout: try LinkReader(bytes: Array(text.utf8), limits: limits).read()))
    }

    /// Parses a link that may not be valid UTF-8, such as a command-line argument.
    package func parse(bytes: [UInt8]) throws(DeepLinkRefusal) -> DeepLink {
        guard bytes.count <= limits.length else { throw DeepLinkParser.tooLong(bytes.count, limits) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DeepLinkRefusal(rule: .invalidUTF8, part: String(decoding: bytes, as: UTF8.self), offset: 0)
        }
        return try parse(text)
    }

    @inline(never)
    private static func tooLong(_ count: Int, _ limits: DeepLinkLimits) -> DeepLinkRefusal {
        DeepLinkRefusal(
            rule: .oversize, part: "\(count) bytes, but the limit is \(limits.length)", offset: limits.length)
    }
}
