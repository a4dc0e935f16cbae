public import Foundation
import GlassSchema

/// A request as the app states it: what is asked of which service.
///
/// ```swift
/// var request = NetworkRequest(.get, "v2/items", query: [URLQueryItem(name: "q", value: "milk & honey")])
/// request.timeout = .seconds(5)
/// let items = try await networking.decode([Item].self, from: request)
/// ```
public struct NetworkRequest: Sendable, Equatable {
    /// What is done to the resource.
    public enum Method: String, Sendable, CaseIterable {
        /// Reads.
        case get = "GET"
        /// Reads the header fields.
        case head = "HEAD"
        /// Asks what is possible.
        case options = "OPTIONS"
        /// Replaces.
        case put = "PUT"
        /// Removes.
        case delete = "DELETE"
        /// Creates or does something.
        case post = "POST"
        /// Changes a part.
        case patch = "PATCH"

        /// Whether doing it twice is the same as doing it once (RFC 9110 §9.2.2).
        package var isIdempotent: Bool { self != .post && self != .patch }
    }

    /// Where a request goes.
    public enum Target: Sendable, Equatable {
        /// A path below the base URL of a service; nil is the market's default service. The path is plain text, not
        /// percent-encoded.
        case service(String?, path: String)
        /// Anywhere. The market's consumer key is not sent there.
        case url(URL)
    }

    /// What is done to the resource.
    public var method: Method
    /// Where the request goes.
    public var target: Target
    /// Added to the URL's query.
    public var query: [URLQueryItem]
    /// Header fields of this request; they win over the market's.
    public var headers: [String: String]
    /// The content.
    public var body: Data?
    /// The longest that one attempt may take; nil leaves it to the market.
    public var timeout: Duration?
    /// How the request is repeated; nil leaves it to the market.
    public var retry: RetryPolicy?
    /// Whether repeating it is harmless, where the method does not say; such as a POST with an idempotency key.
    public var isIdempotent: Bool?
    /// Whether it is reported to analytics when the market says so.
    public var isTracked = true

    /// Creates a request to a service.
    ///
    /// - Parameters:
    ///   - method: What is done to the resource.
    ///   - path: The path below the base URL, as plain text.
    ///   - service: The service; nil is the market's default one.
    ///   - query: The query.
    ///   - headers: Header fields of this request.
    ///   - body: The content.
    public init(
        _ method: Method = .get, _ path: String, service: String? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], body: Data? = nil
    ) {
        self.method = method
        target = .service(service, path: path)
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Creates a request to any URL.
    ///
    /// - Parameters:
    ///   - method: What is done to the resource.
    ///   - url: Where it goes.
    ///   - query: Added to the URL's query.
    ///   - headers: Header fields of this request.
    ///   - body: The content.
    public init(
        _ method: Method = .get, url: URL, query: [URLQueryItem] = [], headers: [String: String] = [:],
        body: Data? = nil
    ) {
        self.init(method, "", query: query, headers: headers, body: body)
        target = .url(url)
    }

    /// Sets a value as JSON content.
    ///
    /// - Parameters:
    ///   - value: The content.
    ///   - encoder: How it is written.
    /// - Throws: What the encoder throws.
    public mutating func setJSON(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws {
        body = try encoder.encode(value)
        headers["Content-Type"] = "application/json"
    }

    /// Whether a failed attempt may be followed by another one.
    package func mayRepeat(under policy: RetryPolicy) -> Bool {
        isIdempotent ?? method.isIdempotent || policy.retriesNonIdempotent
    }
}
