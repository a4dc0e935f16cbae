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

    /// Sends requests with libcurl. Each request has a thread, which also closes the sessions that it leaves behind.
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
            /// The number of running requests, by origin.
            var running: [String: Int] = [:]
            var waiting: [Job] = []
            /// The sessions of earlier requests, with their open connections. The most recently used one is last.
            var idle: [(origin: String, session: CurlSession)] = []
            var maximum: Int
            var isClosed = false

            /// Removes the jobs whose turn it is from the queue.
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

        /// A release loads libcurl at the first request, and the system may not have it.
        private static let unavailable = URLError(
            .resourceUnavailable,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "libcurl cannot be loaded; install it (on Debian and Ubuntu: apt-get install libcurl4)"
            ])

        /// The number of sessions to keep, over all origins. Each has an open connection.
        private static let maximumIdle = 16

        init(_ configuration: URLSessionConfiguration) {
            configuredMaximum = max(1, configuration.httpMaximumConnectionsPerHost)
            state = Lock(State(maximum: configuredMaximum))
            usesProxies = configuration.connectionProxyDictionary?.isEmpty != true
        }

        func send(_ intake: TransferIntake, until stop: TransferStop) async -> TransferOutcome {
            await withCheckedContinuation { continuation in
                let job = Job(intake, stop, continuation)
                // Set before the job can run: a running job sets its own handler, which wakes libcurl.
                stop.handle { [self] error in drop(job, error) }
                let admitted = state.withLock { state in
                    state.waiting.append(job)
                    return state.admit()
                }
                // The stop may have come before there was a job to drop.
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
            // Dispatch has only as many threads as cores, and the whole process shares them.
            Thread.detachNewThread { [self] in
                withoutPipeSignal {
                    let earlier = state.withLock { state in
                        state.idle.lastIndex { $0.origin == job.origin }.map { state.idle.remove(at: $0).session }
                    }
                    let session = earlier ?? CurlSession(usesProxies: usesProxies)
                    let outcome =
                        session?.run(job.intake, until: job.stop)
                        ?? TransferOutcome(error: .failed(Self.unavailable))
                    let evicted = finish(job, session)
                    // The caller does not wait for the session to close: a pending name lookup can take as long as the
                    // name server likes.
                    withExtendedLifetime((session, evicted)) { job.continuation.resume(returning: outcome) }
                }
            }
        }

        /// Starts the next jobs and keeps the session for reuse. Returns a session to close if there are too many.
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

    /// Runs `body` on a thread with SIGPIPE blocked. That signal ends a process that writes to a closed connection.
    ///
    /// libcurl could ignore the signal only for the whole process, and only without threads (CURLOPT_NOSIGNAL). TLS
    /// libraries cause the signal, and the kernel sends it to the thread that writes.
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
            // Consumes the signal of `body`, then restores the mask.
            if !wasPending {
                var none = timespec()
                _ = sigtimedwait(&pipe, nil, &none)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return body()
    }
#endif
