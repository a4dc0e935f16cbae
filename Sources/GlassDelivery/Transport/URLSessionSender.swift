import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with a URL session of its own.
final class URLSessionSender: HTTPSender {
    private let transfers = URLSessionTransfers()
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // The limits of a request end it; the session's own come later, and on Linux not at all for a whole request.
        configuration.timeoutIntervalForRequest = 3600
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit {
        let session = session
        // On the queue of the delegate, for the reason given at `URLSessionTransfer.cancel`.
        session.delegateQueue.addOperation { session.invalidateAndCancel() }
    }

    func send(_ request: HTTPRequest, to server: UpdateServer) async -> HTTPAnswer {
        let transfer = URLSessionTransfer(server: server, limit: request.limit, already: request.already)
        // On Linux a session does not look at its limit for a whole request, so the deadlines are kept here.
        let watch = Task {
            let start = ContinuousClock.now
            while true {
                let deadline = min(start + request.timeLimit, transfer.lastByte + request.silence)
                if ContinuousClock.now >= deadline { break }
                do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
            }
            let isSilence = ContinuousClock.now < start + request.timeLimit
            transfer.finish(isSilence ? .silent(request.silence) : .tookTooLong)
        }
        defer { watch.cancel() }
        var sent = URLRequest(url: request.url)
        for (name, value) in request.fields { sent.setValue(value, forHTTPHeaderField: name) }
        return await withTaskCancellationHandler { [sent] in
            await withCheckedContinuation { continuation in
                transfer.begin(continuation)
                guard !Task.isCancelled else { return transfer.finish(.cancelled) }
                let task = session.dataTask(with: sent)
                transfers.add(transfer, for: task.taskIdentifier)
                transfer.run(task, on: session.delegateQueue)
            }
        } onCancel: {
            transfer.finish(.cancelled)
        }
    }
}

/// One request of a session on its way. It ends once, by whoever comes first: the answer, a limit, a deadline, or its caller.
private final class URLSessionTransfer: Sendable {
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
        let part: HTTPAnswer.Part = state.withLock { state in
            guard !state.isFinished else { return .wanted }
            state.lastByte = .now
            note(response, in: &state.answer)
            return state.answer.append(data, limit: limit, already: already)
        }
        switch part {
        case .wanted: break
        case .unwanted: finish(nil)
        case .tooMuch: finish(.tooLarge)
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
        for name in HTTPAnswer.fieldsThatMatter {
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
private final class URLSessionTransfers: NSObject, URLSessionDataDelegate {
    private let transfers = Lock<[Int: URLSessionTransfer]>([:])

    func add(_ transfer: URLSessionTransfer, for identifier: Int) { transfers.withLock { $0[identifier] = transfer } }

    private func transfer(_ task: URLSessionTask) -> URLSessionTransfer? {
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
            // See `URLSessionTransfer.cancel`.
            guard transfer?.isFinished == false else { return }
        #endif
        completionHandler(next)
    }
}
