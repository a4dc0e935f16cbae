package import GlassSchema

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Builds the request to send from the app's request. The live service and the mock share it.
package struct RequestBuilder: Sendable {
    private let environment: any EnvironmentAPI
    private let defaultService: String
    private let headers: [String: String]
    /// The fields whose values only the services of the environments may learn, such as the consumer key.
    private let secretHeaders: [(name: String, secret: Secret)]

    /// Creates a builder.
    ///
    /// - Parameter sessionSecrets: The secret headers of the sessions, which those of the configuration override.
    package init(
        environment: any EnvironmentAPI, configuration: NetworkingConfiguration, sessionSecrets: [String: Secret] = [:]
    ) {
        self.environment = environment
        defaultService = configuration.defaultService
        headers = configuration.headers.texts
        let own = configuration.consumerKey.map { [configuration.consumerKeyHeader: $0] } ?? [:]
        secretHeaders = [sessionSecrets, configuration.headers.secrets, own].flatMap { secrets in
            secrets.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// The name of the service that a request is sent to.
    package func service(of request: NetworkRequest) -> String? {
        guard case .service(let name, _) = request.target else { return nil }
        return name ?? defaultService
    }

    /// Builds the request to send.
    package func makeRequest(_ request: NetworkRequest) throws(NetworkingError) -> URLRequest {
        let url = try makeURL(request)
        let shown = NetworkingError.Request(method: request.method.rawValue, url: url)
        var made = URLRequest(url: url)
        made.httpMethod = request.method.rawValue
        made.httpBody = request.body
        var fields = HTTPFields(headers)
        if case .service = request.target {
            for (name, secret) in secretHeaders {
                do throws(SecretError) {
                    fields[name] = try secret.reveal()
                } catch {
                    throw .secret(shown, cause: error)
                }
            }
        }
        for (name, value) in request.headers { fields[name] = value }
        let spellings = Dictionary(
            (Array(headers.keys) + secretHeaders.map(\.name) + request.headers.keys).map { ($0.lowercased(), $0) },
            uniquingKeysWith: { $1 })
        for (name, value) in fields.fields {
            guard StringFormat.headerName.matches(name) else {
                throw .invalidRequest(shown, problem: "\(name.quotedForMessage) is not a valid header field name")
            }
            guard StringFormat.headerValue.matches(value) else {
                throw .invalidRequest(shown, problem: "the value of \(name) must be printable ASCII on one line")
            }
            made.setValue(value, forHTTPHeaderField: spellings[name] ?? name)
        }
        return made
    }

    private func makeURL(_ request: NetworkRequest) throws(NetworkingError) -> URL {
        let method = request.method.rawValue
        switch request.target {
        case .url(let url):
            guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http", url.host != nil else {
                throw .invalidRequest(
                    NetworkingError.Request(method: method, url: url), problem: "it needs an http or https URL")
            }
            return url.adding(request.query)
        case .service(_, let path):
            let base: URL
            do {
                base = try environment.baseURL(for: service(of: request) ?? defaultService)
            } catch {
                throw .environment(NetworkingError.Request(method: method, url: URL(string: path)), cause: error)
            }
            let segments = path.split(separator: "/")
            guard !segments.contains("..") && !segments.contains(".") else {
                throw .invalidRequest(
                    NetworkingError.Request(method: method, url: base),
                    problem: "the path \(path.quotedForMessage) has a segment \".\" or \"..\"")
            }
            let url = segments.isEmpty ? base : base.appending(path: segments.joined(separator: "/"))
            return (path.hasSuffix("/") && !segments.isEmpty ? url.appending(path: "/") : url).adding(request.query)
        }
    }
}

extension URL {
    /// The URL with more query items. Plus signs are escaped, because servers decode them as spaces.
    fileprivate func adding(_ items: [URLQueryItem]) -> URL {
        guard !items.isEmpty, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        let before = parts.percentEncodedQuery.map { $0 + "&" } ?? ""
        parts.queryItems = items
        parts.percentEncodedQuery =
            before + (parts.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B")
        return parts.url ?? self
    }
}
