import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way. It ends once, by whoever comes first: the answer, a limit, a deadline, or its caller.
final class HTTPTransfer: Sendable {
    private struct State {
        var continuation: CheckedContinuation<HTTPAnswer, Never>?
        var early: HTTPAnswer?
        var task: URLSessionTask?
        var queue: OperationQueue?
        var isFinished = false
        var answer = HTTPAnswer()
        var redirects = 0
        var lastByte = ContinuousClock.now
    }

    private let server: UpdateServer
    /// The longest content, with what came before of it.
    private let limit: Int
    private let already: Int
    private let state = Lock(State())

    init(server: UpdateServer, limit: Int, already: Int) {
        self.server = server
        self.limit = limit
        self.already = already
    }

    /// When the last byte came, or the request began.
    var lastByte: ContinuousClock.Instant { state.withLock { $0.lastByte } }

    func begin(_ continuation: CheckedContinuation<HTTPAnswer, Never>) {
        let early: HTTPAnswer? = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(returning: early) }
    }

    /// Whether the answer does not matter any more.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func run(_ task: URLSessionTask, on queue: OperationQueue) {
        let isFinished = state.withLock { state in
            state.task = task
            state.queue = queue
            return state.isFinished
        }
        // Resumed in any case: a task that never was would stay in its session for good.
        task.resume()
        if isFinished { Self.cancel(task, on: queue) }
    }

    /// Cancels a task on the queue that its delegate is called on.
    ///
    /// FoundationNetworking stops the process when the handler of a redirect is called for a task that was cancelled
    /// meanwhile. On this queue the cancellation comes either after the handler was called or before the delegate hears
    /// of the redirect; in that case the transfer is finished and the handler is left alone.
    private static func cancel(_ task: URLSessionTask, on queue: OperationQueue) {
        queue.addOperation { task.cancel() }
    }

    /// Ends the transfer.
    ///
    /// - Parameter problem: Why it ends before its end, nil at its end.
    func finish(_ problem: HTTPAnswer.Problem?) {
        typealias Ending = (CheckedContinuation<HTTPAnswer, Never>?, HTTPAnswer, URLSessionTask?, OperationQueue?)
        let ending: Ending? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            state.answer.problem = problem
            let answer = state.answer
            if state.continuation == nil { state.early = answer }
            defer {
                state.continuation = nil
                state.task = nil
                state.answer = HTTPAnswer()
            }
            return (state.continuation, answer, state.task, state.queue)
        }
        guard let (continuation, answer, task, queue) = ending else { return }
        continuation?.resume(returning: answer)
        if let task, let queue { Self.cancel(task, on: queue) }
    }

    func receive(_ data: Data, of response: URLResponse?) {
        enum Next { case goOn, end, tooLarge }
        let next: Next = state.withLock { state in
            guard !state.isFinished else { return .goOn }
            state.lastByte = .now
            note(response, in: &state.answer)
            // Nobody reads the page that comes with another status.
            guard let status = state.answer.status, status == 200 || status == 206 else { return .end }
            let before = status == 206 ? already : 0
            guard before + state.answer.body.count + data.count <= limit else { return .tooLarge }
            state.answer.body += data
            return .goOn
        }
        switch next {
        case .goOn: break
        case .end: finish(nil)
        case .tooLarge: finish(.tooLarge)
        }
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        state.withLock { note(response, in: &$0.answer) }
        if let error {
            finish(.failed("the transfer failed: \(error.localizedDescription)"))
        } else {
            finish(response is HTTPURLResponse ? nil : .failed("the answer is no HTTP"))
        }
    }

    private func note(_ response: URLResponse?, in answer: inout HTTPAnswer) {
        guard answer.status == nil, let response = response as? HTTPURLResponse else { return }
        answer.status = response.statusCode
        for name in ["etag", "content-encoding", "content-range", "retry-after"] {
            answer.fields[name] = response.value(forHTTPHeaderField: name)
        }
    }

    /// What to do about a redirect: the next request, or nil after ending the transfer.
    func redirect(to request: URLRequest) -> URLRequest? {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        guard let refusal = server.refusal(of: request.url, redirect: count) else { return request }
        finish(.redirect(refusal))
        return nil
    }
}

/// Which transfer a session's task belongs to.
final class HTTPTransferTable: NSObject, URLSessionDataDelegate {
    private let transfers = Lock<[Int: HTTPTransfer]>([:])

    func add(_ transfer: HTTPTransfer, for identifier: Int) { transfers.withLock { $0[identifier] = transfer } }

    private func transfer(_ task: URLSessionTask) -> HTTPTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data, of: dataTask.response)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        ended?.complete(task.response, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let transfer = transfer(task)
        let next = transfer?.redirect(to: request)
        #if canImport(FoundationNetworking)
            // See `HTTPTransfer.cancel`.
            guard transfer?.isFinished == false else { return }
        #endif
        completionHandler(next)
    }
}
