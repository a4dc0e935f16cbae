import Dispatch
import FlyingFox
import Foundation
import GlassBase

/// Answers requests.
struct Responder: HTTPHandler {
    /// The most bytes of a question that is sent in a body.
    static let longestBody = 16 << 10
    /// The most bytes of an answer.
    static let longestAnswer = 16 << 20
    private static let tokenHeader = HTTPHeader("X-Glass-Token")

    let keys: AccessKeys
    /// The server's port, which is known once it listens; nobody knows the address before that.
    let port: Lock<UInt16>
    let log: EventLog
    let answers: any InspectorAnswers
    let pool: BoundedPool
    /// Where answers are found, one at a time: they may wait for Lua, which a thread of the concurrency pool must not.
    private let queue = DispatchQueue(label: "inspector")

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        pool.requestIsWhole(of: request.remoteAddress)
        let port = port.withLock { $0 }
        // What is refused is refused whether or not there is anything at the path.
        let route = InspectorRoute(request)
        let refusal = RequestGate(port: port, keys: keys).refusal(of: request, for: route ?? .session)
        let response: HTTPResponse
        switch refusal {
        case .foreignHost: response = .failure(.forbidden, "this is the server of 127.0.0.1:\(port) alone")
        case .foreignOrigin: response = .failure(.forbidden, "pages of other sites get no answer")
        case .method(let allowed) where route != nil:
            response = .failure(.methodNotAllowed, "only \(allowed)", [HTTPHeader("Allow"): allowed])
        case .noSession: response = .failure(.unauthorized, "open the address that the command printed")
        case .method, nil:
            if let route {
                response = await answer(route, request, port)
            } else {
                response = .failure(.notFound, "there is nothing at this address")
            }
        }
        return request.method == .HEAD ? response.withoutBody : response
    }

    private func answer(_ route: InspectorRoute, _ request: HTTPRequest, _ port: UInt16) async -> HTTPResponse {
        switch route {
        case .file(let file): return .whole(file.bytes, type: file.type, request)
        case .session:
            guard let token = request.headers[Self.tokenHeader], AccessKeys.areEqual(token, keys.token) else {
                return .failure(.unauthorized, "this is no token of mine; open the address that the command printed")
            }
            var response = HTTPResponse.whole(Array("{}".utf8), type: "application/json", request)
            response.headers[.setCookie] = keys.setCookie(port: port)
            return response
        case .events: return events(request)
        case .question(let question): return await answer(question, request)
        case .link:
            do {
                return await answer(try await LinkBody.question(of: request), request)
            } catch {
                return .failure(error.status, error.message)
            }
        }
    }

    private func events(_ request: HTTPRequest) -> HTTPResponse {
        // A method other than GET must not leave a stream open.
        guard request.method == .GET else { return .whole([], type: "text/event-stream", request) }
        let query = request.query.first { $0.name == "after" }?.value
        guard let events = log.events(after: request.headers[HTTPHeader("Last-Event-ID")] ?? query) else {
            return .failure(.serviceUnavailable, "\(EventLog.mostListeners) pages are open already; close some")
        }
        var response = HTTPResponse(
            statusCode: .ok, headers: HTTPResponse.safety, body: HTTPBodySequence(from: EventBody(events: events)))
        response.headers[.contentType] = "text/event-stream"
        return response
    }

    private func answer(_ question: InspectorQuestion, _ request: HTTPRequest) async -> HTTPResponse {
        let result = await withCheckedContinuation { continuation in
            queue.async { [answers] in continuation.resume(returning: Result { try answers.answer(question) }) }
        }
        switch result {
        case .success(let answer) where answer.bytes.count > Self.longestAnswer:
            return .failure(
                .payloadTooLarge, "the answer has more than \(Self.longestAnswer.formattedBytes): ask for less of it")
        case .success(let answer): return .whole(answer.bytes, type: answer.form.rawValue, request)
        case .failure(let failure as InspectorFailure):
            return .failure(failure.isMissing ? .notFound : .unprocessableContent, failure.message)
        case .failure(let error): return .failure(.internalServerError, "\(error)")
        }
    }
}
