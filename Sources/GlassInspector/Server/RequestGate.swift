/// Decides which requests get an answer.
///
/// A page of any site can make a browser send requests to 127.0.0.1. So a request must name this server as its host,
/// which excludes names that point here (DNS rebinding). Its origin, if any, must be this page. Secrets require the
/// session.
struct RequestGate: Sendable {
    /// The server's port.
    let port: UInt16
    /// The secrets.
    let keys: SessionCredentials

    /// Refuses a request from another site's page before it looks at the rest of the request.
    func requireOurPage(_ head: HTTPHead) throws(HTTPFailure) {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = head["host"]?.lowercased(), hosts.contains(host) else {
            throw HTTPFailure(.forbidden, "this is the server of 127.0.0.1:\(port) alone")
        }
        // The word `null` for an opaque origin is not ours either.
        if let origin = head["origin"], !hosts.map({ "http://\($0)" }).contains(origin) {
            throw HTTPFailure(.forbidden, "pages of other sites get no answer")
        }
    }

    /// Refuses a method that the route does not support, and secrets without a session.
    func requireAccess(to route: InspectorRoute, _ head: HTTPHead) throws(HTTPFailure) {
        let allowed = route == .link ? ["POST"] : ["GET", "HEAD"]
        guard allowed.contains(head.method) else {
            let methods = allowed.joined(separator: ", ")
            throw HTTPFailure(.methodNotAllowed, "only \(methods)", allowed: methods)
        }
        if route.needsSession, !keys.hasSession(head["cookie"], port: port) {
            throw HTTPFailure(.unauthorized, "open the address that the command printed")
        }
    }
}
