/// Decides which requests are processed.
///
/// Any website's page can make a browser send requests to 127.0.0.1. So a request must name this server as its host,
/// which excludes names that resolve to it (DNS rebinding). Its origin, if any, must be this page. Data about the
/// markets requires the session.
struct RequestGate: Sendable {
    /// The server's port.
    let port: UInt16
    /// The secrets.
    let keys: SessionCredentials

    /// Rejects a request from another site's page before the rest of it is examined.
    func requireOurPage(_ head: HTTPHead) throws(HTTPFailure) {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = head["host"]?.lowercased(), hosts.contains(host) else {
            throw HTTPFailure(.forbidden, "this server accepts requests for 127.0.0.1:\(port) only")
        }
        // The value `null` of an opaque origin isn't ours either.
        if let origin = head["origin"], !hosts.map({ "http://\($0)" }).contains(origin) {
            throw HTTPFailure(.forbidden, "cross-origin requests are not allowed")
        }
    }

    /// Rejects a method that the route does not support, and a request that lacks a required session.
    func requireAccess(to route: InspectorRoute, _ head: HTTPHead) throws(HTTPFailure) {
        let allowed = route == .link ? ["POST"] : ["GET", "HEAD"]
        guard allowed.contains(head.method) else {
            let methods = allowed.joined(separator: ", ")
            throw HTTPFailure(.methodNotAllowed, "allowed methods: \(methods)", allowed: methods)
        }
        if route.needsSession, !keys.hasSession(head["cookie"], port: port) {
            throw HTTPFailure(.unauthorized, "open the URL that the command printed")
        }
    }
}
