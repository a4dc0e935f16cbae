import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with a URL session that is made on first use.
final class URLSessionSender: TransferSender {
    /// A session with the transfers that are its own: sessions number their tasks each for itself.
    private struct Opened {
        let session: URLSession
        let transfers: URLSessionTransfers
    }

    private struct State {
        let configuration: URLSessionConfiguration
        var opened: Opened?
        /// Sessions that begin nothing any more and have transfers on their way.
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
        // On Linux a session neither knows parts of a second nor notes all that comes, so silence is measured here.
        let watch = Task { await transfer.watch() }
        defer {
            watch.cancel()
            stop.handle(nil)
        }
        return await withCheckedContinuation { continuation in
            transfer.begin(continuation)
            start(transfer, intake)
            stop.handle { transfer.finish($0) }
        }
    }

    private func start(_ transfer: URLSessionTransfer, _ intake: TransferIntake) {
        let request = intake.request
        // The session's own limit comes later, and counts alone while the system waits for a network.
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

    /// A session cannot be told later, so the next request gets a new one; what is on its way finishes with the old one.
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
            // On the session's own queue, for the reason given at `URLSessionTransfer.cancel`.
            opened.session.delegateQueue.addOperation { opened.session.invalidateAndCancel() }
        }
    }
}

/// One request of a session on its way. It ends once, by whoever comes first: the answer, a limit, or its stop.
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

    /// Ends the transfer at its deadline, which moves while bytes come.
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

    /// FoundationNetworking calls most of what the transfer library reports "unknown": an answer that ends too early as
    /// well as one that is no HTTP.
    private static func clarified(_ error: URLError, _ response: URLResponse?) -> URLError {
        guard error.code == .unknown else { return error }
        return URLError(
            response == nil ? .badServerResponse : .networkConnectionLost, userInfo: [NSUnderlyingErrorKey: error])
    }

    /// Takes the head, once.
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

/// Which transfer a session's task belongs to.
private final class URLSessionTransfers: NSObject, URLSessionDataDelegate {
    private let transfers = Lock<[Int: URLSessionTransfer]>([:])

    /// Whether no transfer is on its way.
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
        // The redirect is the answer; who sent the request judges it.
        completionHandler(nil)
    }
}
