public import Foundation
import GlassSchema

/// A request, as the app describes it.
///
/// ```swift
/// var request = NetworkRequest(.get, "v2/items", query: [URLQueryItem(name: "q", value: "milk & honey")])
/// request.timeout = .seconds(5)
/// let items = try await networking.decode([Item].self, from: request)
/// ```
public struct NetworkRequest: Sendable, Equatable {
    /// The HTTP method.
    public enum Method: String, Sendable, CaseIterable {
        /// Retrieves the resource.
        case get = "GET"
        /// Retrieves only the header fields.
        case head = "HEAD"
        /// Retrieves the supported options.
        case options = "OPTIONS"
        /// Replaces the resource.
        case put = "PUT"
        /// Removes the resource.
        case delete = "DELETE"
        /// Creates a resource or performs an action.
        case post = "POST"
        /// Changes a part of the resource.
        case patch = "PATCH"

        /// Whether sending it twice has the same effect as sending it once (RFC 9110 §9.2.2).
        package var isIdempotent: Bool { self != .post && self != .patch }
    }

    /// The destination of a request.
    public enum Target: Sendable, Equatable {
        /// A path below the base URL of a service; `nil` is the market's default service. The path is plain text, not
        /// percent-encoded.
        case service(String?, path: String)
        /// Any URL. The market's consumer key is not sent there.
        case url(URL)
    }

    /// The HTTP method.
    public var method: Method
    /// The destination of the request.
    public var target: Target
    /// The items to add to the URL's query.
    public var query: [URLQueryItem]
    /// The header fields of this request. They override the market's.
    public var headers: [String: String]
    /// The content.
    public var body: Data?
    /// The maximum duration of an attempt; `nil` uses the market's.
    public var timeout: Duration?
    /// The retry policy; `nil` uses the market's.
    public var retry: RetryPolicy?
    /// Whether retrying is harmless, if the method does not determine it, such as a POST with an idempotency key.
    public var isIdempotent: Bool?
    /// Whether the request is reported to analytics, if the market enables that.
    public var isTracked = true

    /// Creates a request to a service.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path below the base URL, as plain text.
    ///   - service: The service; `nil` is the market's default service.
    ///   - query: The query.
    ///   - headers: The header fields of this request.
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
    ///   - method: The HTTP method.
    ///   - url: The URL.
    ///   - query: The items to add to the URL's query.
    ///   - headers: The header fields of this request.
    ///   - body: The content.
    public init(
        _ method: Method = .get, url: URL, query: [URLQueryItem] = [], headers: [String: String] = [:],
        body: Data? = nil
    ) {
        self.init(method, "", query: query, headers: headers, body: body)
        target = .url(url)
    }

    /// Sets the content to a value encoded as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder.
    /// - Throws: Any error of the encoder.
    public mutating func setJSON(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws {
        body = try encoder.encode(value)
        headers["Content-Type"] = "application/json"
    }

    /// Whether a failed attempt can be retried.
    package func mayRepeat(under policy: RetryPolicy) -> Bool {
        isIdempotent ?? method.isIdempotent || policy.retriesNonIdempotent
    }
}
