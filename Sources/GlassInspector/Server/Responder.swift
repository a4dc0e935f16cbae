import Dispatch
import GlassBase

/// Responds to requests.
struct Responder: Sendable {
    /// The maximum size of a request body in bytes.
    static let maximumBodyLength = 16 << 10
    /// The maximum size of a response in bytes.
    static let maximumResponseBytes = 16 << 20

    /// The result of a request.
    enum Reply {
        case answer(HTTPResponse)
        /// A request about the markets, whose response takes time.
        case question(InspectorRequest, InspectorSituation)
    }

    let keys: SessionCredentials
    let gate: RequestGate
    let log: EventLog
    let answers: any InspectorDataSource
    /// Computes responses one at a time. They may wait for Lua, which must block neither the server's thread nor the
    /// concurrency pool.
    private let queue = DispatchQueue(label: "inspector")

    init(keys: SessionCredentials, port: UInt16, log: EventLog, answers: any InspectorDataSource) {
        self.keys = keys
        gate = RequestGate(port: port, keys: keys)
        self.log = log
        self.answers = answers
    }

    /// Checks a request before its body is read.
    func route(of head: HTTPHead) throws(HTTPFailure) -> InspectorRoute {
        // Checked first, so that a rejection does not reveal whether the path exists.
        try gate.requireOurPage(head)
        guard let route = InspectorRoute(head) else {
            throw HTTPFailure(.notFound, "nothing was found at this URL")
        }
        try gate.requireAccess(to: route, head)
        guard head.contentLength <= Self.maximumBodyLength else {
            throw HTTPFailure(.contentTooLarge, "the request body exceeds \(Self.maximumBodyLength.formattedBytes)")
        }
        return route
    }

    /// Responds to a complete request if that takes no time.
    func reply(to head: HTTPHead, _ route: InspectorRoute, body: [UInt8]) throws(HTTPFailure) -> Reply {
        switch route {
        case .file(let file): return .answer(.whole(file.bytes, type: file.type, head))
        case .session:
            guard let token = head["x-glass-token"], SessionCredentials.areEqual(token, keys.token) else {
                throw HTTPFailure(
                    .unauthorized, "invalid token; open the URL that the command printed")
            }
            var answer = HTTPResponse.whole(Array("{}".utf8), type: "application/json", head)
            answer.fields.append("Set-Cookie: \(keys.setCookie(port: gate.port))")
            return .answer(answer)
        case .events: return .answer(try events(head))
        case .question(let question): return .question(question, try SituationField.situation(of: head))
        case .link: return .question(try LinkBody.question(of: head, body), try SituationField.situation(of: head))
        }
    }

    /// Responds to a request about the markets on the queue, unless the client is gone by then.
    func answer(
        _ question: InspectorRequest, in situation: InspectorSituation, _ head: HTTPHead,
        unless isGone: @escaping @Sendable () -> Bool, then use: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        queue.async {
            do {
                guard !isGone() else { throw HTTPFailure(.serviceUnavailable, "the client has disconnected") }
                let answer = try answers.answer(question, in: situation)
                guard answer.bytes.count <= Self.maximumResponseBytes else {
                    let most = Self.maximumResponseBytes.formattedBytes
                    throw HTTPFailure(.contentTooLarge, "the response exceeds \(most): narrow the request")
                }
                use(.whole(answer.bytes, type: answer.form.rawValue, head))
            } catch let failure as HTTPFailure {
                use(.failure(failure))
            } catch let failure as InspectorFailure {
                let status = failure.isMissing ? HTTPStatus.notFound : .unprocessableContent
                use(.failure(HTTPFailure(status, failure.message, attribute: failure.attribute)))
            } catch {
                use(.failure(HTTPFailure(.internalServerError, "\(error)")))
            }
        }
    }

    private func events(_ head: HTTPHead) throws(HTTPFailure) -> HTTPResponse {
        // A HEAD request must not keep a stream open.
        guard head.method == "GET" else { return .whole([], type: "text/event-stream", head) }
        guard let events = log.events(after: head["last-event-id"] ?? head.parameter("after")) else {
            throw HTTPFailure(
                .serviceUnavailable, "\(EventLog.maximumListeners) pages are already open; close some")
        }
        return HTTPResponse(status: .ok, fields: ["Content-Type: text/event-stream"], body: .events(events))
    }
}
