/// The maximum size of a link that passes the gate.
///
/// The defaults are ample for the links of the standard routables, and limit the cost of hostile links.
public struct DeepLinkLimits: Sendable, Equatable {
    /// The maximum length of a link in UTF-8 bytes as written.
    package let length: Int

    /// The maximum number of path segments, including a custom scheme's host.
    package let segments: Int

    /// The maximum number of query items.
    package let queryItems: Int

    /// The maximum nesting depth of links in parameters.
    package let nestedLinks: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - length: The maximum length in bytes; the default is 2,048, a length that every browser and messenger preserves.
    ///   - segments: The maximum number of path segments; the default is 32.
    ///   - queryItems: The maximum number of query items; the default is 64, because campaign links have up to about
    ///     20.
    ///   - nestedLinks: The maximum nesting depth of links in parameters; the default is 2, because a campaign link may
    ///     contain a sign-in link.
    public init(length: Int = 2_048, segments: Int = 32, queryItems: Int = 64, nestedLinks: Int = 2) {
        self.length = length
        self.segments = segments
        self.queryItems = queryItems
        self.nestedLinks = nestedLinks
    }
}
