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

    /// Opens a link outside the app.
    ///
    /// - Parameter url: The link.
    /// - Throws: ``ApplicationURLError``, in which case nothing was opened.
    package func open(_ url: String) async throws(ApplicationURLError) {
        if let refusal = refusal(of: url) { throw refusal }
        let text = Self.escaped(url)
        guard let checked = URL(string: text) else {
            throw .refused(DeepLinkRefusal(rule: .malformed, part: url, offset: 0))
        }
        switch opener {
        case .system: try await openWithSystem(checked)
        case .print(let sink): sink(text)
        case .custom(let open):
            do {
                try await open(checked)
            } catch {
                throw .openerFailed("the program's opener", url: text, cause: error)
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

    private func openWithSystem(_ url: URL) async throws(ApplicationURLError) {
        #if os(iOS)
            try await ApplicationOpener.open(url)
        #elseif os(macOS)
            guard NSWorkspace.shared.open(url) else {
                throw .openerFailed("the workspace", url: url.absoluteString, cause: OpenerExit(status: 1))
            }
        #elseif os(Linux)
            try await DesktopOpener().open(url)
        #else
            throw .noOpener("opener")
        #endif
    }

    /// Escapes characters that a shell would interpret, because openers are often shell scripts, and characters that
    /// are invalid in URLs.
    ///
    /// The gate has already refused control characters, spaces, and backslashes, and has verified that each percent
    /// sign starts an escape, so percent signs are kept.
    static func escaped(_ url: String) -> String {
        let unescaped = Set("-._~:/?#[]@!&*+,=%".utf8)
        var text = ""
        for byte in url.utf8 {
            let isAlphanumeric: Bool =
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            if isAlphanumeric || unescaped.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
