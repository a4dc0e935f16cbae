import GlassBase

/// Counts calls.
final class Counted: Sendable {
    private let calls = Lock(0)
    var count: Int { calls.withLock { $0 } }
    func add() { calls.withLock { $0 += 1 } }
}
