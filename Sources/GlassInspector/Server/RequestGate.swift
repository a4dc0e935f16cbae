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

    /// Refuses what another site's page asks, before anything else of the request is looked at.
    func requireOurPage(_ head: HTTPHead) throws(HTTPFailure) {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = head["host"]?.lowercased(), hosts.contains(host) else {
            throw HTTPFailure(.forbidden, "this is the server of 127.0.0.1:\(port) alone")
        }
        // An opaque origin is sent as the word `null`, which is not ours either.
        if let origin = head["origin"], !hosts.map({ "http://\($0)" }).contains(origin) {
            throw HTTPFailure(.forbidden, "pages of other sites get no answer")
        }
    }

    /// Refuses what a route does not take, and what is secret to who has not proved that they know the token.
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
