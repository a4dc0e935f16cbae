public import Foundation
public import GlassMarkets
public import GlassSchema

/// Why a request has no answer that can be used.
public enum NetworkingError: Error {
    /// The request that failed, in a form that can be shown: the values of the query are left out.
    public struct Request: Sendable, Equatable, CustomStringConvertible {
        /// The method.
        public var method: String
        /// The URL without user, fragment and the values of the query.
        public var url: String
        /// How many attempts were made.
        public var attempts: Int

        /// Describes a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - url: The whole URL; only what can be shown is kept.
        ///   - attempts: How many attempts were made.
        public init(method: String, url: URL?, attempts: Int = 0) {
            self.method = method
            self.url = url?.withoutSecrets ?? "(no URL)"
            self.attempts = attempts
        }

        /// `GET https://api.example.com/items?q=…`.
        public var description: String { "\(method) \(url)" }
    }

    /// Why a redirect was not followed.
    public enum RedirectProblem: Sendable, Equatable {
        /// More redirects than the limit.
        case tooMany(limit: Int)
        /// From https to http.
        case insecure
    }

    /// No answer came: the connection failed, broke or took too long.
    case transport(Request, cause: URLError)
    /// The server answered with a status of 400 or more.
    case status(Request, NetworkResponse, retryAfter: Duration?)
    /// The answer is not what it should decode to.
    case undecodable(Request, type: String, cause: any Error)
    /// A redirect was not followed.
    case redirect(Request, RedirectProblem, to: String)
    /// The answer is longer than the limit.
    case tooLarge(Request, limit: Int)
    /// The request cannot be sent as it is.
    case invalidRequest(Request, problem: String)
    /// The environment has no such service.
    case environment(Request, cause: EnvironmentError)
    /// A secret that the request carries has no value.
    case secret(Request, cause: SecretError)
    /// The task that waited for the answer was cancelled.
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

    /// The status of the answer, if there was one.
    public var status: Int? {
        guard case .status(_, let response, _) = self else { return nil }
        return response.status
    }

    /// The error that this one comes from, if there is one.
    public var cause: (any Error)? {
        switch self {
        case .transport(_, let cause): cause
        case .undecodable(_, _, let cause): cause
        case .environment(_, let cause): cause
        case .secret(_, let cause): cause
        default: nil
        }
    }

    /// How long the server asked to wait, if it did.
    public var retryAfter: Duration? {
        guard case .status(_, _, let retryAfter) = self else { return nil }
        return retryAfter
    }

    /// Whether another attempt may end better.
    ///
    /// - Parameter policy: Which statuses are worth it.
    /// - Returns: True for connections that failed or broke and for the policy's statuses.
    public func isRetryable(under policy: RetryPolicy) -> Bool {
        switch self {
        case .transport(_, let cause): cause.code.isRetryable
        case .status(_, let response, _): policy.statuses.contains(response.status)
        default: false
        }
    }
}

extension NetworkingError: DescriptiveError {
    /// What failed, for which request, and what to do where that is known.
    public var description: String {
        let attempts = request.attempts > 1 ? " after \(request.attempts) attempts" : ""
        return switch self {
        case .transport(let request, let cause):
            "\(request) failed\(attempts): \(cause.code.explanation) (URLError \(cause.errorCode))"
        case .status(let request, let response, let retryAfter):
            "\(request) was answered \(response.status)\(attempts)"
                + (retryAfter.map { "; the server asks to wait \(Int(($0 / .seconds(1)).rounded(.up))) s" } ?? "")
        case .undecodable(let request, let type, let cause):
            "the answer to \(request) is no \(type): \(cause.decodingExplanation)"
        case .redirect(let request, .tooMany(let limit), let target):
            "\(request) was redirected more than \(limit) times, last to \(target)"
        case .redirect(let request, .insecure, let target):
            "\(request) was redirected from https to \(target); the server must redirect to https"
        case .tooLarge(let request, let limit):
            "the answer to \(request) is longer than the limit of \(limit) bytes"
        case .invalidRequest(let request, let problem): "\(request) cannot be sent: \(problem)"
        case .environment(let request, let cause): "\(request) cannot be sent: \(cause)"
        case .secret(let request, let cause): "\(request) cannot be sent: \(cause)"
        case .cancelled(let request): "\(request) was cancelled\(attempts)"
        case .shutDown(let request): "\(request) was not sent: the service is shut down"
        }
    }
}

extension URL {
    /// Scheme, host, port and path, and the names of the query's items: what may stand in a log.
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

    /// What happened, and what to look at.
    var explanation: String {
        switch self {
        case .timedOut: "no complete answer in time"
        case .cannotFindHost, .dnsLookupFailed: "the host is unknown; check its name and the network"
        case .cannotConnectToHost: "the host does not accept connections; check the port and whether it runs"
        case .networkConnectionLost: "the connection broke before the answer was complete"
        case .notConnectedToInternet: "there is no network"
        case .badServerResponse, .cannotParseResponse, .zeroByteResource: "the answer is no HTTP"
        case .unsupportedURL, .badURL: "the URL cannot be requested"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            "no secure connection could be made; check the host's certificate"
        default: "the request could not be carried out"
        }
    }
}

extension Error {
    /// Where in the answer it went wrong and why, without the answer's content.
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
            return context.codingPath.isEmpty ? "it is no JSON" : "unreadable\(place(context.codingPath))"
        @unknown default: return "\(error)"
        }
    }
}
