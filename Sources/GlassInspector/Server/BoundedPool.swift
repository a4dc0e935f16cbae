import FlyingFox
import FlyingSocks
import GlassBase

/// Waits for sockets as another pool does, but not for ever, and not for any number of them.
///
/// FlyingFox waits for the rest of a request as long as it takes, on as many connections as come. Here a request must be
/// whole, and an answer taken, within ``patience``; and where more than ``mostWaiting`` connections wait, the one that has
/// waited longest is closed. Browsers open an idle connection anew when they need it.
final class BoundedPool: AsyncSocketPool {
    /// The most connections that wait at a time.
    static let mostWaiting = 64
    /// How long a request may take to be whole, and an answer to be taken.
    static let patience = Duration.seconds(20)

    private struct Wait: Sendable {
        /// Since when the connection has been at its present request, or has had none.
        var since: ContinuousClock.Instant
        /// Ends the wait; nil while the connection is not waiting, or is being closed.
        var end: (@Sendable () -> Void)?
    }

    private let base: any AsyncSocketPool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let waits = Lock<[String: Wait]>([:])

    /// Bounds a pool.
    init(_ base: any AsyncSocketPool, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.base = base
        self.now = now
    }

    /// The connections that wait now.
    var waitingCount: Int { waits.withLock { $0.values.count { $0.end != nil } } }

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        guard let peer = try? socket.remotePeer() else {  // the socket that listens has none, and waits for ever
            return try await base.suspendSocket(socket, untilReadyFor: events)
        }
        let name = Self.name(of: peer)
        let base = base
        let wait = Task { try await base.suspendSocket(socket, untilReadyFor: events) }
        begin(name, isNew: events != .read) { wait.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await wait.value
            } onCancel: {
                wait.cancel()
            }
            waits.withLock { $0[name]?.end = nil }
        } catch {
            waits.withLock { $0[name] = nil }
            throw error
        }
    }

    /// Notes that a connection's request is whole: what it waits for next is another one.
    func requestIsWhole(of peer: HTTPRequest.Address?) {
        guard case .ip4(let address, let port)? = peer else { return }
        waits.withLock { $0["\(address):\(port)"] = nil }
    }

    /// Closes the connections that have waited too long. Called now and then.
    func closeOverdue() {
        let limit = now() - Self.patience
        let overdue = waits.withLock { waits in
            // One that waits for nothing may be about to wait again, and is then closed. One that has not for so long is gone.
            for (name, wait) in waits where wait.end == nil && wait.since < limit - Self.patience { waits[name] = nil }
            return waits.values.filter { $0.since < limit }.compactMap(\.end)
        }
        for end in overdue { end() }
    }

    private func begin(_ name: String, isNew: Bool, _ end: @escaping @Sendable () -> Void) {
        let ended = waits.withLock { waits -> (@Sendable () -> Void)? in
            let now = now()
            let since = isNew ? now : waits[name]?.since ?? now
            guard since >= now - Self.patience else { return end }
            waits[name] = Wait(since: since, end: end)
            let waiting = waits.filter { $0.value.end != nil }
            guard waiting.count > Self.mostWaiting,
                let oldest = waiting.min(by: { $0.value.since < $1.value.since })
            else { return nil }
            // Closing takes a moment; a connection that begins meanwhile must close another.
            waits[oldest.key]?.end = nil
            return oldest.value.end
        }
        ended?()
    }

    private static func name(of peer: Socket.Address) -> String {
        switch peer {
        case .ip4(let address, let port): "\(address):\(port)"
        case .ip6(let address, let port): "[\(address)]:\(port)"
        case .unix(let path): path
        }
    }
}
