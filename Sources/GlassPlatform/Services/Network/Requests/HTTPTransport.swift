import GlassBase
package import Foundation
import GlassDeepLinking

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Sends one request once: a URL session that is made on first use.
///
/// `data(for:)` would do, but it neither limits the length of an answer nor lets a redirect be judged, and on Linux it
/// follows redirects without end and takes the fields of the first request along to other hosts.
package final class HTTPTransport: Sendable {
    /// What came back.
    package struct Answer: Sendable {
        /// Its status and fields.
        package let response: HTTPURLResponse
        /// Its content.
        package let body: Data
    }

    /// Why nothing came back.
    package enum Failure: Error {
        /// The task was cancelled.
        case cancelled
        /// The transport was closed.
        case closed
        /// The transfer failed.
        case url(URLError)
        /// The body is longer than what was asked for.
        case tooLarge(limit: Int)
        /// A redirect that is not followed.
        case redirect(NetworkingError.RedirectProblem, to: URL?)
    }

    /// A session with the transfers that are its own: sessions number their tasks each for itself.
    private struct Opened {
        let session: URLSession
        let transfers: TransferTable
    }

    private struct State {
        var opened: Opened?
        /// Sessions that begin nothing any more and have transfers on their way.
        var ending: [Opened] = []
        var maximumConnectionsPerHost: Int?
        var isClosed = false
    }

    private let configuration: @Sendable () -> URLSessionConfiguration
    private let maximumRedirects: Int
    private let state = Lock(State())

    /// Creates a transport.
    package init(
        maximumRedirects: Int = RedirectRules.maximumRedirects,
        configuration: @escaping @Sendable () -> URLSessionConfiguration
    ) {
        self.maximumRedirects = maximumRedirects
        self.configuration = configuration
    }

    deinit { close() }

    /// Sends a request.
    package func send(
        _ request: URLRequest, deadline: Duration?, maximumBytes: Int
    ) async throws(Failure) -> Answer {
        let transfer = Transfer(maximumBytes: maximumBytes, maximumRedirects: maximumRedirects)
        // On Linux a session does not look at timeoutIntervalForResource, so the deadline is kept here.
        let alarm = deadline.map { deadline in
            Task {
                do {
                    try await Task.sleep(for: deadline)
                    transfer.finish(.failure(.url(URLError(.timedOut))))
                } catch {}  // the answer came first and cancelled the alarm
            }
        }
        defer { alarm?.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.begin(continuation)
                guard !Task.isCancelled else { return transfer.finish(.failure(.cancelled)) }
                start(request, for: transfer)
            }
        } onCancel: {
            transfer.finish(.failure(.cancelled))
        }
        return try result.get()
    }

    private func start(_ request: URLRequest, for transfer: Transfer) {
        let started: (URLSessionDataTask, URLSession)? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let opened = state.opened ?? makeSession(state.maximumConnectionsPerHost)
            state.opened = opened
            let task = opened.session.dataTask(
                with: RequestCookies.added(to: request, from: opened.transfers.cookies, isRedirect: false))
            opened.transfers.add(transfer, for: task.taskIdentifier)
            return (task, opened.session)
        }
        guard let (task, session) = started else { return transfer.finish(.failure(.closed)) }
        transfer.run(task, on: session.delegateQueue)
    }

    private func makeSession(_ maximumConnectionsPerHost: Int?) -> Opened {
        let configuration = configuration()
        if let maximumConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost }
        let transfers = TransferTable()
        transfers.takeCookies(of: configuration)
        return Opened(
            session: URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil),
            transfers: transfers)
    }

    /// Changes how many connections to one host there are at a time. A session cannot be told later, so the next request
    /// gets a new one; what is on its way finishes with the old one.
    func limitConnections(to maximum: Int?) {
        let left: Opened? = state.withLock { state in
            guard state.maximumConnectionsPerHost != maximum, !state.isClosed else { return nil }
            state.maximumConnectionsPerHost = maximum
            state.ending.removeAll { $0.transfers.isEmpty }
            defer { state.opened = nil }
            if let opened = state.opened { state.ending.append(opened) }
            return state.opened
        }
        left?.session.finishTasksAndInvalidate()
    }

    /// Ends every transfer and takes no more.
    package func close() {
        let opened = state.withLock { state in
            defer {
                state.opened = nil
                state.ending = []
            }
            state.isClosed = true
            return state.ending + (state.opened.map { [$0] } ?? [])
        }
        for opened in opened {
            opened.transfers.finishAll()
            // On the session's own queue, for the reason given at `Transfer.cancel`.
            opened.session.delegateQueue.addOperation { opened.session.invalidateAndCancel() }
        }
    }
}

/// One request on its way. It ends once, by whoever comes first: the answer, a limit, the deadline, or its caller.
private final class Transfer: Sendable {
    typealias Outcome = Result<HTTPTransport.Answer, HTTPTransport.Failure>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var early: Outcome?
        var task: URLSessionTask?
        var queue: OperationQueue?
        var isFinished = false
        var body = Data()
        var redirects = 0
    }

    private let maximumBytes: Int
    private let maximumRedirects: Int
    private let state = Lock(State())

    init(maximumBytes: Int, maximumRedirects: Int) {
        self.maximumBytes = maximumBytes
        self.maximumRedirects = maximumRedirects
    }

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
        let early: Outcome? = state.withLock { state in
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

    func finish(_ outcome: Outcome) {
        typealias Ending = (CheckedContinuation<Outcome, Never>?, URLSessionTask?, OperationQueue?)
        let (continuation, task, queue): Ending = state.withLock { state in
            guard !state.isFinished else { return (nil, nil, nil) }
            defer {
                state.continuation = nil
                state.task = nil
                state.body = Data()
            }
            state.isFinished = true
            if state.continuation == nil { state.early = outcome }
            return (state.continuation, state.task, state.queue)
        }
        continuation?.resume(returning: outcome)
        if case .failure = outcome, let task, let queue { Self.cancel(task, on: queue) }
    }

    func receive(_ data: Data, expecting expected: Int64) {
        let isTooLarge = state.withLock { state in
            guard !state.isFinished else { return false }
            guard expected <= Int64(maximumBytes), state.body.count + data.count <= maximumBytes else { return true }
            state.body.append(data)
            return false
        }
        if isTooLarge { finish(.failure(.tooLarge(limit: maximumBytes))) }
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            finish(.failure(.url(Self.clarified(error as? URLError ?? URLError(.unknown), response))))
        } else if let response = response as? HTTPURLResponse {
            let body = state.withLock { $0.body }
            finish(.success(HTTPTransport.Answer(response: response, body: body)))
        } else {
            finish(.failure(.url(URLError(.badServerResponse))))
        }
    }

    /// FoundationNetworking calls most of what the transfer library reports "unknown": an answer that ends too early as
    /// well as one that is no HTTP.
    private static func clarified(_ error: URLError, _ response: URLResponse?) -> URLError {
        guard error.code == .unknown else { return error }
        return URLError(
            response == nil ? .badServerResponse : .networkConnectionLost, userInfo: [NSUnderlyingErrorKey: error])
    }

    /// What to do about a redirect: the next request, or nil after ending the transfer.
    func redirect(from old: URL?, to request: URLRequest) -> URLRequest? {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        do throws(RedirectRules.Refusal) {
            return try RedirectRules.next(request, after: old, redirect: count, limit: maximumRedirects)
        } catch {
            finish(.failure(.redirect(error.problem, to: request.url)))
            return nil
        }
    }
}

/// Which transfer a session's task belongs to.
private final class TransferTable: NSObject, URLSessionDataDelegate {
    private let transfers = Lock<[Int: Transfer]>([:])
    private let ownCookies = Lock<HTTPCookieStorage?>(nil)

    /// The cookies that requests carry by this table's doing; nil where the session adds them.
    var cookies: HTTPCookieStorage? { ownCookies.withLock { $0 } }

    func takeCookies(of configuration: URLSessionConfiguration) {
        #if canImport(FoundationNetworking)
            guard configuration.httpShouldSetCookies else { return }
            // The session would send secure cookies over http too.
            configuration.httpShouldSetCookies = false
            ownCookies.withLock { $0 = configuration.httpCookieStorage }
        #endif
    }

    /// Whether no transfer is on its way.
    var isEmpty: Bool { transfers.withLock { $0.isEmpty } }

    func add(_ transfer: Transfer, for identifier: Int) { transfers.withLock { $0[identifier] = transfer } }

    func finishAll() {
        let ended = transfers.withLock { table in
            defer { table = [:] }
            return Array(table.values)
        }
        for transfer in ended { transfer.finish(.failure(.closed)) }
    }

    private func transfer(_ task: URLSessionTask) -> Transfer? { transfers.withLock { $0[task.taskIdentifier] } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data, expecting: dataTask.response?.expectedContentLength ?? -1)
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
        let next = transfer?.redirect(from: response.url, to: request)
        #if canImport(FoundationNetworking)
            // See `Transfer.cancel`.
            guard transfer?.isFinished == false else { return }
        #endif
        completionHandler(next.map { RequestCookies.added(to: $0, from: cookies, isRedirect: true) })
    }
}
