package import GlassDeepLinking

/// A function of a market file that handles links: the payload of `handle`, in any language.
package protocol LinkHandling: AnyObject, Sendable {
    /// Handles a link.
    func handle(_ link: DeepLink, state: DeepLinkNavigationState, routable id: String) throws -> Bool
}
