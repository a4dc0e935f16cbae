import GlassBase
import GlassDeepLinking
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that readers copy without ever waiting, and that writers replace as a whole.
///
/// There are two places, of which one is current. A reader counts itself into the current place, makes sure that it
/// still is the current one, copies, and counts itself out; otherwise it tries again. A writer fills the other place,
/// makes it current, and waits until nobody is counted into the old one before it takes the old value out.
final class PublishedValue<Value: Sendable>: @unchecked Sendable {  // see the proof
    // Proof: a place is written only by the one writer that holds `writing`, while the place is not current and nobody
    // is counted into it. A reader reads a place only after it was counted into it and then saw that it is current. All
    // four operations are sequentially consistent, so either the writer sees the reader's count and waits, or the
    // reader sees that the place is not current and leaves it alone.
    private let places: UnsafeMutablePointer<Value?>
    private let readers: UnsafeMutablePointer<Atomic<Int>>
    private let current = Atomic<Int>(0)
    private let writing = Lock(())

    init(_ value: Value) {
        places = .allocate(capacity: 2)
        places.initialize(to: value)
        (places + 1).initialize(to: nil)
        readers = .allocate(capacity: 2)
        readers.initialize(to: Atomic(0))
        (readers + 1).initialize(to: Atomic(0))
    }

    deinit {
        places.deinitialize(count: 2).deallocate()
        readers.deinitialize(count: 2).deallocate()
    }

    /// The value. Takes no lock; tries again only when a writer was faster, which then has made progress.
    var value: Value {
        while true {
            let place = current.load(ordering: .sequentiallyConsistent)
            readers[place].wrappingAdd(1, ordering: .sequentiallyConsistent)
            defer { readers[place].wrappingSubtract(1, ordering: .sequentiallyConsistent) }
            if current.load(ordering: .sequentiallyConsistent) == place, let value = places[place] { return value }
        }
    }

    /// Replaces the value; one writer after the other.
    ///
    /// - Parameter change: Makes the new value of the old one. It must not call out.
    /// - Returns: The old value, so that it is released where no lock is held.
    func replace(_ change: (Value) -> Value) -> Value? {
        writing.withLock { _ in
            let old = current.load(ordering: .sequentiallyConsistent)
            let new = 1 - old
            waitForReaders(of: new)
            places[new] = places[old].map(change)
            current.store(new, ordering: .sequentiallyConsistent)
            waitForReaders(of: old)
            return places[old].take()
        }
    }

    /// Readers are counted in for the time of a copy only.
    private func waitForReaders(of place: Int) {
        while readers[place].load(ordering: .sequentiallyConsistent) != 0 { sched_yield() }
    }
}
