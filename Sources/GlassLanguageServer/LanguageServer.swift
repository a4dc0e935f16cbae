package import GlassMarketFiles
import CAllocator
import Dispatch
import GlassBase
import Synchronization

/// Tells an editor about market files while they are typed, by the
/// [Language Server Protocol](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/).
///
/// The thread that hands messages in applies edits and answers requests, from the outline of the text, the schema and
/// what was found out last; it never waits for Lua. Two lanes check markets and publish diagnostics. What was edited
/// comes first; what depends on it comes when nothing has changed for a moment, and the lanes share it. A request that
/// needs what a lane is about to find out is put aside until then, for ``patience`` at most.
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
    /// What watches each folder for a client that cannot.
    private let watches = Lock<[String: any Sendable]>([:])
    /// Where watches begin and end: a folder with a hundred thousand files takes seconds to look through, and a request
    /// does not wait for that.
    private let watching = DispatchQueue(label: "glass.watching")
    /// Only two: while somebody types, the other cores have other work. And one where policies are asked: a policy that
    /// fails is asked no more, so what it says of the next market must not depend on which lane looks at that.
    private let lanes: [EvaluationQueue]
    /// How many blocks of the lanes have not ended.
    private let underWay = Atomic(0)
    /// Whether the client said `shutdown`. Beside the state, whose lock is held while a client reads nothing.
    private let isShutDown = Atomic(false)

    /// Begins to watch a folder: calls back with the Lua files that were written, made or deleted, until what it returns is
    /// let go of.
    package typealias Watching =
        @Sendable (_ folder: String, _ changed: @escaping @Sendable ([String]) -> Void) -> (any Sendable)?

    /// How long nothing must have changed before markets are looked at that nobody edits.
    static let pause = Duration.milliseconds(150)

    /// How long a request waits for the market that it is about.
    static let patience = Duration.milliseconds(300)

    /// How long nothing must have changed before freed memory is given back.
    static let idle = Duration.seconds(3)

    /// Creates a server that has heard nothing yet.
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

    /// Runs a closure later, on a queue of the system.
    package static let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { time, body in
        let (seconds, attoseconds) = time.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body)
    }

    /// Watches a folder by the means of the system.
    package static let watch: Watching = { folder, changed in
        // Where nothing can be watched, the editor's own changes still count.
        try? LuaFileChanges(of: folder, report: changed)
    }

    /// Serves a client until it says `exit`, its stream ends, or the stream makes no sense any more.
    ///
    /// The calling thread reads; requests are answered on another one, in their order. So the end of the input is seen
    /// whatever is being done.
    package func serve(errors: (String) -> Void = { _ in }, read: () -> [UInt8]) -> Int32 {
        let inbox = PendingRequests()
        let answers = DispatchQueue(label: "glass.answers")
        // Nothing may keep the process from ending, also not a client that reads nothing.
        func drain() {
            let drained = DispatchSemaphore(value: 0)
            answers.async { drained.signal() }
            _ = drained.wait(timeout: .now() + .milliseconds(500))
        }
        func fail(_ reason: String) -> Int32 {
            errors("the language server ends: \(reason)")
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
                    // What has its turn already, or waits for a market, is found when this has its own turn.
                    if case .success(.notification("$/cancelRequest", let parameters)) = message,
                        let id = parameters["id"].flatMap(RequestID.init), inbox.cancel(id)
                    {
                        continue
                    }
                    guard inbox.reserve(length) else {
                        return fail(
                            "\(PendingRequests.maximumMessages.grouped) messages wait, because no answer is read")
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

    /// Handles one message on the calling thread.
    package func receive(_ body: [UInt8]) {
        handle(Result { () throws(ResponseError) in try ClientMessage(reading: body) }, nil)
    }

    /// Waits until all markets are looked at that were to be looked at now; those that wait for a moment of rest are not.
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

    /// Changes what is known, and looks at markets again when that may change what is said of them.
    private func change(_ body: (inout ServerState) -> Void) {
        let (hasWork, generation, wait, unwatched, watched) = state.withLock { state in
            let before = (generation: state.generation, waits: state.waits)
            body(&state)
            if state.phase == .afterShutdown { isShutDown.store(true, ordering: .releasing) }
            flush(&state)
            // Nobody waits for an answer any more.
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
                // Let go of without the lock: a report that is under way may want it.
                for folder in watched { _ = watches.withLock { $0.removeValue(forKey: folder) } }
                for folder in unwatched {
                    let found = watch(folder) { [weak self] files in self?.change { $0.filesWritten(files) } }
                    watches.withLock { $0[folder] = found }
                }
            }
        }
        if let wait {
            // The other lane may be free while this one does what takes long.
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
                // Or the most that a burst of edits took would stay with the server while the editor is open. Queued on
                // both lanes, so that it comes after what either still does.
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

    // MARK: The evaluating lanes

    private func evaluate(on lane: EvaluationQueue) {
        // One block takes all that waits, so that a flood of edits queues one and not thousands.
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

    /// Writes what is to be sent. Under the lock, so that nothing about an older text comes after something newer.
    private func flush(_ state: inout ServerState) {
        for message in state.takeOutgoing() { write(MessageSplitter.framed(message.text())) }
    }
}

/// A queue on which one market at a time is checked, with what is kept from one to the next.
private final class EvaluationQueue: Sendable {
    let queue = DispatchQueue(label: "glass.evaluation")
    /// Whether a block is on the queue that has not begun.
    let isQueued = Atomic(false)
    private let evaluators = Lock<[Int: MarketEvaluator]>([:])

    /// Lends what checks the markets of a folder, on the queue.
    func evaluator(for folder: Int, _ policies: MarketFolder?, _ body: (inout MarketEvaluator) -> Void) {
        var evaluator = evaluators.withLock { $0.removeValue(forKey: folder) } ?? MarketEvaluator(policies: policies)
        body(&evaluator)
        evaluators.withLock { $0[folder] = evaluator }
    }
}

/// The messages that wait for their turn, and the requests among them that the client does not want any more.
private final class PendingRequests: Sendable {
    private let waiting = Lock<[RequestID: Bool]>([:])
    private let room = DispatchSemaphore(value: 0)

    /// How many messages wait at most. Whoever sends more waits itself, as its pipe is full then.
    static let maximumMessages = 1000
    /// How many bytes count as another message.
    private static let bytesOfAMessage = 64 << 10
    /// How long nothing at all is handled before nobody can be there who reads answers.
    private static let patience = DispatchTimeInterval.seconds(60)

    init() {
        // Not as its first value: a semaphore that is below that when it is let go of stops the process.
        for _ in 0..<Self.maximumMessages { room.signal() }
    }

    private static func size(_ length: Int) -> Int { 1 + length / bytesOfAMessage }

    /// Waits until there is room for a message of a length; false when that takes too long.
    func reserve(_ length: Int) -> Bool {
        (0..<Self.size(length)).allSatisfy { _ in room.wait(timeout: .now() + Self.patience) == .success }
    }

    /// A message was handled.
    func release(_ length: Int) {
        for _ in 0..<Self.size(length) { room.signal() }
    }

    func add(_ id: RequestID) { waiting.withLock { $0[id] = false } }

    /// Cancels a request; false when it does not wait for its turn. What was never asked is not remembered.
    func cancel(_ id: RequestID) -> Bool {
        waiting.withLock { waiting in
            guard waiting[id] != nil else { return false }
            waiting[id] = true
            return true
        }
    }

    /// Whether a request that now has its turn was cancelled.
    func take(_ id: RequestID) -> Bool { waiting.withLock { $0.removeValue(forKey: id) ?? false } }
}
