public import Foundation
package import GlassTransfer

/// A folder of an HTTP server.
///
/// Content is counted while it comes and after decompression, so that no server makes it larger than asked for. There are
/// no cookies and no cache; redirects are followed only where ``UpdateServer`` allows it.
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
            throw TransportFailure(.network, "\(request.path) is no path of a URL")
        }
        var asked = TransferRequest(
            url, limits: TransferLimits(bodyBytes: request.limit, time: request.timeLimit, silence: silence))
        asked.fields["If-None-Match"] = request.ifNoneMatch
        asked.redirects = RedirectPolicy(maximum: UpdateServer.maximumRedirects) { [server] in server.refusal(of: $0) }
        // Nobody reads the page that comes with another status.
        asked.wantsBody = { $0 == 200 || $0 == 206 }
        let received = request.resuming?.bytes.count ?? 0
        asked.limits.resumedBytes = received
        if let partial = request.resuming, received < request.limit {
            asked.fields["Range"] = "bytes=\(received)-"
            // The rest of this file, or all of the one that has taken its place (RFC 9110, section 13.1.5).
            asked.fields["If-Range"] = partial.entityTag
            // Ranges are of what is sent, and only what is not compressed continues what we have.
            asked.fields["Accept-Encoding"] = "identity"
        }
        let outcome = await transfer.send(asked)
        return try HTTPAnswerReading(request: request, outcome: outcome, now: Date()).response()
    }
}

/// The folder of a server that files come from, and where it may send us.
public struct UpdateServer: Sendable, Equatable {
    /// The folder.
    public let url: URL
    /// Further hosts that it may redirect to, as that of a content delivery network.
    public let redirectHosts: Set<String>
    /// Whether it may be asked without TLS although it is not this machine; for programs that test.
    let allowsPlainHTTP: Bool

    /// Creates the description of a server.
    ///
    /// - Parameters:
    ///   - url: The folder: `https`, or `http` on this machine's loopback.
    ///   - redirectHosts: Further hosts that it may redirect to.
    /// - Throws: ``MetadataError`` with the rule `network` if the URL is of another scheme, or has no host.
    public init(_ url: URL, redirectHosts: Set<String> = []) throws(MetadataError) {
        try self.init(url, redirectHosts: redirectHosts, allowsPlainHTTP: false)
    }

    /// Creates the description of a server that may be asked without TLS.
    package init(_ url: URL, redirectHosts: Set<String> = [], allowsPlainHTTP: Bool) throws(MetadataError) {
        self.url = url
        self.redirectHosts = Set(redirectHosts.map { $0.lowercased() })
        self.allowsPlainHTTP = allowsPlainHTTP
        guard isSafe(url) else {
            throw MetadataError(
                "server", .network, "\(url.absoluteString) is no https URL; http is right on this machine only")
        }
    }

    /// The URL of a file.
    func url(of path: String) -> URL? {
        let base = url.absoluteString
        return URL(string: base + (base.hasSuffix("/") ? "" : "/") + path)
    }

    /// How many redirects are followed.
    static let maximumRedirects = 3

    /// What is wrong with a redirect away from TLS.
    static let isNotHTTPS = "it redirects to a URL that is not https"

    /// Why a redirect is not followed, nil if it is.
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
        case "http": return allowsPlainHTTP || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
        default: return false
        }
    }
}
