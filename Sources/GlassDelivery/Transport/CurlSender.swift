#if canImport(CCurl)
    import CCurl
    import Foundation
    import GlassBase

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Sends requests with libcurl. A thread waits for each, and closes what it leaves behind.
    final class CurlSender: HTTPSender {
        /// The session of an earlier request, with the connection that it left open.
        private let idle = Lock<CurlSession?>(nil)

        func send(_ request: HTTPRequest, to server: UpdateServer) async -> HTTPAnswer {
            let stop = CurlStop()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    // Not one of Dispatch, which has as many as there are cores, for all tasks of the process.
                    Thread.detachNewThread { [idle] in
                        withoutPipeSignal {
                            let earlier = idle.withLock { idle in
                                defer { idle = nil }
                                return idle
                            }
                            guard let session = earlier ?? CurlSession() else {
                                return continuation.resume(
                                    returning: HTTPAnswer(problem: .failed("libcurl does not start")))
                            }
                            let answer = session.run(request, to: server, until: stop)
                            if session.isIdle { idle.withLock { $0 = session } }
                            // The caller does not wait for what closes with the session: a name that is still looked up
                            // takes as long as the name server likes.
                            withExtendedLifetime(session) { continuation.resume(returning: answer) }
                        }
                    }
                }
            } onCancel: {
                stop.now()
            }
        }
    }

    /// Whether a request is cancelled; wakes the thread that waits for it.
    final class CurlStop: Sendable {
        private struct State {
            var isStopped = false
            /// What waits; it outlives its stay here.
            var waiting: UnsafeMutableRawPointer?
        }

        private let state = Lock(State())

        var isStopped: Bool { state.withLock { $0.isStopped } }

        func now() {
            state.withLock { state in
                state.isStopped = true
                if let waiting = state.waiting { curl_multi_wakeup(waiting) }
            }
        }

        /// Runs `body`; meanwhile ``now()`` wakes a handle of libcurl.
        func waking<Result>(_ waiting: UnsafeMutableRawPointer, _ body: () -> Result) -> Result {
            state.withLock { $0.waiting = waiting }
            defer { state.withLock { $0.waiting = nil } }
            return body()
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
