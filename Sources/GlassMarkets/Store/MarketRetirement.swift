import GlassBase
import GlassContainer
import Synchronization

/// Shuts the containers of a store's markets down, each when nobody holds its market any more.
final class MarketRetirement: Sendable {
    private struct State {
        var retired = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// How many markets are retired and not shut down yet.
    var count: Int { state.withLock { $0.retired } }

    fileprivate func add() {
        state.withLock { $0.retired += 1 }
    }

    /// Shuts a container down, its services in order, and lets go of it.
    fileprivate func close(_ container: Container, isCounted: Bool) {
        // Detached: the market may go where another one's container is `Container.shared`. The task ends with its work.
        Task.detached { [self] in
            await container.shutdown()
            if isCounted { finish() }
        }
    }

    private func finish() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.retired -= 1
            guard state.retired == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until every retired market is shut down.
    func finished() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.retired > 0 { state.waiting.append(continuation) }
                return state.retired == 0
            }
            if isDone { continuation.resume() }
        }
    }
}

/// Held by a market of a store; goes together with it.
final class MarketLease: Sendable {
    private let container: Container
    private let retirement: MarketRetirement
    private let isRetired = Atomic(false)

    /// Creates a lease.
    ///
    /// - Parameters:
    ///   - container: What to shut down in the end.
    ///   - retirement: Who does it.
    init(container: Container, retirement: MarketRetirement) {
        self.container = container
        self.retirement = retirement
    }

    deinit {
        retirement.close(container, isCounted: isRetired.load(ordering: .acquiring))
    }

    /// Counts the market as retired.
    func retire() {
        if !isRetired.exchange(true, ordering: .acquiringAndReleasing) { retirement.add() }
    }
}
