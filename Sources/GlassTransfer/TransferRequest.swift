package import Foundation

/// A request with limits on the size and duration of its response.
package struct TransferRequest: Sendable {
    /// The URL, with `http` or `https`.
    package var url: URL
    /// The method.
    package var method = "GET"
    /// The header fields, by name.
    package var fields: [String: String] = [:]
    /// The content.
    package var body: Data?
    /// The policy for redirects.
    package var redirects = RedirectPolicy()
    /// The limits on size and time.
    package var limits: TransferLimits
    /// Whether the content of a response with this status is wanted. Unwanted content is dropped.
    package var wantsBody: @Sendable (_ status: Int) -> Bool = { _ in true }

    /// Creates a request.
    package init(_ url: URL, limits: TransferLimits) {
        self.url = url
        self.limits = limits
    }

    /// The value of a field. Case does not matter in the name.
    subscript(field name: String) -> String? {
        fields.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// Removes the fields whose lowercase names satisfy the condition.
    mutating func removeFields(where isUnwanted: (String) -> Bool) {
        fields = fields.filter { !isUnwanted($0.key.lowercased()) }
    }

    /// The reason why the request cannot be sent; nil if it can. A line break in a field would start another field.
    var problem: URLError? {
        guard ["http", "https"].contains(url.scheme?.lowercased()) else { return URLError(.unsupportedURL) }
        guard url.host?.isEmpty == false else { return URLError(.badURL) }
        let isControl = { (byte: UInt8) in byte < 0x20 && byte != 0x09 || byte == 0x7F }
        let hasControl = ([method: ""].merging(fields) { $1 }).contains {
            $0.key.utf8.contains(where: isControl) || $0.value.utf8.contains(where: isControl)
        }
        guard hasControl else { return nil }
        return URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: "a header field has a control character"])
    }
}

/// Limits on the size and duration of a transfer.
package struct TransferLimits: Sendable {
    /// The maximum number of bytes of all heads of a response: interim responses, its own head, and trailer fields.
    package var headBytes = 64 << 10
    /// The maximum number of bytes of the content, after decompression.
    package var bodyBytes: Int
    /// The bytes of content from an earlier transfer. They count if the response is the rest (status 206).
    package var resumedBytes = 0
    /// The time limit for everything, redirects included. With nil, the configuration decides.
    package var time: Duration?
    /// The time for which the server may neither send nor receive bytes. With nil, the configuration decides.
    package var silence: Duration?

    /// Creates limits.
    package init(bodyBytes: Int, time: Duration? = nil, silence: Duration? = nil) {
        self.bodyBytes = bodyBytes
        self.time = time
        self.silence = silence
    }

    /// The maximum number of bytes that a connection may carry for the content. Compression and chunks can add to it,
    /// and both can go on forever without adding a byte of content.
    var transportBytes: Int { bodyBytes.multipliedReportingOverflow(by: 2).partialValue &+ (1 << 20) }
}

/// A policy for redirects. It never allows https to http, and sends only harmless fields to another origin.
package struct RedirectPolicy: Sendable {
    /// The maximum number of redirects. With nil, the redirect is the response.
    package var maximum: Int?
    /// The reason why a redirect is refused; nil if it is allowed.
    package var refusal: @Sendable (_ target: URL) -> String?

    /// Creates a policy.
    package init(maximum: Int? = 10, refusal: @escaping @Sendable (_ target: URL) -> String? = { _ in nil }) {
        self.maximum = maximum
        self.refusal = refusal
    }

    /// A policy that makes the redirect the response.
    package static var answered: Self { Self(maximum: nil) }

    /// The fields that may go to another origin. All others could identify the customer or the app.
    private static let travelling: Set = [
        "accept", "accept-language", "accept-encoding", "user-agent", "content-type", "content-length",
        "if-none-match", "if-modified-since", "if-range", "range",
    ]

    /// The request that follows a redirect.
    package func next(
        _ request: TransferRequest, to target: URL, status: Int, number: Int
    ) throws(TransferError) -> TransferRequest {
        if let maximum, number > maximum { throw .redirect(.tooMany(limit: maximum), to: target) }
        let scheme = target.scheme?.lowercased()
        guard request.url.scheme?.lowercased() != "https" || scheme == "https" else {
            throw .redirect(.insecure, to: target)
        }
        if let reason = refusal(target) { throw .redirect(.refused(reason), to: target) }
        var next = request
        next.url = target
        // RFC 9110, sections 15.4.2 to 15.4.4.
        if status == 303 && request.method != "HEAD" || [301, 302].contains(status) && request.method == "POST" {
            next.method = "GET"
            next.body = nil
            next.removeFields { $0.hasPrefix("content-") }
        }
        if target.origin != request.url.origin { next.removeFields { !Self.travelling.contains($0) } }
        return next
    }
}

extension URL {
    /// Whether the URL refers to this machine, where other machines cannot read unencrypted traffic.
    package var isOnThisMachine: Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host()?.lowercased() ?? "")
    }

    /// The scheme, host and port. A missing port is the scheme's default.
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
