import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies of a request, where the session does not add them itself.
enum RequestCookies {
    /// A request with the cookies that belong to its URL, and no others.
    static func added(to request: URLRequest, from storage: HTTPCookieStorage?, isRedirect: Bool) -> URLRequest {
        guard let storage, let url = request.url else { return request }
        let isSecure = url.scheme?.lowercased() == "https"
        let cookies = (storage.cookies(for: url) ?? []).filter { isSecure || !$0.isSecure }
        var request = request
        // A request that states its cookies itself knows why; what a redirect copied from another URL does not count.
        guard isRedirect || request.value(forHTTPHeaderField: "Cookie") == nil else { return request }
        let fields = cookies.isEmpty ? [:] : HTTPCookie.requestHeaderFields(with: cookies)
        request.setValue(fields["Cookie"], forHTTPHeaderField: "Cookie")
        return request
    }
}
