import GlassBase
public import GlassContainer

/// The state of the network according to the system. It watches for changes once `changes()` has been called.
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

    /// The current state of the network, read from the system.
    public var current: NetworkInformation { source.read() }

    /// The current state of the network, followed by the state after each change. The first call starts watching.
    ///
    /// - Returns: A separate stream. It ends when the monitor is disposed of or released.
    public func changes() -> AsyncStream<NetworkInformation> {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { source.start { [weak self] in self?.look() } }
        // Here and in `look`, read and send under one lock, so that no stream ends with an older state.
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
