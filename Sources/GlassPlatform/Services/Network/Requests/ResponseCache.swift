import Foundation
import GlassTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The response cache of a configuration that no URL session uses, as on Linux.
///
/// A response is reused while ``CachedMedia`` considers it fresh, or as the configuration's policy requires.
struct ResponseCache: Sendable {
    private let cache: URLCache
    private let policy: NSURLRequest.CachePolicy
    private let headers: HTTPFields

    /// The header field of a cached response that contains its description.
    private static let field = "x-glass-cached"

    /// Creates the cache of a configuration; `nil` if it has none, or if a URL session uses it.
    init?(_ configuration: URLSessionConfiguration) {
        #if canImport(FoundationNetworking)
            guard let cache = configuration.urlCache,
                configuration.requestCachePolicy != .reloadIgnoringLocalCacheData
            else { return nil }
            self.cache = cache
            policy = configuration.requestCachePolicy
            var headers = HTTPFields()
            for (name, value) in configuration.httpAdditionalHeaders ?? [:] { headers["\(name)"] = "\(value)" }
            self.headers = headers
        #else
            return nil
        #endif
    }

    /// The cached response to a request; `nil` if the request must be sent to the server.
    func answer(to request: TransferRequest, attempt: Int, now: Date) throws(TransferError) -> NetworkResponse? {
        guard let fields = fields(of: request) else { return nil }
        if let kept = cache.cachedResponse(for: URLRequest(url: request.url)),
            let text = (kept.response as? HTTPURLResponse)?.value(forHTTPHeaderField: Self.field),
            let data = Data(base64Encoded: text),
            // An unreadable description was not written by this version.
            let known = try? JSONDecoder().decode(CachedMedia.self, from: data), known.fits(fields),
            policy != .useProtocolCachePolicy || known.isFresh(at: now)
        {
            return NetworkResponse(
                status: 200, headers: known.headers, body: kept.data, url: request.url, attempts: attempt)
        }
        if policy == .returnCacheDataDontLoad { throw .failed(URLError(.resourceUnavailable)) }
        return nil
    }

    /// Caches a response if it can be reused. A response that was redirected belongs to another URL.
    func keep(_ response: NetworkResponse, to request: TransferRequest, now: Date) {
        guard let fields = fields(of: request), response.url == request.url,
            let known = CachedMedia(response, url: request.url, requestHeaders: fields, now: now),
            // Encoding cannot fail: the description consists of strings and a date.
            let text = try? JSONEncoder().encode(known).base64EncodedString(),
            let kept = HTTPURLResponse(
                url: request.url, statusCode: 200, httpVersion: nil, headerFields: [Self.field: text])
        else { return }
        cache.storeCachedResponse(
            CachedURLResponse(response: kept, data: response.body), for: URLRequest(url: request.url))
    }

    /// The header fields of a request whose response can be cached; `nil` for any other request.
    private func fields(of request: TransferRequest) -> HTTPFields? {
        var fields = headers
        for (name, value) in request.fields { fields[name] = value }
        // These fields revalidate with the server, or may result in a different response for another user.
        let excluding = ["if-none-match", "if-modified-since", "range", "cache-control", "pragma", "authorization"]
        guard request.method == "GET", excluding.allSatisfy({ fields[$0] == nil }) else { return nil }
        return fields
    }
}
