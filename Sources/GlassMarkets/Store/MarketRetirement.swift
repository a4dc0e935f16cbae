import GlassBase

/// Counts a store's retired markets that are not disposed of yet.
final class MarketRetirement: Sendable {
    private struct State {
        var retired = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// The number of retired markets that are not disposed of yet.
    var count: Int { state.withLock { $0.retired } }

    fileprivate func add() {
        state.withLock { $0.retired += 1 }
    }

    fileprivate func remove() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.retired -= 1
            guard state.retired == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until every retired market is disposed of.
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

/// Tracks whether a market is retired, for the lifetime of its container.
final class MarketLifetime: Sendable {
    private let retirement = Lock<MarketRetirement?>(nil)

    /// Counts the market as retired, once.
    func retire(_ retirement: MarketRetirement) {
        let isFirst = self.retirement.withLock { current in
            defer { current = retirement }
            return current == nil
        }
        if isFirst { retirement.add() }
    }

    /// Records that the market's container has been disposed of. The market is no longer in use, so it cannot retire
    /// later.
    func end() {
        retirement.withLock { $0 }?.remove()
    }
}
