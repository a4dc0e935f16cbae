package import GlassMarketFiles
import Dispatch
import GlassBase
import Synchronization

/// Tells an editor about market files while they are typed, by the
/// [Language Server Protocol](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/).
///
/// There are two lanes. The thread that hands messages in applies edits and answers requests, from the outline of the
/// text, the schema and what was found out last; it never waits for Lua. A queue checks markets and publishes diagnostics;
/// what was edited comes first, and what depends on it when nothing has changed for a moment.
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
    private let evaluations = DispatchQueue(label: "glass.evaluation")
    /// How many blocks of the evaluating lane have not ended.
    private let underWay = Atomic(0)

    /// How long nothing must have changed before markets are looked at that nobody edits.
    static let pause = Duration.milliseconds(150)

    /// Creates a server that has heard nothing yet.
    ///
    /// - Parameters:
    ///   - folder: The markets folder; nil to look for it in what the client opens.
    ///   - policies: The folder of the policies that markets are judged by; nil for none, since they are programs that
    ///     nobody asked to run by opening a folder.
    ///   - loader: Makes the loader of a folder's markets.
    ///   - delay: Runs a closure later. The default waits on a queue of the system.
    ///   - write: Gets what goes to the client, in order, one message each.
    package init(
        folder: String?, policies: String? = nil, loader: @escaping @Sendable (MarketFolder) -> MarketLoader,
        delay: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = LanguageServer.wait,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let state = ServerState(folder: folder, policies: policies, loader: loader)
        self.policies = state.policies.map { MarketFolder(path: $0) }
        self.state = Lock(state)
        self.delay = delay
        self.write = write
    }

    /// Runs a closure later, on a queue of the system.
    package static let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { time, body in
        let (seconds, attoseconds) = time.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body)
    }

    /// Serves a client until it says `exit`, its stream ends, or the stream makes no sense any more.
    ///
    /// The calling thread reads; requests are answered on another one, in their order. So the end of the input is seen
    /// whatever is being done.
    ///
    /// - Parameters:
    ///   - errors: Gets a sentence when the stream makes no sense any more.
    ///   - read: Waits for bytes of the client and returns them; empty at the end.
    /// - Returns: The status of the process: 0 when the client asked for the end first.
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
    ///
    /// - Parameter body: The message, without its header.
    package func receive(_ body: [UInt8]) {
        handle(Result { () throws(ResponseError) in try ClientMessage(reading: body) }, nil)
    }

    /// Waits until all markets are looked at that were to be looked at now; those that wait for a moment of rest are not.
    package func waitForEvaluations() {
        while underWay.load(ordering: .acquiring) > 0 { evaluations.sync {} }
    }

    private func handle(_ message: Result<ClientMessage, ResponseError>, _ inbox: Inbox?) {
        var isCancelled = false
        if case .success(.request(let id, _, _)) = message { isCancelled = inbox?.take(id) ?? false }
        let (hasChanged, generation) = state.withLock { state in
            let before = state.generation
            switch message {
            case .success(let message): state.handle(message, isCancelled: isCancelled)
            case .failure(let error): state.send(error.response(to: nil))
            }
            flush(&state)
            return (state.generation != before, state.generation)
        }
        guard hasChanged else { return }
        evaluate()
        delay(Self.pause) { [weak self] in
            guard let self else { return }
            let isQuiet = state.withLock { $0.rest(since: generation) }
            if isQuiet { evaluate() }
        }
    }

    // MARK: The evaluating lane

    private func evaluate() {
        underWay.add(1, ordering: .acquiringAndReleasing)
        evaluations.async { [self] in
            defer { underWay.subtract(1, ordering: .acquiringAndReleasing) }
            var last: (folder: Int, generation: Int, evaluator: MarketEvaluator)?
            while let job = state.withLock({ $0.nextEvaluation() }) {
                var evaluator = MarketEvaluator(job.loader, policies: policies)
                // The market that others extend is loaded once for all of them.
                if let last, last.folder == job.folder, last.generation == job.generation { evaluator = last.evaluator }
                let snapshot = evaluator.snapshot(
                    of: job.id, with: job.loader, interruptedBy: job.interruption)
                last = (job.folder, job.generation, evaluator)
                state.withLock { state in
                    state.keep(snapshot, of: job)
                    flush(&state)
                }
            }
        }
    }

    /// Writes what is to be sent. Under the lock, so that nothing about an older text comes after something newer.
    private func flush(_ state: inout ServerState) {
        for message in state.takeOutgoing() { write(MessageSplitter.framed(message.text())) }
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
