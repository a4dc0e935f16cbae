import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with a URL session that is created on first use.
final class URLSessionSender: TransferSender {
    /// A session with its transfers. Each session numbers its own tasks.
    private struct Opened {
        let session: URLSession
        let transfers: URLSessionTransfers
    }

    private struct State {
        let configuration: URLSessionConfiguration
        var opened: Opened?
        /// Sessions that start nothing new and still have running transfers.
        var ending: [Opened] = []
        let configuredMaximum: Int
        var isClosed = false
    }

    private let state: Lock<State>

    init(_ configuration: URLSessionConfiguration) {
        state = Lock(
            State(configuration: configuration, configuredMaximum: configuration.httpMaximumConnectionsPerHost))
    }

    func send(_ intake: TransferIntake, until stop: TransferStop) async -> TransferOutcome {
        let transfer = URLSessionTransfer(intake)
        // On Linux, a session does not support fractions of a second and does not notice all data, so silence is
        // measured here.
        let watch = Task { await transfer.watch() }
        defer {
            watch.cancel()
            stop.handle(nil)
        }
        return await withCheckedContinuation { continuation in
            // First, because `finish` does nothing before there is a continuation.
            transfer.begin(continuation)
            start(transfer, intake)
            stop.handle { transfer.finish($0) }
        }
    }

    private func start(_ transfer: URLSessionTransfer, _ intake: TransferIntake) {
        let request = intake.request
        // The session's own limit is later. It counts only while the system waits for a network.
        var sent = URLRequest(url: request.url, timeoutInterval: (intake.silence / .seconds(1)).rounded(.up) + 1)
        sent.httpMethod = request.method
        sent.httpBody = request.body
        sent.httpShouldHandleCookies = false
        for (name, value) in request.fields { sent.setValue(value, forHTTPHeaderField: name) }
        let started: (URLSessionDataTask, URLSession)? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let opened = state.opened ?? Self.makeSession(state.configuration)
            state.opened = opened
            let task = opened.session.dataTask(with: sent)
            opened.transfers.add(transfer, for: task.taskIdentifier)
            return (task, opened.session)
        }
        guard let (task, session) = started else { return transfer.finish(.closed) }
        transfer.run(task, on: session.delegateQueue)
    }

    private static func makeSession(_ configuration: URLSessionConfiguration) -> Opened {
        let transfers = URLSessionTransfers()
        return Opened(
            session: URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil),
            transfers: transfers)
    }

    /// A session cannot change its configuration, so the next request gets a new one. Running transfers finish with the
    /// old one.
    func limitConnections(to maximum: Int?) {
        let left: Opened? = state.withLock { state in
            state.configuration.httpMaximumConnectionsPerHost = maximum ?? state.configuredMaximum
            state.ending.removeAll { $0.transfers.isEmpty }
            defer { state.opened = nil }
            if let opened = state.opened { state.ending.append(opened) }
            return state.opened
        }
        left?.session.finishTasksAndInvalidate()
    }

    func close() {
        let opened = state.withLock { state in
            defer {
                state.opened = nil
                state.ending = []
            }
            state.isClosed = true
            return state.ending + (state.opened.map { [$0] } ?? [])
        }
        for opened in opened {
            // On the session's queue; see `URLSessionTransfer.cancel`.
            opened.session.delegateQueue.addOperation { opened.session.invalidateAndCancel() }
        }
    }
}

/// A running request of a session. It ends once: with the response, at a limit, or by its stop.
private final class URLSessionTransfer: Sendable {
    private struct State {
        var intake: TransferIntake
        var continuation: CheckedContinuation<TransferOutcome, Never>?
        var task: URLSessionTask?
        var queue: OperationQueue?
        var isFinished = false
    }

    private let state: Lock<State>

    init(_ intake: TransferIntake) {
        state = Lock(State(intake: intake))
    }

    /// Ends the transfer at its deadline, which moves as bytes arrive.
    func watch() async {
        while true {
            let deadline = state.withLock { $0.intake.deadline } ?? .now + .seconds(1)
            if deadline <= .now { return finish(.silent(state.withLock { $0.intake.silence })) }
            do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
        }
    }

    func begin(_ continuation: CheckedContinuation<TransferOutcome, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Whether the response no longer matters.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func run(_ task: URLSessionTask, on queue: OperationQueue) {
        let isFinished = state.withLock { state in
            state.task = task
            state.queue = queue
            return state.isFinished
        }
        // Always resumed: a task that never starts stays in its session forever.
        task.resume()
        if isFinished { Self.cancel(task, on: queue) }
    }

    /// Cancels a task on its delegate's queue.
    ///
    /// FoundationNetworking crashes when a redirect handler is called for a task that was canceled in the meantime. On
    /// this queue, the cancellation comes either after that call or before the delegate learns of the redirect. In the
    /// second case the transfer is finished and the delegate does not call the handler.
    private static func cancel(_ task: URLSessionTask, on queue: OperationQueue) {
        queue.addOperation { task.cancel() }
    }

    /// Ends the transfer.
    func finish(_ error: TransferError?, cancels: Bool = true) {
        let ending = state.withLock { state -> State? in
            guard !state.isFinished, state.continuation != nil else { return nil }
            state.intake.end(error)
            state.isFinished = true
            defer {
                state.continuation = nil
                state.task = nil
            }
            return state
        }
        guard let ending else { return }
        ending.continuation?.resume(returning: ending.intake.outcome)
        if cancels, let task = ending.task, let queue = ending.queue { Self.cancel(task, on: queue) }
    }

    func noteProgress() { state.withLock { $0.intake.noteProgress() } }

    func suspendDeadline() { state.withLock { $0.intake.suspendDeadline() } }

    func receive(_ data: Data, of response: URLResponse?) {
        let verdict: TransferIntake.Verdict = state.withLock { state in
            guard !state.isFinished else { return .more }
            if let error = Self.receive(response, in: &state.intake) { return .over(error) }
            return data.withUnsafeBytes { state.intake.receive($0) }
        }
        switch verdict {
        case .more: break
        case .enough: finish(nil)
        case .over(let error): finish(error)
        }
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        var problem = state.withLock { Self.receive(response, in: &$0.intake) }
        if problem == nil, let error {
            problem = .failed(Self.clarified(error as? URLError ?? URLError(.unknown), response))
        }
        finish(problem, cancels: false)
    }

    /// FoundationNetworking reports most libcurl errors as "unknown", including a response that ends too early and one
    /// that is not HTTP.
    private static func clarified(_ error: URLError, _ response: URLResponse?) -> URLError {
        guard error.code == .unknown else { return error }
        return URLError(
            response == nil ? .badServerResponse : .networkConnectionLost, userInfo: [NSUnderlyingErrorKey: error])
    }

    /// Receives the head, once.
    private static func receive(_ response: URLResponse?, in intake: inout TransferIntake) -> TransferError? {
        guard intake.outcome.response == nil, let response = response as? HTTPURLResponse else { return nil }
        var fields: [String: String] = [:]
        var bytes = 0
        for (name, value) in response.allHeaderFields {
            let (name, value) = ("\(name)".lowercased(), "\(value)")
            bytes += name.utf8.count + value.utf8.count + 4
            fields[name] = value
        }
        let limit = intake.request.limits.headBytes
        guard bytes <= limit else { return .headTooLarge(limit: limit) }
        intake.receive(
            status: response.statusCode, fields: fields, cookies: fields["set-cookie"].map { [$0] } ?? [],
            from: response.url ?? intake.request.url)
        return nil
    }
}

/// Maps a session's tasks to transfers.
private final class URLSessionTransfers: NSObject, URLSessionDataDelegate {
    private let transfers = Lock<[Int: URLSessionTransfer]>([:])

    /// Whether no transfer is running.
    var isEmpty: Bool { transfers.withLock { $0.isEmpty } }

    func add(_ transfer: URLSessionTransfer, for identifier: Int) { transfers.withLock { $0[identifier] = transfer } }

    private func transfer(_ task: URLSessionTask) -> URLSessionTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data, of: dataTask.response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(task)?.noteProgress()
    }

    #if !canImport(FoundationNetworking)
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            transfer(task)?.suspendDeadline()
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        ended?.complete(task.response, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // See `URLSessionTransfer.cancel`.
            guard transfer(task)?.isFinished == false else { return }
        #endif
        // The redirect is the response. The code above the sender decides whether to follow it.
        completionHandler(nil)
    }
}
