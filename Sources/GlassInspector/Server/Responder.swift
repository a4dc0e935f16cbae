import Dispatch
import GlassBase

/// Answers requests.
struct Responder: Sendable {
    /// The maximum bytes of a request body.
    static let maximumBodyLength = 16 << 10
    /// The maximum bytes of an answer.
    static let maximumResponseBytes = 16 << 20

    /// The result of a request.
    enum Reply {
        case answer(HTTPResponse)
        /// A question whose answer takes time.
        case question(InspectorRequest)
    }

    let keys: SessionCredentials
    let gate: RequestGate
    let log: EventLog
    let answers: any InspectorDataSource
    /// Computes answers one at a time. They may wait for Lua, which must block neither the server's thread nor the
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
        // A refusal does not reveal whether the path exists.
        try gate.requireOurPage(head)
        guard let route = InspectorRoute(head) else {
            throw HTTPFailure(.notFound, "there is nothing at this address")
        }
        try gate.requireAccess(to: route, head)
        guard head.contentLength <= Self.maximumBodyLength else {
            throw HTTPFailure(.contentTooLarge, "a question has at most \(Self.maximumBodyLength.formattedBytes)")
        }
        return route
    }

    /// Answers a complete request if that takes no time.
    func reply(to head: HTTPHead, _ route: InspectorRoute, body: [UInt8]) throws(HTTPFailure) -> Reply {
        switch route {
        case .file(let file): return .answer(.whole(file.bytes, type: file.type, head))
        case .session:
            guard let token = head["x-glass-token"], SessionCredentials.areEqual(token, keys.token) else {
                throw HTTPFailure(
                    .unauthorized, "this is no token of mine; open the address that the command printed")
            }
            var answer = HTTPResponse.whole(Array("{}".utf8), type: "application/json", head)
            answer.fields.append("Set-Cookie: \(keys.setCookie(port: gate.port))")
            return .answer(answer)
        case .events: return .answer(try events(head))
        case .question(let question): return .question(question)
        case .link: return .question(try LinkBody.question(of: head, body))
        }
    }

    /// Answers a question on the queue, unless nobody wants the answer by then.
    func answer(
        _ question: InspectorRequest, _ head: HTTPHead, unless isGone: @escaping @Sendable () -> Bool,
        then use: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        queue.async {
            do {
                guard !isGone() else { throw HTTPFailure(.serviceUnavailable, "nobody waits for the answer") }
                let answer = try answers.answer(question)
                guard answer.bytes.count <= Self.maximumResponseBytes else {
                    let most = Self.maximumResponseBytes.formattedBytes
                    throw HTTPFailure(.contentTooLarge, "the answer has more than \(most): ask for less of it")
                }
                use(.whole(answer.bytes, type: answer.form.rawValue, head))
            } catch let failure as HTTPFailure {
                use(.failure(failure))
            } catch let failure as InspectorFailure {
                use(.failure(HTTPFailure(failure.isMissing ? .notFound : .unprocessableContent, failure.message)))
            } catch {
                use(.failure(HTTPFailure(.internalServerError, "\(error)")))
            }
        }
    }

    private func events(_ head: HTTPHead) throws(HTTPFailure) -> HTTPResponse {
        // A method other than GET must not keep a stream open.
        guard head.method == "GET" else { return .whole([], type: "text/event-stream", head) }
        guard let events = log.events(after: head["last-event-id"] ?? head.parameter("after")) else {
            throw HTTPFailure(
                .serviceUnavailable, "\(EventLog.maximumListeners) pages are open already; close some")
        }
        return HTTPResponse(status: .ok, fields: ["Content-Type: text/event-stream"], body: .events(events))
    }
}
