public import Foundation
public import GlassMarkets
public import GlassSchema

/// The reason why a request has no usable response.
public enum NetworkingError: Error {
    /// A safe description of the failed request, without the values of the query.
    public struct Request: Sendable, Equatable, CustomStringConvertible {
        /// The method.
        public var method: String
        /// The URL without user, fragment, and query values.
        public var url: String
        /// The number of attempts.
        public var attempts: Int

        /// Creates the description of a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - url: The whole URL. Only the safe parts are kept.
        ///   - attempts: The number of attempts.
        public init(method: String, url: URL?, attempts: Int = 0) {
            self.method = method
            self.url = url?.withoutSecrets ?? "(no URL)"
            self.attempts = attempts
        }

        /// `GET https://api.example.com/items?q=…`.
        public var description: String { "\(method) \(url)" }
    }

    /// The reason why a redirect was not followed.
    public enum RedirectProblem: Sendable, Equatable {
        /// More redirects than the limit.
        case tooMany(limit: Int)
        /// From https to http.
        case insecure
    }

    /// There was no response: the connection failed, was lost, or timed out.
    case transport(Request, cause: URLError)
    /// The server responded with a status of 400 or more.
    case status(Request, NetworkResponse, retryAfter: Duration?)
    /// The response cannot be decoded as the expected type.
    case undecodable(Request, type: String, cause: any Error)
    /// A redirect was not followed.
    case redirect(Request, RedirectProblem, to: String)
    /// The response exceeds the limit.
    case tooLarge(Request, limit: Int)
    /// The request is not valid and cannot be sent.
    case invalidRequest(Request, problem: String)
    /// The environment has no such service.
    case environment(Request, cause: EnvironmentError)
    /// A secret that the request carries has no value.
    case secret(Request, cause: SecretError)
    /// The task that was waiting for the response was canceled.
    case cancelled(Request)
    /// The service was shut down.
    case shutDown(Request)

    /// The request that failed.
    public var request: Request {
        switch self {
        case .transport(let request, _), .status(let request, _, _), .undecodable(let request, _, _),
            .redirect(let request, _, _), .tooLarge(let request, _), .invalidRequest(let request, _),
            .environment(let request, _), .secret(let request, _), .cancelled(let request), .shutDown(let request):
            request
        }
    }

    /// The status of the response, if there was one.
    public var status: Int? {
        guard case .status(_, let response, _) = self else { return nil }
        return response.status
    }

    /// The underlying error, if there is one.
    public var cause: (any Error)? {
        switch self {
        case .transport(_, let cause): cause
        case .undecodable(_, _, let cause): cause
        case .environment(_, let cause): cause
        case .secret(_, let cause): cause
        default: nil
        }
    }

    /// The delay that the server requested, if any.
    public var retryAfter: Duration? {
        guard case .status(_, _, let retryAfter) = self else { return nil }
        return retryAfter
    }

    /// Whether another attempt may succeed.
    ///
    /// - Parameter policy: The policy, which defines the retryable statuses.
    /// - Returns: `true` for failed or lost connections, and for the policy's statuses.
    public func isRetryable(under policy: RetryPolicy) -> Bool {
        switch self {
        case .transport(_, let cause): cause.code.isRetryable
        case .status(_, let response, _): policy.statuses.contains(response.status)
        default: false
        }
    }
}

extension NetworkingError: DescriptiveError {
    /// The request, the problem, and how to fix it, if known.
    public var description: String {
        let attempts = request.attempts > 1 ? " after \(request.attempts) attempts" : ""
        return switch self {
        case .transport(let request, let cause):
            "\(request) failed\(attempts): \(cause.code.explanation) (URLError \(cause.errorCode))"
        case .status(let request, let response, let retryAfter):
            "\(request) returned \(response.status)\(attempts)"
                + (retryAfter.map { "; retry after \(Int(($0 / .seconds(1)).rounded(.up))) s" } ?? "")
        case .undecodable(let request, let type, let cause):
            "the response to \(request) cannot be decoded as \(type): \(cause.decodingExplanation)"
        case .redirect(let request, .tooMany(let limit), let target):
            "\(request) was redirected more than \(limit) times, last to \(target)"
        case .redirect(let request, .insecure, let target):
            "\(request) was redirected from https to \(target); the server must redirect to https"
        case .tooLarge(let request, let limit):
            "the response to \(request) exceeds the limit of \(limit) bytes"
        case .invalidRequest(let request, let problem): "\(request) cannot be sent: \(problem)"
        case .environment(let request, let cause): "\(request) cannot be sent: \(cause)"
        case .secret(let request, let cause): "\(request) cannot be sent: \(cause)"
        case .cancelled(let request): "\(request) was canceled\(attempts)"
        case .shutDown(let request): "\(request) was not sent: the service is shut down"
        }
    }
}

extension URL {
    /// The scheme, host, port, and path, and the names of the query items: the parts that are safe for logs.
    var withoutSecrets: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "(malformed URL)" }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        let names = parts.percentEncodedQueryItems?.map(\.name)
        parts.percentEncodedQuery = nil
        let query = names.map { "?" + $0.map { "\($0)=…" }.joined(separator: "&") } ?? ""
        return (parts.string ?? "(malformed URL)") + query
    }
}

extension URLError.Code {
    /// Whether the same request may succeed a little later.
    var isRetryable: Bool {
        switch self {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet, .badServerResponse, .zeroByteResource, .resourceUnavailable,
            .cannotParseResponse:
            true
        default: false
        }
    }

    /// A short explanation of the code, and what to check, if known.
    var explanation: String {
        switch self {
        case .timedOut: "the request timed out"
        case .cannotFindHost, .dnsLookupFailed: "the host is unknown; check its name and the network"
        case .cannotConnectToHost: "the host does not accept connections; check that the server is running"
        case .networkConnectionLost: "the connection was lost before the response was complete"
        case .notConnectedToInternet: "there is no network"
        case .badServerResponse, .cannotParseResponse, .zeroByteResource: "the response is not valid HTTP"
        case .unsupportedURL, .badURL: "the URL cannot be requested"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            "a secure connection could not be established; check the host's certificate"
        default: "the request failed"
        }
    }
}

extension Error {
    /// The position and reason of a decoding error, without the content of the response.
    fileprivate var decodingExplanation: String {
        func place(_ path: [any CodingKey]) -> String {
            guard !path.isEmpty else { return "" }
            return " at " + path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        guard let error = self as? DecodingError else { return "\(self)" }
        switch error {
        case .typeMismatch(let type, let context): return "expected \(type)\(place(context.codingPath))"
        case .valueNotFound(let type, let context): return "expected \(type), got null\(place(context.codingPath))"
        case .keyNotFound(let key, let context):
            return "the key \"\(key.stringValue)\" is missing\(place(context.codingPath))"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "it is not valid JSON" : "unreadable\(place(context.codingPath))"
        @unknown default: return "\(error)"
        }
    }
}
