import GlassBase
public import GlassContainer

/// The state of the network from the system, watched while somebody reads its changes.
public final class NetworkInformationMonitor: NetworkInformationProvider, Disposable {
    private struct State {
        var isStarted = false
        var last: NetworkInformation?
    }

    private let source: any NetworkInformationSource
    private let state = Lock(State())
    private let broadcast = Broadcast<NetworkInformation>()

    /// Creates a monitor of this system's network.
    public convenience init() {
        #if canImport(Network)
            self.init(source: PathInformationSource())
        #else
            self.init(source: NetlinkInformationSource())
        #endif
    }

    /// Creates a monitor.
    package init(source: any NetworkInformationSource) {
        self.source = source
    }

    deinit { dispose() }

    /// What the network is like now; asks the system.
    public var current: NetworkInformation { source.read() }

    /// What the network is like now, and again after each change. The first call starts watching.
    ///
    /// - Returns: A stream of the caller's own; it ends when the monitor does.
    public func changes() -> AsyncStream<NetworkInformation> {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { source.start { [weak self] in self?.look() } }
        // Reading and handing out are one step here and in `look`, so that no stream ends on an older state.
        return state.withLock { state in
            let now = source.read()
            if state.last != now {
                state.last = now
                broadcast.send(now)
            }
            return broadcast.values(startingWith: now, limit: 1)
        }
    }

    private func look() {
        state.withLock { state in
            let now = source.read()
            guard state.last != now else { return }
            state.last = now
            broadcast.send(now)
        }
    }

    /// Stops watching and ends every stream.
    public func dispose() {
        source.stop()
        broadcast.finish()
    }
}
