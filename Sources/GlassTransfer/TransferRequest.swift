package import Foundation

/// A request, with how much may come back and how long that may take.
package struct TransferRequest: Sendable {
    /// Where it goes: `http` or `https`.
    package var url: URL
    /// What is done to the resource.
    package var method = "GET"
    /// The header fields, by their names.
    package var fields: [String: String] = [:]
    /// The content.
    package var body: Data?
    /// Which redirects are followed.
    package var redirects = RedirectPolicy()
    /// How much may come, and how long that may take.
    package var limits: TransferLimits
    /// Whether the content of an answer with this status is wanted. What is not wanted is dropped.
    package var wantsBody: @Sendable (_ status: Int) -> Bool = { _ in true }

    /// Creates a request.
    package init(_ url: URL, limits: TransferLimits) {
        self.url = url
        self.limits = limits
    }

    /// The value of a field, whose name may be written in any case.
    subscript(field name: String) -> String? {
        fields.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// Removes the fields whose lower-case names are so.
    mutating func removeFields(where isUnwanted: (String) -> Bool) {
        fields = fields.filter { !isUnwanted($0.key.lowercased()) }
    }

    /// Why the request cannot be sent; nil if it can. A line end in a field would begin another field.
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

/// How much may come, and how long that may take.
package struct TransferLimits: Sendable {
    /// The bytes of all heads of an answer: interim answers, its own, and the fields behind the content.
    package var headBytes = 64 << 10
    /// The bytes of the content, after decompression.
    package var bodyBytes: Int
    /// How many bytes of the content came before. They count where the answer is the rest (status 206).
    package var resumedBytes = 0
    /// How long all may take, redirects included; nil leaves it to the configuration.
    package var time: Duration?
    /// How long the server may send and take nothing; nil leaves it to the configuration.
    package var silence: Duration?

    /// Creates limits.
    package init(bodyBytes: Int, time: Duration? = nil, silence: Duration? = nil) {
        self.bodyBytes = bodyBytes
        self.time = time
        self.silence = silence
    }

    /// What a connection may carry of a content: compression and chunks may make it larger than it is, and both can be
    /// sent without end without adding a byte to it.
    var transportBytes: Int { bodyBytes.multipliedReportingOverflow(by: 2).partialValue &+ (1 << 20) }
}

/// Which redirects are followed: never from https to http, and with harmless fields only to another origin.
package struct RedirectPolicy: Sendable {
    /// How many are followed; nil makes the redirect the answer.
    package var maximum: Int?
    /// Why one is not followed; nil if it is.
    package var refusal: @Sendable (_ target: URL) -> String?

    /// Creates a policy.
    package init(maximum: Int? = 10, refusal: @escaping @Sendable (_ target: URL) -> String? = { _ in nil }) {
        self.maximum = maximum
        self.refusal = refusal
    }

    /// Makes the redirect the answer.
    package static var answered: Self { Self(maximum: nil) }

    /// What may follow to another origin; everything else may identify the customer or the app.
    private static let travelling: Set = [
        "accept", "accept-language", "accept-encoding", "user-agent", "content-type", "content-length",
        "if-none-match", "if-modified-since", "if-range", "range",
    ]

    /// The request that a redirect leads to.
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
    /// Scheme, host and port, with the port that the scheme implies.
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
