package import GlassMarketFiles
import CGlassSystem
import Dispatch
import GlassBase
import Synchronization

/// A language server for market files, for any editor that speaks the
/// [Language Server Protocol](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/).
///
/// One thread applies edits and answers requests from the outline of the document, the schema and the latest results;
/// it never waits for Lua. Two evaluation queues check markets and publish diagnostics. Edited markets come first;
/// markets that depend on them are shared between the queues once editing pauses. A request that needs the result of a
/// scheduled evaluation waits for it, for ``patience`` at most.
///
/// ```swift
/// let server = LanguageServer(folder: nil, loader: { MarketLoader(.platform, folder: $0) }, write: { standardOutput($0) })
/// exit(server.serve { readStandardInput() })
/// ```
package final class LanguageServer: Sendable {
    private let state: Lock<ServerState>
    private let write: @Sendable ([UInt8]) -> Void
    private let delay: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    private let policies: MarketFolder?
    private let watch: Watching
    /// The watchers of folders, for clients that cannot watch files.
    private let watches = Lock<[String: any Sendable]>([:])
    /// Starts and stops watchers: scanning a folder with 100,000 files takes seconds, and a request must not wait for
    /// that.
    private let watching = DispatchQueue(label: "glass.watching")
    /// Only two, to leave the other cores to the user's work. Only one if there are policies: a policy that fails is
    /// disabled, so its verdict on the next market must not depend on which queue evaluates that market.
    private let lanes: [EvaluationQueue]
    /// The number of blocks on the evaluation queues that haven't finished.
    private let underWay = Atomic(0)
    /// Whether the client sent `shutdown`. Not part of the state, whose lock is held while a client doesn't read.
    private let isShutDown = Atomic(false)

    /// Starts watching a folder: calls `changed` with the Lua files that were written, created or deleted, until the
    /// returned value is released.
    package typealias Watching =
        @Sendable (_ folder: String, _ changed: @escaping @Sendable ([String]) -> Void) -> (any Sendable)?

    /// The pause in editing after which markets that aren't open are evaluated.
    static let pause = Duration.milliseconds(150)

    /// The maximum time that a request waits for the evaluation of its market.
    static let patience = Duration.milliseconds(300)

    /// The pause in editing after which freed memory is returned to the system.
    static let idle = Duration.seconds(3)

    /// Creates a server that waits for `initialize`.
    package init(
        folder: String?, policies: String? = nil, loader: @escaping @Sendable (MarketFolder) -> MarketLoader,
        delay: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = LanguageServer.wait,
        watch: @escaping Watching = LanguageServer.watch, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let state = ServerState(folder: folder, policies: policies, loader: loader)
        self.policies = state.policies.map { MarketFolder(path: $0) }
        lanes = (0..<(state.policies == nil ? 2 : 1)).map { _ in EvaluationQueue() }
        self.state = Lock(state)
        self.delay = delay
        self.watch = watch
        self.write = write
    }

    /// Runs a closure after a delay on a global dispatch queue.
    package static let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { time, body in
        let (seconds, attoseconds) = time.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body)
    }

    /// Watches a folder with the system's file events.
    package static let watch: Watching = { folder, changed in
        // If the folder cannot be watched, changes in the editor still count.
        try? LuaFileChanges(of: folder, report: changed)
    }

    /// Serves a client until it sends `exit`, its stream ends, or the stream cannot be parsed.
    ///
    /// The calling thread reads; another one answers requests in order. So the end of the input is noticed even while a
    /// request is processed.
    package func serve(errors: (String) -> Void = { _ in }, read: () -> [UInt8]) -> Int32 {
        let inbox = PendingRequests()
        let answers = DispatchQueue(label: "glass.answers")
        // Wait only briefly: not even a client that reads nothing may keep the process from exiting.
        func drain() {
            let drained = DispatchSemaphore(value: 0)
            answers.async { drained.signal() }
            _ = drained.wait(timeout: .now() + .milliseconds(500))
        }
        func fail(_ reason: String) -> Int32 {
            errors("the language server stops: \(reason)")
            drain()
            return 1
        }
        var splitter = MessageSplitter()
        while true {
            let bytes = read()
            if bytes.isEmpty {
                drain()
                return 1
            }
            splitter.append(bytes)
            do throws(FramingError) {
                while let found = try splitter.next() {
                    let length: Int
                    let message: Result<ClientMessage, ResponseError>
                    switch found {
                    case .body(let body):
                        length = body.count
                        message = Result { () throws(ResponseError) in try ClientMessage(reading: body) }
                    case .skipped(let count):
                        length = 0
                        message = .failure(.tooLong(count))
                    }
                    if case .success(.notification("exit", _)) = message {
                        drain()
                        return isShutDown.load(ordering: .acquiring) ? 0 : 1
                    }
                    // Cancellation of a request that is being processed, or that waits for an evaluation, is handled in
                    // order.
                    if case .success(.notification("$/cancelRequest", let parameters)) = message,
                        let id = parameters["id"].flatMap(RequestID.init), inbox.cancel(id)
                    {
                        continue
                    }
                    guard inbox.reserve(length) else {
                        return fail(
                            "\(PendingRequests.maximumMessages.grouped) messages wait; the client reads no responses")
                    }
                    if case .success(.request(let id, _, _)) = message { inbox.add(id) }
                    answers.async { [self] in
                        handle(message, inbox)
                        inbox.release(length)
                    }
                }
            } catch {
                return fail("\(error)")
            }
        }
    }

    /// Handles a message on the calling thread.
    package func receive(_ body: [UInt8]) {
        handle(Result { () throws(ResponseError) in try ClientMessage(reading: body) }, nil)
    }

    /// Waits until all urgent evaluations have finished; deferred markets don't count.
    package func waitForEvaluations() {
        watching.sync {}
        while underWay.load(ordering: .acquiring) > 0 {
            for lane in lanes { lane.queue.sync {} }
        }
    }

    private func handle(_ message: Result<ClientMessage, ResponseError>, _ inbox: PendingRequests?) {
        var isCancelled = false
        if case .success(.request(let id, _, _)) = message { isCancelled = inbox?.take(id) ?? false }
        change { state in
            switch message {
            case .success(let message): state.handle(message, isCancelled: isCancelled)
            case .failure(let error): state.send(error.response(to: nil))
            }
        }
    }

    /// Changes the state, and schedules evaluations if that may change findings.
    private func change(_ body: (inout ServerState) -> Void) {
        let (hasWork, generation, wait, unwatched, watched) = state.withLock { state in
            let before = (generation: state.generation, waits: state.waits)
            body(&state)
            if state.phase == .afterShutdown { isShutDown.store(true, ordering: .releasing) }
            flush(&state)
            // The response has been written; finding markets may take longer.
            state.openFolders()
            flush(&state)
            return (
                state.generation != before.generation || state.hasTries, state.generation,
                state.waits != before.waits ? state.waits : nil, state.takeUnwatchedFolders(),
                state.takeWatchedFolders()
            )
        }
        if !watched.isEmpty || !unwatched.isEmpty {
            watching.async { [self] in
                // Release the watcher outside the lock: a report in progress may need the lock.
                for folder in watched { _ = watches.withLock { $0.removeValue(forKey: folder) } }
                for folder in unwatched {
                    let found = watch(folder) { [weak self] files in self?.change { $0.filesWritten(files) } }
                    watches.withLock { $0[folder] = found }
                }
            }
        }
        if let wait {
            // The other queue may be free while this one runs a long evaluation.
            for lane in lanes { evaluate(on: lane) }
            delay(Self.patience) { [weak self] in self?.change { $0.endWait(wait) } }
        }
        guard hasWork else { return }
        evaluate(on: lanes[0])
        delay(Self.pause) { [weak self] in
            guard let self, state.withLock({ rest(&$0, since: generation) }) else { return }
            for lane in lanes { evaluate(on: lane) }
            delay(Self.idle) { [weak self] in
                guard let self, state.withLock({ $0.generation == generation }) else { return }
                // Otherwise the peak memory of a burst of edits stays allocated while the editor is open. Chained
                // through both queues, so that it runs after their current work.
                lanes[0].queue.async { [lanes] in
                    lanes[lanes.count - 1].queue.async { allocator_give_back() }
                }
            }
        }
    }

    private func rest(_ state: inout ServerState, since generation: Int) -> Bool {
        defer { flush(&state) }
        return state.rest(since: generation)
    }

    // MARK: Evaluation

    private func evaluate(on lane: EvaluationQueue) {
        // One block processes everything that is scheduled, so that a flood of edits queues one block instead of
        // thousands.
        guard !lane.isQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        underWay.add(1, ordering: .acquiringAndReleasing)
        lane.queue.async { [self] in
            lane.isQueued.store(false, ordering: .releasing)
            defer { underWay.subtract(1, ordering: .acquiringAndReleasing) }
            while true {
                while let job = state.withLock({ $0.nextTry() }) {
                    let message = job.message()
                    state.withLock { state in
                        state.show(message)
                        flush(&state)
                    }
                }
                guard let job = state.withLock({ $0.nextEvaluation() }) else { break }
                look(at: job, on: lane)
            }
            state.withLock { state in
                state.publishRest()
                flush(&state)
            }
        }
    }

    private func look(at job: ServerState.Evaluation, on lane: EvaluationQueue) {
        lane.evaluator(for: job.folder, policies) { evaluator in
            evaluator.look(at: job) { snapshot in
                state.withLock { state in
                    state.keep(snapshot, of: job)
                    flush(&state)
                }
            }
        }
        state.withLock { state in
            state.ended(job)
            flush(&state)
        }
    }

    /// Writes outgoing messages. Under the lock, so that nothing about an older version follows something newer.
    private func flush(_ state: inout ServerState) {
        for message in state.takeOutgoing() { write(MessageSplitter.framed(message.text())) }
    }
}

/// A queue that evaluates one market at a time, with the evaluators' caches.
private final class EvaluationQueue: Sendable {
    let queue = DispatchQueue(label: "glass.evaluation")
    /// Whether a block is queued that hasn't started.
    let isQueued = Atomic(false)
    private let evaluators = Lock<[Int: MarketEvaluator]>([:])

    /// Calls `body` with the evaluator of a folder. Runs on the queue.
    func evaluator(for folder: Int, _ policies: MarketFolder?, _ body: (inout MarketEvaluator) -> Void) {
        // Removed while in use, so that the lock isn't held during an evaluation.
        var evaluator = evaluators.withLock { $0.removeValue(forKey: folder) } ?? MarketEvaluator(policies: policies)
        body(&evaluator)
        evaluators.withLock { $0[folder] = evaluator }
    }
}

/// The queued messages, and the cancelled requests among them.
private final class PendingRequests: Sendable {
    private let waiting = Lock<[RequestID: Bool]>([:])
    private let room = DispatchSemaphore(value: 0)

    /// The maximum number of queued messages. A client that sends more is blocked, because its pipe is full.
    static let maximumMessages = 1000
    /// The number of bytes that count as an additional message.
    private static let bytesOfAMessage = 64 << 10
    /// The time without any progress after which the client is considered not to be reading responses.
    private static let patience = DispatchTimeInterval.seconds(60)

    init() {
        // Not the initial value: releasing a semaphore whose value is below its initial one traps.
        for _ in 0..<Self.maximumMessages { room.signal() }
    }

    private static func size(_ length: Int) -> Int { 1 + length / bytesOfAMessage }

    /// Waits until there is room for a message; false on timeout.
    func reserve(_ length: Int) -> Bool {
        (0..<Self.size(length)).allSatisfy { _ in room.wait(timeout: .now() + Self.patience) == .success }
    }

    /// Frees the room of a handled message.
    func release(_ length: Int) {
        for _ in 0..<Self.size(length) { room.signal() }
    }

    func add(_ id: RequestID) { waiting.withLock { $0[id] = false } }

    /// Cancels a queued request; false if the queue does not contain it, so that unknown ids are not stored.
    func cancel(_ id: RequestID) -> Bool {
        waiting.withLock { waiting in
            guard waiting[id] != nil else { return false }
            waiting[id] = true
            return true
        }
    }

    /// Removes a request from the queue and returns whether it was cancelled.
    func take(_ id: RequestID) -> Bool { waiting.withLock { $0.removeValue(forKey: id) ?? false } }
}
