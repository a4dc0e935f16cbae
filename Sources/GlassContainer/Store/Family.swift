import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a container shares with its children: who is reading right now, and what may be freed once they are done.
///
/// A warm read takes no lock, so what it reads must not be freed under it. Each reader counts itself into one of sixteen
/// stripes, reads, and counts itself out. A writer first makes the old memory unreachable and then frees it as soon as it
/// has seen every stripe at zero once. Proof: entering, loading the pointer, unlinking it and looking at the stripe are all
/// sequentially consistent. If the writer sees a stripe at zero after it unlinked, then a reader of that stripe either left
/// before (its decrement releases, the writer's load acquires, so its reads happened before the freeing), or will enter
/// later in the single order of these operations and so loads the new pointer. A reader's section runs no user code: it
/// copies a value, which only retains.
final class Family: @unchecked Sendable {
    // `stripes` holds atomics only, `retired` is guarded by `lock`, the rest is constant.

    /// Memory that no new reader can reach.
    private struct Retired {
        let pointer: UnsafeMutableRawPointer
        let free: (UnsafeMutableRawPointer) -> Void
        /// One bit for each stripe that has not been seen at zero since the pointer became unreachable.
        var unseen: UInt
    }

    /// Stripes are two cache lines apart, so that readers on different threads do not slow each other down.
    private static let stride = 128
    private static let stripeCount = 16

    private let stripes: UnsafeMutableRawPointer
    private let lock = Lock()
    private var retired: [Retired] = []

    /// How many builds record what they resolve. While it is zero, warm reads need not ask who they read for.
    let recordingBuilds = Atomic<Int>(0)

    init() {
        stripes = .allocate(byteCount: Self.stride * Self.stripeCount, alignment: Self.stride)
        for index in 0..<Self.stripeCount {
            (stripes + index * Self.stride).bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(0))
        }
    }

    deinit {
        // Readers keep the container, and so the family, alive: nobody is reading now.
        for item in retired { item.free(item.pointer) }
        for index in 0..<Self.stripeCount { stripe(index).deinitialize(count: 1) }
        stripes.deallocate()
    }

    @inline(__always)
    private func stripe(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        (stripes + index &* Self.stride).assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// Counts the caller in. Until `leave`, whatever it loads from a published pointer stays allocated.
    /// - Returns: the stripe to leave.
    @inline(__always)
    func enter() -> UnsafeMutablePointer<Atomic<Int>> {
        // A place on the stack tells threads apart well enough, and costs no call. Any stripe is a right one.
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { UInt64(UInt(bitPattern: $0)) }
        let index = Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 60)
        let stripe = stripe(index)
        stripe.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return stripe
    }

    /// Counts the caller out of the stripe that `enter` returned.
    @inline(__always)
    func leave(_ stripe: UnsafeMutablePointer<Atomic<Int>>) {
        stripe.pointee.wrappingSubtract(1, ordering: .releasing)
    }

    /// Frees memory that was just unlinked, now if no reader can hold it, otherwise with a later call.
    ///
    /// Runs user code (the deinitialisers of what is freed), so call it without a lock.
    func retire(_ unlinked: [(pointer: UnsafeMutableRawPointer, free: (UnsafeMutableRawPointer) -> Void)]) {
        let all: UInt = (1 << UInt(Self.stripeCount)) - 1
        lock.withLock {
            for item in unlinked { retired.append(Retired(pointer: item.pointer, free: item.free, unseen: all)) }
        }
        // A reader's section is some nanoseconds. One that was preempted inside is not waited for.
        for _ in 0..<32 where !reclaim() { sched_yield() }
    }

    /// Frees what no reader can hold any more.
    /// - Returns: whether nothing is left to free.
    @discardableResult
    func reclaim() -> Bool {
        var free: [Retired] = []
        let isEmpty = lock.withLock {
            if retired.isEmpty { return true }
            var zero: UInt = 0
            for index in 0..<Self.stripeCount
            where stripe(index).pointee.load(ordering: .sequentiallyConsistent) == 0 {
                zero |= 1 << UInt(index)
            }
            var kept: [Retired] = []
            for var item in retired {
                item.unseen &= ~zero
                if item.unseen == 0 { free.append(item) } else { kept.append(item) }
            }
            retired = kept
            return kept.isEmpty
        }
        for item in free { item.free(item.pointer) }
        return isEmpty
    }
}
