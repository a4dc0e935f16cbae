// Public because the inlined read path uses atomics.
public import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Who is reading right now, in the containers of one family.
///
/// A warm read takes no lock, so what it reads must not be freed under it. Each reader counts itself into one of sixteen
/// stripes, reads, and counts itself out. A writer first makes the old memory unreachable and then frees it as soon as it
/// has seen every stripe at zero once. Proof: entering, loading the pointer, unlinking it and looking at the stripe are all
/// sequentially consistent. If the writer sees a stripe at zero after it unlinked, then a reader of that stripe either left
/// before (its decrement releases, the writer's load acquires, so its reads happened before the freeing), or will enter
/// later in the single order of these operations and so loads the new pointer. A reader's section runs no user code: it
/// copies a value, which only retains.
@usableFromInline
struct Readers: @unchecked Sendable {
    // Points to atomics only, which the family owns and which outlive every entry of its stores.

    /// Stripes are two cache lines apart, so that readers on different threads do not slow each other down.
    @usableFromInline static var stride: Int { 128 }
    @usableFromInline static var stripeCount: Int { 16 }

    /// The first place holds the number of recording builds and the threads' key, the others count readers.
    @usableFromInline let base: UnsafeMutableRawPointer

    init() {
        let size = Self.stride * (Self.stripeCount + 1)
        base = .allocate(byteCount: size, alignment: Self.stride)
        for index in 0...Self.stripeCount {
            (base + index * Self.stride).bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(0))
        }
        (base + Self.keyOffset).bindMemory(to: pthread_key_t.self, capacity: 1).initialize(to: ThreadSlot.key)
    }

    private static var keyOffset: Int { 64 }

    /// The key of `ThreadSlot`, where a read finds it without asking whether it was made yet.
    var threadKey: pthread_key_t {
        (base + Self.keyOffset).assumingMemoryBound(to: pthread_key_t.self).pointee
    }

    func free() {
        for index in 0...Self.stripeCount {
            (base + index * Self.stride).assumingMemoryBound(to: Atomic<Int>.self).deinitialize(count: 1)
        }
        base.deallocate()
    }

    /// How many builds record what they resolve. While it is zero, warm reads need not ask who they read for.
    @inlinable
    @inline(__always)
    var recordingBuilds: UnsafeMutablePointer<Atomic<Int>> { base.assumingMemoryBound(to: Atomic<Int>.self) }

    @inlinable
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        (base + (index &+ 1) &* Self.stride).assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// Counts the caller in. Until `leave`, whatever it loads from a published pointer stays allocated.
    /// - Returns: the stripe to leave.
    @inlinable
    @inline(__always)
    func enter() -> UnsafeMutablePointer<Atomic<Int>> {
        // A place on the stack tells threads apart well enough, and costs no call. Any stripe is a right one.
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { UInt64(UInt(bitPattern: $0)) }
        let stripe = stripe(Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 60))
        stripe.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return stripe
    }

    /// Counts the caller out of the stripe that `enter` returned.
    @inlinable
    @inline(__always)
    func leave(_ stripe: UnsafeMutablePointer<Atomic<Int>>) {
        stripe.pointee.wrappingSubtract(1, ordering: .releasing)
    }
}
