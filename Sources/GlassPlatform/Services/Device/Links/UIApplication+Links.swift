#if os(iOS)
    import Foundation
    import GlassDeepLinking
    public import UIKit

    /// The application as the handler of links that leave the app: `register(ApplicationURLHandler.self) { _ in
    /// UIApplication.shared }`.
    ///
    /// It knows no market, so it opens links of any scheme and domain, except those that are refused in any market: links
    /// without encryption, malformed ones, and ones with side effects. The platform's own handler also checks the market's
    /// lists. To use it, don't register an `ApplicationURLHandler`.
    extension UIApplication: ApplicationURLHandler {
        /// Whether the link may leave the app, without regard to a market.
        ///
        /// - Parameter url: The link.
        /// - Returns: False if it would be refused in any market.
        public nonisolated func canOpen(_ url: String) -> Bool { OutboundLink.refusalWithoutMarket(of: url) == nil }

        /// Opens a link outside the app.
        ///
        /// - Parameter url: The link.
        /// - Throws: ``ApplicationURLError/refused(_:)`` if it would be refused in any market, or
        ///   ``ApplicationURLError/openerFailed(_:url:cause:)`` if no app opened it.
        public nonisolated func open(_ url: String) async throws(ApplicationURLError) {
            if let refusal = OutboundLink.refusalWithoutMarket(of: url) { throw .refused(refusal) }
            guard let checked = URL(string: url) else {
                throw .refused(DeepLinkRefusal(rule: .malformed, part: url, offset: 0))
            }
            guard await openChecked(checked) else {
                throw .openerFailed("the application", url: url, cause: OpenerExit(status: 1))
            }
        }

        private func openChecked(_ url: URL) async -> Bool { await open(url) }
    }
#endif
