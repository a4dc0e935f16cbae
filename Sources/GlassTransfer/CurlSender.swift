#if canImport(CCurl)
    import CCurl
    import Foundation
    import FoundationNetworking
    import GlassBase

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Sends requests with libcurl. A thread waits for each, and closes what it leaves behind.
    final class CurlSender: TransferSender {
        /// A request that waits for its turn, or runs.
        private final class Job: Sendable {
            let origin: String
            let intake: TransferIntake
            let stop: TransferStop
            let continuation: CheckedContinuation<TransferOutcome, Never>

            init(
                _ intake: TransferIntake, _ stop: TransferStop,
                _ continuation: CheckedContinuation<TransferOutcome, Never>
            ) {
                origin = intake.request.url.origin
                self.intake = intake
                self.stop = stop
                self.continuation = continuation
            }
        }

        private struct State {
            /// How many requests run, by origin.
            var running: [String: Int] = [:]
            var waiting: [Job] = []
            /// Sessions of earlier requests, with the connections that they left open; the last one used is the last.
            var idle: [(origin: String, session: CurlSession)] = []
            var maximum: Int
            var isClosed = false

            /// Takes the jobs out of the queue whose turn it is.
            mutating func admit() -> [Job] {
                var admitted: [Job] = []
                waiting.removeAll { job in
                    guard running[job.origin, default: 0] < maximum else { return false }
                    running[job.origin, default: 0] += 1
                    admitted.append(job)
                    return true
                }
                return admitted
            }
        }

        private let state: Lock<State>
        private let configuredMaximum: Int
        private let usesProxies: Bool

        /// How many sessions are kept, over all origins; each has a connection open.
        private static let maximumIdle = 16

        init(_ configuration: URLSessionConfiguration) {
            configuredMaximum = max(1, configuration.httpMaximumConnectionsPerHost)
            state = Lock(State(maximum: configuredMaximum))
            usesProxies = configuration.connectionProxyDictionary?.isEmpty != true
        }

        func send(_ intake: TransferIntake, until stop: TransferStop) async -> TransferOutcome {
            await withCheckedContinuation { continuation in
                let job = Job(intake, stop, continuation)
                // Before the job can run, which lets the stop wake libcurl in this one's place.
                stop.handle { [self] error in drop(job, error) }
                let admitted = state.withLock { state in
                    state.waiting.append(job)
                    return state.admit()
                }
                // It may have come before there was a job to drop.
                if let error = stop.error { drop(job, error) }
                admitted.forEach(start)
            }
        }

        private func drop(_ job: Job, _ error: TransferError) {
            let wasWaiting = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0 === job }) else { return false }
                state.waiting.remove(at: index)
                return true
            }
            if wasWaiting { job.continuation.resume(returning: TransferOutcome(error: error)) }
        }

        private func start(_ job: Job) {
            // Not a thread of Dispatch, which has as many as there are cores, for all tasks of the process.
            Thread.detachNewThread { [self] in
                withoutPipeSignal {
                    let earlier = state.withLock { state in
                        state.idle.lastIndex { $0.origin == job.origin }.map { state.idle.remove(at: $0).session }
                    }
                    let session = earlier ?? CurlSession(usesProxies: usesProxies)
                    let outcome =
                        session?.run(job.intake, until: job.stop)
                        ?? TransferOutcome(error: .failed(URLError(.resourceUnavailable)))
                    let evicted = finish(job, session)
                    // The caller does not wait for what closes with a session: a name that is still looked up takes as
                    // long as the name server likes.
                    withExtendedLifetime((session, evicted)) { job.continuation.resume(returning: outcome) }
                }
            }
        }

        /// Gives the turn to the next, and keeps the session. Returns one that is kept no longer.
        private func finish(_ job: Job, _ session: CurlSession?) -> CurlSession? {
            let (admitted, evicted) = state.withLock { state -> ([Job], CurlSession?) in
                let left = state.running[job.origin, default: 1] - 1
                state.running[job.origin] = left == 0 ? nil : left
                if let session, session.isIdle, !state.isClosed { state.idle.append((job.origin, session)) }
                return (state.admit(), state.idle.count > Self.maximumIdle ? state.idle.removeFirst().session : nil)
            }
            admitted.forEach(start)
            return evicted
        }

        func limitConnections(to maximum: Int?) {
            let admitted = state.withLock { state in
                state.maximum = maximum ?? configuredMaximum
                return state.admit()
            }
            admitted.forEach(start)
        }

        func close() {
            let idle = state.withLock { state in
                defer { state.idle = [] }
                state.isClosed = true
                return state.idle
            }
            withExtendedLifetime(idle) {}
        }
    }

    /// Runs `body` on a thread that does not hear of SIGPIPE, which ends a process that writes to a connection whose other
    /// side is gone.
    ///
    /// libcurl would ignore the signal for the whole process, but only where nobody uses threads (CURLOPT_NOSIGNAL), and
    /// TLS libraries cause it. The kernel sends it to the thread that writes.
    func withoutPipeSignal<Result>(_ body: () -> Result) -> Result {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer {
            // The one of `body` goes before the mask does.
            if !wasPending {
                var none = timespec()
                _ = sigtimedwait(&pipe, nil, &none)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return body()
    }
#endif
