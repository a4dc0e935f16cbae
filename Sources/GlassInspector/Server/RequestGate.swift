import FlyingFox

/// Which requests are answered at all.
///
/// A page of any site can make a browser ask 127.0.0.1. So a request must name this server as its host, which one does not
/// whose name was pointed here (DNS rebinding); its origin, if it has one, must be this page; and what is secret needs the
/// session.
struct RequestGate: Sendable {
    /// The server's port.
    let port: UInt16
    /// The secrets.
    let keys: AccessKeys

    /// Why a request is refused.
    enum Refusal: Equatable {
        /// The field `Host` names another server, or there is none.
        case foreignHost
        /// The page that asks is another site's.
        case foreignOrigin
        /// The path knows no such method.
        case method(allowed: String)
        /// Nobody has proved that they know the token.
        case noSession
    }

    /// Looks at a request.
    func refusal(of request: HTTPRequest, for route: InspectorRoute) -> Refusal? {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.headers[.host]?.lowercased(), hosts.contains(host) else { return .foreignHost }
        // An opaque origin is sent as the word `null`, which is not ours either.
        if let origin = request.headers[HTTPHeader("Origin")], !hosts.map({ "http://\($0)" }).contains(origin) {
            return .foreignOrigin
        }
        let allowed = route == .link ? ["POST"] : ["GET", "HEAD"]
        guard allowed.contains(request.method.rawValue) else {
            return .method(allowed: allowed.joined(separator: ", "))
        }
        if route.needsSession, !keys.hasSession(request.headers[.cookie], port: port) { return .noSession }
        return nil
    }
}
