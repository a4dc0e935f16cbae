public import Foundation
package import GlassTransfer

/// A folder of an HTTP server.
///
/// Content is counted as it arrives and after decompression, so no server can exceed the requested size. There are no
/// cookies and no cache; redirects are followed only if ``UpdateServer`` allows them.
package final class HTTPUpdateTransport: UpdateTransport {
    private let server: UpdateServer
    private let silence: Duration
    private let transfer: HTTPTransfer

    /// Creates a transport.
    package init(
        _ server: UpdateServer, silence: Duration = UpdateLimits().silence, through library: TransferLibrary = .standard
    ) {
        self.server = server
        self.silence = silence
        transfer = HTTPTransfer(through: library, configuration: HTTPTransfer.isolated)
    }

    package func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
        guard let url = server.url(of: request.path) else {
            throw TransportFailure(.network, "\(request.path) is not a valid URL path")
        }
        var asked = TransferRequest(
            url, limits: TransferLimits(bodyBytes: request.limit, time: request.timeLimit, silence: silence))
        asked.fields["If-None-Match"] = request.ifNoneMatch
        asked.redirects = RedirectPolicy(maximum: UpdateServer.maximumRedirects) { [server] in server.refusal(of: $0) }
        // The body of a response with any other status is never used.
        asked.wantsBody = { $0 == 200 || $0 == 206 }
        let received = request.resuming?.bytes.count ?? 0
        asked.limits.resumedBytes = received
        if let partial = request.resuming, received < request.limit {
            asked.fields["Range"] = "bytes=\(received)-"
            // Requests the rest of this file, or all of the file that has replaced it (RFC 9110, section 13.1.5).
            asked.fields["If-Range"] = partial.entityTag
            // A range refers to the transmitted bytes, so only an uncompressed response can continue the partial file.
            asked.fields["Accept-Encoding"] = "identity"
        }
        let outcome = await transfer.send(asked)
        return try HTTPResponseReading(request: request, outcome: outcome, now: Date()).response()
    }
}

/// The folder of a server that files are fetched from, and the redirects that it may use.
public struct UpdateServer: Sendable, Equatable {
    /// The folder.
    public let url: URL
    /// Other hosts that the server may redirect to, such as that of a content delivery network.
    public let redirectHosts: Set<String>
    /// Whether requests without TLS are allowed to hosts other than this machine. For test programs.
    let allowsPlainHTTP: Bool

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - url: The folder: `https`, or `http` on the loopback of this machine.
    ///   - redirectHosts: Other hosts that the server may redirect to.
    /// - Throws: ``MetadataError`` with the rule `network` if the URL has another scheme or no host.
    public init(_ url: URL, redirectHosts: Set<String> = []) throws(MetadataError) {
        try self.init(url, redirectHosts: redirectHosts, allowsPlainHTTP: false)
    }

    /// Creates a server that allows requests without TLS.
    package init(_ url: URL, redirectHosts: Set<String> = [], allowsPlainHTTP: Bool) throws(MetadataError) {
        self.url = url
        self.redirectHosts = Set(redirectHosts.map { $0.lowercased() })
        self.allowsPlainHTTP = allowsPlainHTTP
        guard isSafe(url) else {
            throw MetadataError(
                "server", .network, "\(url.absoluteString) is not an https URL; http is allowed for this machine only")
        }
    }

    /// The URL of a file.
    func url(of path: String) -> URL? {
        let base = url.absoluteString
        return URL(string: base + (base.hasSuffix("/") ? "" : "/") + path)
    }

    /// The maximum number of redirects.
    static let maximumRedirects = 3

    /// The message for a redirect away from TLS.
    static let isNotHTTPS = "it redirects to a URL that is not https"

    /// The reason why a redirect is not followed, or `nil` if it is allowed.
    func refusal(of next: URL) -> String? {
        guard isSafe(next) else { return Self.isNotHTTPS }
        let host = next.host()?.lowercased() ?? ""
        guard host == url.host()?.lowercased() || redirectHosts.contains(host) else {
            return "it redirects to the host \(host), which is not listed"
        }
        return nil
    }

    private func isSafe(_ url: URL) -> Bool {
        guard let host = url.host(), !host.isEmpty else { return false }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http": return allowsPlainHTTP || url.isOnThisMachine
        default: return false
        }
    }
}
