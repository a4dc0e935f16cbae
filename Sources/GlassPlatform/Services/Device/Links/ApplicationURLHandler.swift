import Foundation
public import GlassDeepLinking
public import GlassMarkets
package import GlassSchema

/// Opens links outside of the app, where the market lets them go.
public protocol ApplicationURLHandler: AnyObject, Sendable {
    /// Whether the market lets a link leave the app.
    ///
    /// - Parameter url: The link.
    /// - Returns: True for a link of the market's schemes, universal links, allowed domains and outbound schemes that the
    ///   gate lets pass.
    func canOpen(_ url: String) -> Bool

    /// Opens a link outside of the app.
    ///
    /// - Parameter url: The link.
    /// - Throws: ``ApplicationURLError``; nothing was opened then.
    func open(_ url: String) async throws(ApplicationURLError)
}

/// Why a link was not opened outside of the app.
public enum ApplicationURLError: DescriptiveError {
    /// The gate refuses it, as it refuses such a link that comes in.
    case refused(DeepLinkRefusal)
    /// The market has neither its scheme nor its domain.
    case notAllowed(_ url: String, reason: UnroutableReason)
    /// The system has no such program.
    case noOpener(_ program: String)
    /// The opener did not take it.
    case openerFailed(_ opener: String, url: String, cause: any Error)

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .refused(let refusal): "not opened: \(refusal)"
        case .notAllowed(let url, .unknownHost(let host)):
            "not opened: \(url.quotedForMessage): \(UnroutableReason.unknownHost(host)); add it to "
                + "deepLinking.allowedDomains"
        case .notAllowed(let url, let reason):
            "not opened: \(url.quotedForMessage): \(reason); add it to deepLinking.outboundSchemes if another program "
                + "is to open it"
        case .noOpener(let program): "not opened: this system has no \(program); install it or set another opener"
        case .openerFailed(let opener, let url, let cause):
            "not opened: \(opener) did not take \(url.quotedForMessage): \(cause)"
        }
    }
}

extension ApplicationURLHandler {
    /// Opens the app's page in the system's settings, where the user can change a permission.
    ///
    /// - Throws: ``ApplicationURLError``; also where the market's `deepLinking.outboundSchemes` lack `app-settings`, and
    ///   on systems that have no such page.
    public func openSettings() async throws(ApplicationURLError) { try await open("app-settings:") }

    /// `canOpen` and `open`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("canOpen", ["url"], "Whether the market lets a link leave the app.") { arguments in
                .boolean(self.canOpen(try arguments.string(0, "url")))
            },
            ScriptMethod("open", ["url"], "Opens a link outside of the app; raises when it cannot.", keeps: true) {
                arguments in
                try await self.open(try arguments.string(0, "url"))
                return .nil
            },
        ]
    }
}
