import GlassBase
import FlyingFox
import FlyingSocks
import Foundation
import GlassDeepLinking
import Testing

@testable import GlassPlatform

/// A local event collector: it ignores batches whose key it has seen, and can be made to misbehave.
final class CollectorServer: Sendable {
    /// The handling of a request.
    enum Answer: Sendable {
        /// Accepts and acknowledges the batch.
        case accept
        /// Rejects the batch with a status.
        case fail(Int, headers: [String: String] = [:])
        /// Accepts the batch but responds with an error status.
        case takeAndFail(Int)
    }

    struct Request: Sendable {
        var method: String
        var path: String
        var headers: [String: String]
        var key: String
        var body: Data
    }

    private struct State {
        var answers: [Answer] = []
        var requests: [Request] = []
        var taken: [String: [SentEvent]] = [:]
        var order: [String] = []
        var drops: [Int] = []
    }

    private struct Body: Decodable {
        var schema: Int
        var batch: String
        var dropped: Int
        var events: [JSON]
    }

    private let state = Lock(State())
    private let refuses: @Sendable (SentEvent) -> Bool

    /// - Parameter refuses: A batch with such an event gets status 400.
    init(refusing refuses: @escaping @Sendable (SentEvent) -> Bool = { _ in false }) {
        self.refuses = refuses
    }

    /// Every request so far.
    var requests: [Request] { state.withLock { $0.requests } }
    /// The events of the accepted batches, each batch once, in order of arrival.
    var events: [SentEvent] { state.withLock { state in state.order.flatMap { state.taken[$0] ?? [] } } }
    /// The number of dropped events that the accepted batches report.
    var drops: Int { state.withLock { $0.drops.reduce(0, +) } }

    /// Sets the handling of the next requests; after them, requests are accepted.
    func answer(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    /// Runs the server during `body`.
    func run<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("*") { [self] request in try await handle(request) }
        let task = Task { try await server.run() }
        defer { task.cancel() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port)? = await server.listeningAddress else { throw TestFailure() }
        return try await body(try #require(URL(string: "http://127.0.0.1:\(port)/events")))
    }

    private func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
        let data = try await request.bodyData
        var headers: [String: String] = [:]
        for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
        let key = headers["idempotency-key"] ?? ""
        let seen = Request(
            method: request.method.rawValue, path: request.path, headers: headers, key: key, body: data)
        let answer = state.withLock { state in
            state.requests.append(seen)
            return state.answers.isEmpty ? Answer.accept : state.answers.removeFirst()
        }
        if case .fail(let status, let headers) = answer {
            var fields = HTTPHeaders()
            for (name, value) in headers { fields[HTTPHeader(name)] = value }
            return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Told so"), headers: fields)
        }
        let body = try JSONDecoder().decode(Body.self, from: data)
        let events = body.events.map(\.event)
        if events.contains(where: refuses) { return HTTPResponse(statusCode: .badRequest) }
        state.withLock { state in
            guard state.taken.updateValue(events, forKey: key) == nil else { return }
            state.order.append(key)
            state.drops.append(body.dropped)
        }
        if case .takeAndFail(let status) = answer {
            return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Told so"))
        }
        return HTTPResponse(statusCode: .ok)
    }
}

/// An event in a batch.
private struct JSON: Decodable {
    let event: SentEvent

    init(from decoder: any Decoder) throws { event = try SentEvent(from: decoder) }
}
