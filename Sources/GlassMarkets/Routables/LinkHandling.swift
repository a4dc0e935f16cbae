package import GlassDeepLinking

/// A function of a market file that handles links: the payload of `handle`, in any language.
package protocol LinkHandling: AnyObject, Sendable {
    /// Handles a link.
    ///
    /// - Parameters:
    ///   - link: The link with its parameters.
    ///   - state: What to change.
    ///   - id: The routable's id, for errors.
    /// - Returns: False to decline the link.
    /// - Throws: The function's error, or the limit that it exceeded.
    func handle(_ link: DeepLink, state: DeepLinkNavigationState, routable id: String) throws -> Bool
}
