import GlassBase
import Synchronization

/// A value that the first who asks makes, while the others wait for it.
final class OnceValue<Value> {
    private let isMade: Atomic<Bool>
    private var value: Value?
    private let lock = Lock()
    /// The making in progress, guarded by `lock`, as its outcome is.
    private var build: Build?

    init(_ value: Value? = nil) {
        self.value = value
        isMade = Atomic(value != nil)
    }

    /// The value, if it was made. Takes no lock.
    var current: Value? { isMade.load(ordering: .acquiring) ? value : nil }

    /// The value, made by `make` if there is none yet: once, however many threads ask. A circle of threads that would wait
    /// for one another stops the program with its path.
    func value(_ make: () -> Value) -> Value {
        if let current { return current }
        let slot = ThreadSlot.current
        switch begin(slot) {
        case .made(let value):
            return value
        case .wait(let build) where !slot.isBuilding(build):
            do throws(ContainerError) {
                try slot.wait(for: build) { lock.withLock { build.sleep(lock) } }
            } catch {
                error.stop()
            }
            return value(make)
        case .wait:
            // What is being made asks for itself. If that is a cycle, the factory says so, with its path.
            return keep(make())
        case .make(let build):
            let value = keep(make())
            lock.withLock {
                self.build = nil
                slot.end(build)
            }
            return value
        }
    }

    private enum Step {
        case made(Value)
        case wait(Build)
        case make(Build)
    }

    private func begin(_ slot: ThreadSlot) -> Step {
        lock.withLock {
            if let value { return .made(value) }
            if let build { return .wait(build) }
            let build = slot.begin(generation: 0)
            self.build = build
            return .make(build)
        }
    }

    /// Keeps the value, unless one is kept already.
    private func keep(_ new: Value) -> Value {
        lock.withLock {
            if let value { return value }
            value = new
            isMade.store(true, ordering: .releasing)
            return new
        }
    }
}

extension OnceValue: @unchecked Sendable where Value: Sendable {  // written once, under `lock`
    // Proof: `value` is written once, under `lock`, before `isMade` is set, releasing, and read without the lock only by
    // who saw that, acquiring; `build` is touched under `lock` only.
}
