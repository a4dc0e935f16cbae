package import GlassDeepLinking
import Foundation

#if os(macOS)
    import AppKit
#endif

/// Opens links with the host's opener, after they pass the same gate as incoming links.
package final class SystemURLHandler: ApplicationURLHandler {
    private let opener: URLOpener
    /// A router without routes only determines whether a link passes the gate and where it belongs.
    private let gate: DeepLinkRouter
    /// The schemes of other programs, except those that are also the market's own.
    private let outbound: Set<String>

    /// Creates the service.
    package init(configuration: DeepLinkConfiguration, opener: URLOpener = .system) {
        self.opener = opener
        gate = DeepLinkRouter(configuration: configuration)
        outbound = Set(configuration.outboundSchemes.map { $0.lowercased() })
            .subtracting(configuration.schemes.map { $0.lowercased() })
    }

    /// Whether the market allows a link to leave the app.
    package func canOpen(_ url: String) -> Bool { refusal(of: url) == nil }

    /// Opens a link outside the app, with the bytes that it has. Only bytes that no URI can have, such as those of `é`,
    /// are escaped, where an opener takes a `URL`: escaping a reserved character makes another link (RFC 3986, §2.2).
    ///
    /// - Parameter url: The link.
    /// - Throws: ``ApplicationURLError``, in which case nothing was opened.
    package func open(_ url: String) async throws(ApplicationURLError) {
        if let refusal = refusal(of: url) { throw refusal }
        guard let checked = URL(string: url) else {
            throw .refused(DeepLinkRefusal(rule: .malformed, part: url, offset: 0))
        }
        switch opener {
        case .system: try await openWithSystem(url, checked)
        case .print(let sink): sink(url)
        case .custom(let open):
            do {
                try await open(checked)
            } catch {
                throw .openerFailed("the program's opener", url: url, cause: error)
            }
        }
    }

    private func refusal(of url: String) -> ApplicationURLError? {
        if let scheme = OutboundLink.scheme(of: url), outbound.contains(scheme) {
            return OutboundLink.refusal(of: url, scheme: scheme).map { .refused($0) }
        }
        return switch gate.dryRun(url).outcome {
        case .refused(let refusal): .refused(refusal)
        // The router has no routes: a link of the app itself is unroutable, and one of an allowed domain is external.
        case .external, .unroutable(.noRoute), .routed, .waiting, .running, .failed: nil
        case .unroutable(let reason): .notAllowed(url, reason: reason)
        }
    }

    private func openWithSystem(_ text: String, _ url: URL) async throws(ApplicationURLError) {
        #if os(iOS)
            try await ApplicationOpener.open(url)
        #elseif os(macOS)
            guard NSWorkspace.shared.open(url) else {
                throw .openerFailed("the workspace", url: url.absoluteString, cause: OpenerExit(status: 1))
            }
        #elseif os(Linux)
            try await DesktopOpener().open(text)
        #else
            throw .noOpener("opener")
        #endif
    }
}
