/// How large a link may be before the gate refuses it.
///
/// The defaults hold every link of the standard routables with room to spare, and bound what a hostile link can cost.
public struct DeepLinkLimits: Sendable, Equatable {
    /// The longest link, in UTF-8 bytes as written.
    package let length: Int

    /// The most path segments, a custom scheme's host included.
    package let segments: Int

    /// The most query items.
    package let queryItems: Int

    /// How deep links in parameters may be nested.
    package let nestedLinks: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - length: The longest link in bytes; 2,048, which every browser and messenger passes on unharmed.
    ///   - segments: The most path segments; 32.
    ///   - queryItems: The most query items; 64, as campaign links carry up to about 20.
    ///   - nestedLinks: How deep links in parameters may be nested; 2, as a campaign link may wrap a sign-in link.
    public init(length: Int = 2_048, segments: Int = 32, queryItems: Int = 64, nestedLinks: Int = 2) {
        self.length = length
        self.segments = segments
        self.queryItems = queryItems
        self.nestedLinks = nestedLinks
    }
}
