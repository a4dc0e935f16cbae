import Foundation
public import GlassDeepLinking
public import GlassMarkets
package import GlassSchema

/// Opens links outside the app, if the market allows it.
public protocol ApplicationURLHandler: AnyObject, Sendable {
    /// Whether the market allows a link to leave the app.
    ///
    /// - Parameter url: The link.
    /// - Returns: `true` if the link belongs to the market's schemes, universal links, allowed domains, or outbound
    ///   schemes, and passes the gate.
    func canOpen(_ url: String) -> Bool

    /// Opens a link outside the app.
    ///
    /// - Parameter url: The link.
    /// - Throws: ``ApplicationURLError``, in which case nothing was opened.
    func open(_ url: String) async throws(ApplicationURLError)
}

/// The reason why a link was not opened outside the app.
public enum ApplicationURLError: DescriptiveError {
    /// The gate refused it, as it would refuse the same link coming in.
    case refused(DeepLinkRefusal)
    /// The market lists neither its scheme nor its domain.
    case notAllowed(_ url: String, reason: UnroutableReason)
    /// The system lacks the program.
    case noOpener(_ program: String)
    /// An app extension cannot open links through its application.
    case unavailableInExtension
    /// The opener did not open it.
    case openerFailed(_ opener: String, url: String, cause: any Error)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .refused(let refusal): "not opened: \(refusal)"
        case .notAllowed(let url, .unknownHost(let host)):
            "not opened: \(url.quotedForMessage): \(UnroutableReason.unknownHost(host)); add it to "
                + "deepLinking.allowedDomains"
        case .notAllowed(let url, let reason):
            "not opened: \(url.quotedForMessage): \(reason); add it to deepLinking.outboundSchemes if another program "
                + "should open it"
        case .noOpener(let program): "not opened: this system has no \(program); install it or set another opener"
        case .unavailableInExtension:
            "not opened: an app extension has no application; set PlatformHost.device.urlOpener to one that uses its context"
        case .openerFailed(let opener, let url, let cause):
            "not opened: \(opener) did not open \(url.quotedForMessage): \(cause)"
        }
    }
}

extension ApplicationURLHandler {
    /// Opens the app's page in the system settings, where the user can change a permission.
    ///
    /// - Throws: ``ApplicationURLError``, including if the market's `deepLinking.outboundSchemes` lack `app-settings`,
    ///   or if the system has no such page.
    public func openSettings() async throws(ApplicationURLError) { try await open("app-settings:") }

    /// The script methods `canOpen` and `open`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("canOpen", ["url"], "Whether the market allows a link to leave the app.") { arguments in
                .boolean(self.canOpen(try arguments.string(0, "url")))
            },
            ScriptMethod("open", ["url"], "Opens a link outside the app; raises an error if it fails.", keeps: true) {
                arguments in
                try await self.open(try arguments.string(0, "url"))
                return .nil
            },
        ]
    }
}
