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
/// comes first; what depends on it comes when nothing has changed for a moment, and the lanes share it.
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
    /// Only two: while somebody types, the other cores have other work. And one where policies are asked: a policy that
    /// fails is asked no more, so what it says of the next market must not depend on which lane looks at that.
    private let lanes: [EvaluatingLane]
    /// How many blocks of the lanes have not ended.
    private let underWay = Atomic(0)

    /// Begins to watch a folder: calls back with the Lua files that were written, made or deleted, until what it returns is
    /// let go of.
    package typealias Watching =
        @Sendable (_ folder: String, _ changed: @escaping @Sendable ([String]) -> Void) -> (any Sendable)?

    /// How long nothing must have changed before markets are looked at that nobody edits.
    static let pause = Duration.milliseconds(150)

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
        lanes = (0..<(state.policies == nil ? 2 : 1)).map { _ in EvaluatingLane() }
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
        let inbox = Inbox()
        let answers = DispatchQueue(label: "glass.answers")
        // Nothing may keep the process from ending, also not a client that reads nothing.
        func finish(_ status: Int32) -> Int32 {
            let drained = DispatchSemaphore(value: 0)
            answers.async { drained.signal() }
            _ = drained.wait(timeout: .now() + .milliseconds(500))
            return status
        }
        var splitter = MessageSplitter()
        while true {
            let bytes = read()
            if bytes.isEmpty { return finish(state.withLock { $0.statusAtEnd }) }
            splitter.append(bytes)
            do throws(FramingError) {
                while let body = try splitter.next() {
                    let message = Result { () throws(ResponseError) in try ClientMessage(reading: body) }
                    if case .success(.notification("exit", _)) = message {
                        let status = DispatchSemaphore(value: 0)
                        answers.async { status.signal() }
                        _ = status.wait(timeout: .now() + .milliseconds(500))
                        return state.withLock { $0.statusAtExit }
                    }
                    if case .success(.notification("$/cancelRequest", let parameters)) = message {
                        if let id = parameters["id"].flatMap(RequestID.init) { inbox.cancel(id) }
                        continue
                    }
                    if case .success(.request(let id, _, _)) = message { inbox.add(id) }
                    answers.async { [self] in handle(message, inbox) }
                }
            } catch {
                errors("the language server ends: \(error)")
                return finish(1)
            }
        }
    }

    /// Handles one message on the calling thread.
    package func receive(_ body: [UInt8]) {
        handle(Result { () throws(ResponseError) in try ClientMessage(reading: body) }, nil)
    }

    /// Waits until all markets are looked at that were to be looked at now; those that wait for a moment of rest are not.
    package func waitForEvaluations() {
        while underWay.load(ordering: .acquiring) > 0 {
            for lane in lanes { lane.queue.sync {} }
        }
    }

    private func handle(_ message: Result<ClientMessage, ResponseError>, _ inbox: Inbox?) {
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
        let (hasWork, generation, unwatched) = state.withLock { state in
            let before = state.generation
            body(&state)
            flush(&state)
            // Nobody waits for an answer any more.
            state.openFolders()
            return (state.generation != before || state.hasTries, state.generation, state.takeUnwatchedFolders())
        }
        for folder in unwatched {
            let found = watch(folder) { [weak self] files in self?.change { $0.filesWritten(files) } }
            watches.withLock { $0[folder] = found }
        }
        guard hasWork else { return }
        evaluate(on: lanes[0])
        delay(Self.pause) { [weak self] in
            guard let self, state.withLock({ $0.rest(since: generation) }) else { return }
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

    // MARK: The evaluating lanes

    private func evaluate(on lane: EvaluatingLane) {
        underWay.add(1, ordering: .acquiringAndReleasing)
        lane.queue.async { [self] in
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

    private func look(at job: ServerState.Evaluation, on lane: EvaluatingLane) {
        lane.evaluator(for: job.folder, policies) { evaluator in
            evaluator.look(at: job) { snapshot in
                state.withLock { state in
                    state.keep(snapshot, of: job)
                    flush(&state)
                }
            }
        }
        state.withLock { $0.ended(job) }
    }

    /// Writes what is to be sent. Under the lock, so that nothing about an older text comes after something newer.
    private func flush(_ state: inout ServerState) {
        for message in state.takeOutgoing() { write(MessageSplitter.framed(message.text())) }
    }
}

/// A queue on which one market at a time is checked, with what is kept from one to the next.
private final class EvaluatingLane: Sendable {
    let queue = DispatchQueue(label: "glass.evaluation")
    private let evaluators = Lock<[Int: MarketEvaluator]>([:])

    /// Lends what checks the markets of a folder, on the queue.
    func evaluator(for folder: Int, _ policies: MarketFolder?, _ body: (inout MarketEvaluator) -> Void) {
        var evaluator = evaluators.withLock { $0.removeValue(forKey: folder) } ?? MarketEvaluator(policies: policies)
        body(&evaluator)
        evaluators.withLock { $0[folder] = evaluator }
    }
}

/// The requests that wait for their turn, and those that the client does not want any more.
private final class Inbox: Sendable {
    private let waiting = Lock<[RequestID: Bool]>([:])

    func add(_ id: RequestID) { waiting.withLock { $0[id] = false } }

    func cancel(_ id: RequestID) {
        waiting.withLock { if $0[id] != nil { $0[id] = true } }
    }

    /// Whether a request that now has its turn was cancelled.
    func take(_ id: RequestID) -> Bool { waiting.withLock { $0.removeValue(forKey: id) ?? false } }
}
