import GlassBase
import Synchronization

/// A value that the first reader creates while the others wait for it.
final class OnceValue<Value> {
    private let isMade: Atomic<Bool>
    private var value: Value?
    private let lock = Lock()
    /// The build in progress. Guarded by `lock`, as its result is.
    private var build: Build?

    init(_ value: Value? = nil) {
        self.value = value
        isMade = Atomic(value != nil)
    }

    /// The value, if it has been created. Takes no lock.
    var current: Value? { isMade.load(ordering: .acquiring) ? value : nil }

    /// Returns the value. If there is none yet, `make` creates it: once, regardless of how many threads request it.
    /// Traps with the path if that would close a cycle of threads that wait for one another.
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
            // The value being created requests itself. If that's a cycle, the factory traps with its path.
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

    /// Stores the value, unless there's one already, and returns the stored one.
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
    // Proof: `value` is written once, under `lock`, before the releasing store to `isMade`, and read without the lock
    // only after an acquiring load has seen that store. `build` is accessed only under `lock`.
}
