import GlassBase
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Something that no new reader can reach, to be let go once the readers that might hold it are gone.
typealias Garbage = AnyObject

/// What a container shares with its children: who is reading right now, and what may be freed once they are done.
final class Family: @unchecked Sendable {
    // `readers` points to atomics only, `retired` is guarded by `lock`.

    private struct Retired {
        let object: Garbage
        /// One bit for each of the readers' places that has not been seen at zero since the object became unreachable.
        var unseen: UInt
    }

    let readers = Readers()
    private let lock = Lock()
    private var retired: [Retired] = []

    deinit {
        // Readers keep the container, and so the family, alive: nobody is reading now.
        retired = []
        readers.free()
    }

    /// Lets go of what was just unlinked, now if no reader can hold it, otherwise with a later call.
    ///
    /// Runs user code (the deinitialisers of what is freed), so call it without a lock.
    func retire(_ unlinked: [Garbage]) {
        guard !unlinked.isEmpty else { return }
        let all: UInt = (1 << UInt(Readers.placeCount)) - 1
        lock.withLock {
            for object in unlinked { retired.append(Retired(object: object, unseen: all)) }
        }
        // A reader's section is some nanoseconds. One that was preempted inside is not waited for.
        for _ in 0..<32 where !reclaim() { sched_yield() }
    }

    /// Frees what no reader can hold any more.
    /// - Returns: whether nothing is left to free.
    private func reclaim() -> Bool {
        var free: [Garbage] = []
        let isEmpty = lock.withLock {
            if retired.isEmpty { return true }
            var zero: UInt = 0
            for index in 0..<Readers.placeCount
            where readers.place(index).pointee.load(ordering: .sequentiallyConsistent) == 0 {
                zero |= 1 << UInt(index)
            }
            var kept: [Retired] = []
            for var item in retired {
                item.unseen &= ~zero
                if item.unseen == 0 { free.append(item.object) } else { kept.append(item) }
            }
            retired = kept
            return kept.isEmpty
        }
        free = []
        return isEmpty
    }
}
