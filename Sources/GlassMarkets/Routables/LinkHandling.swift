package import GlassDeepLinking

/// What a function of a market file can do with a link: what the value of `handle` carries, whatever its language.
package protocol LinkHandling: AnyObject, Sendable {
    /// Handles a link.
    ///
    /// - Parameters:
    ///   - link: The link with its parameters.
    ///   - state: What to change.
    ///   - id: The routable's id, for errors.
    /// - Returns: False to decline the link.
    /// - Throws: What the function fails with, or the limit that it breaks.
    func handle(_ link: DeepLink, state: DeepLinkNavigationState, routable id: String) throws -> Bool
}
