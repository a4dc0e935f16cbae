@testable import GlassBase
import TestSupport
import Testing

/// Run these under ThreadSanitizer: it detects a lock that does not lock even when the sums are right.
@Suite(.timeLimit(.minutes(1)))
struct LockTests {
    @Test func valueIsAccessedByOneThreadAtATime() {
        let lock = Lock(0)
        onThreads(4) { _ in
            for _ in 0..<10_000 { lock.withLock { $0 += 1 } }
        }
        #expect(lock.withLock { $0 } == 40_000)
    }

    @Test func lockWithoutValueGuardsOtherState() {
        final class Counter: @unchecked Sendable {
            // `count` is only accessed under `lock`.
            let lock = Lock()
            var count = 0
        }
        let counter = Counter()
        onThreads(4) { _ in
            for _ in 0..<10_000 { counter.lock.withLock { counter.count += 1 } }
        }
        #expect(counter.lock.withLock { counter.count } == 40_000)
    }

    @Test func conditionWakesSleepingThread() {
        final class Turns: @unchecked Sendable {
            // `turn` is only accessed under `lock`.
            let lock = Lock()
            let changed = ConditionVariable()
            var turn = 0
        }
        let turns = Turns()
        onThreads(2) { thread in
            for round in 0..<1_000 {
                turns.lock.withLock {
                    while turns.turn != 2 * round + thread { turns.changed.wait(turns.lock) }
                    turns.turn += 1
                    turns.changed.broadcast()
                }
            }
        }
        #expect(turns.lock.withLock { turns.turn } == 2_000)
    }

    /// A thread that wakes up holds the lock again, so each may access the guarded state, one after the other.
    @Test func broadcastWakesEverySleeper() {
        final class Door: @unchecked Sendable {
            // Both counts are only accessed under `lock`.
            let lock = Lock()
            let changed = ConditionVariable()
            var round = 0
            var passed = 0
        }
        let door = Door()
        onThreads(4) { thread in
            for round in 1...250 {
                door.lock.withLock {
                    door.passed += 1
                    if door.passed == 4 * round {
                        door.round = round
                        door.changed.broadcast()
                    }
                    while door.round < round { door.changed.wait(door.lock) }
                }
            }
        }
        #expect(door.lock.withLock { door.passed } == 1_000)
    }

    @Test func errorOfBodyIsRethrownAndLockReleased() {
        struct Refused: Error {}
        let lock = Lock(1)
        #expect(throws: Refused.self) { try lock.withLock { _ in throw Refused() } }
        #expect(lock.withLock { $0 } == 1)
    }
}
