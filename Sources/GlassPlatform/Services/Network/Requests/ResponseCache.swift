import Foundation
import GlassTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The response cache of a configuration where no URL session uses it, which is so on Linux.
///
/// An answer is used again for as long as ``CachedMedia`` calls it fresh, or as the configuration's policy says.
struct ResponseCache: Sendable {
    private let cache: URLCache
    private let policy: NSURLRequest.CachePolicy
    private let headers: HTTPFields

    /// The field of a kept answer that has what is known of it.
    private static let field = "x-glass-cached"

    /// The cache of a configuration; nil if it has none, or if a URL session looks into it.
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

    /// The kept answer to a request; nil if the server is to be asked.
    func answer(to request: TransferRequest, attempt: Int, now: Date) throws(TransferError) -> NetworkResponse? {
        guard let fields = fields(of: request) else { return nil }
        if let kept = cache.cachedResponse(for: URLRequest(url: request.url)),
            let text = (kept.response as? HTTPURLResponse)?.value(forHTTPHeaderField: Self.field),
            let data = Data(base64Encoded: text),
            // What cannot be read was not written by this version.
            let known = try? JSONDecoder().decode(CachedMedia.self, from: data), known.fits(fields),
            policy != .useProtocolCachePolicy || known.isFresh(at: now)
        {
            return NetworkResponse(
                status: 200, headers: known.headers, body: kept.data, url: request.url, attempts: attempt)
        }
        if policy == .returnCacheDataDontLoad { throw .failed(URLError(.resourceUnavailable)) }
        return nil
    }

    /// Keeps an answer if it may be used again. One that a redirect brought is another URL's.
    func keep(_ response: NetworkResponse, to request: TransferRequest, now: Date) {
        guard let fields = fields(of: request), response.url == request.url,
            let known = CachedMedia(response, url: request.url, requestHeaders: fields, now: now),
            // Only strings and a date, which JSON has.
            let text = try? JSONEncoder().encode(known).base64EncodedString(),
            let kept = HTTPURLResponse(
                url: request.url, statusCode: 200, httpVersion: nil, headerFields: [Self.field: text])
        else { return }
        cache.storeCachedResponse(
            CachedURLResponse(response: kept, data: response.body), for: URLRequest(url: request.url))
    }

    /// The fields of a request whose answer may be kept; nil for another.
    private func fields(of request: TransferRequest) -> HTTPFields? {
        var fields = headers
        for (name, value) in request.fields { fields[name] = value }
        // What asks the server itself, or may get another answer for somebody else.
        let excluding = ["if-none-match", "if-modified-since", "range", "cache-control", "pragma", "authorization"]
        guard request.method == "GET", excluding.allSatisfy({ fields[$0] == nil }) else { return nil }
        return fields
    }
}
