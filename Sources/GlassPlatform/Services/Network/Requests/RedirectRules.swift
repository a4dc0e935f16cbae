import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which redirects are followed, and with what.
package enum RedirectRules {
    /// A redirect that is not followed.
    struct Refusal: Error, Equatable {
        let problem: NetworkingError.RedirectProblem
    }

    /// How many redirects of a request are followed.
    package static let maximumRedirects = 10

    /// What may follow a redirect to another host; everything else may identify the customer or the app.
    private static let travelling: Set = [
        "accept", "accept-language", "accept-encoding", "user-agent", "content-type", "content-length",
        "if-none-match", "if-modified-since", "range",
    ]

    /// The request that a redirect leads to.
    static func next(
        _ request: URLRequest, after old: URL?, redirect count: Int, limit: Int = maximumRedirects
    ) throws(Refusal) -> URLRequest {
        guard count <= limit else { throw Refusal(problem: .tooMany(limit: limit)) }
        guard old?.scheme?.lowercased() != "https" || request.url?.scheme?.lowercased() == "https" else {
            throw Refusal(problem: .insecure)
        }
        guard let old, old.origin != request.url?.origin else { return request }
        var request = request
        for name in (request.allHTTPHeaderFields ?? [:]).keys where !travelling.contains(name.lowercased()) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        return request
    }
}

extension URL {
    /// Scheme, host and port, with the port that the scheme implies.
    fileprivate var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
