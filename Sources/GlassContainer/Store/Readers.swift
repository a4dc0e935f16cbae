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
/// A warm read takes no lock, so what it reads must not be freed under it. Each reader marks one of sixteen stripes, reads,
/// and takes its mark away. A stripe has two places: a flag, which one reader at a time owns, and a count for those who
/// find the flag taken. Owning makes leaving a plain store, so that a read that meets nobody costs one locked instruction.
///
/// A writer first makes the old memory unreachable and then frees it as soon as it has seen every place at zero once.
/// Proof: entering, loading the pointer, unlinking it and looking at a place are all sequentially consistent. If the writer
/// sees a place at zero after it unlinked, then a reader of that place either left before (its store or decrement releases,
/// the writer's load acquires, so its reads happened before the freeing), or will enter later in the single order of these
/// operations and so loads the new pointer. Only the owner of a flag clears it: who finds it set writes what is there
/// already. A reader's section runs no user code: it copies a value, which only retains.
@usableFromInline
struct Readers: @unchecked Sendable {
    // Points to atomics only, which the family owns and which outlive every entry of its stores.

    /// Stripes are two cache lines apart, so that readers on different threads do not slow each other down.
    @usableFromInline static var stride: Int { 128 }
    @usableFromInline static var stripeCount: Int { 16 }
    /// How far a stripe's count lies behind its flag: a power of two, so that a place tells by its address what it is.
    @usableFromInline static var countOffset: Int { 64 }
    /// How many places there are to look at.
    static var placeCount: Int { 2 * stripeCount }

    /// The first stride holds the number of recording builds and the threads' key, the others a stripe each.
    @usableFromInline let base: UnsafeMutableRawPointer

    init() {
        let size = Self.stride * (Self.stripeCount + 1)
        base = .allocate(byteCount: size, alignment: Self.stride)
        base.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(0))
        for index in 0..<Self.placeCount { place(index).initialize(to: Atomic(0)) }
        (base + Self.keyOffset).bindMemory(to: pthread_key_t.self, capacity: 1).initialize(to: ThreadSlot.key)
    }

    private static var keyOffset: Int { 64 }

    /// The key of `ThreadSlot`, where a read finds it without asking whether it was made yet.
    var threadKey: pthread_key_t {
        (base + Self.keyOffset).assumingMemoryBound(to: pthread_key_t.self).pointee
    }

    func free() {
        recordingBuilds.deinitialize(count: 1)
        for index in 0..<Self.placeCount { place(index).deinitialize(count: 1) }
        base.deallocate()
    }

    /// How many builds record what they resolve. While it is zero, warm reads need not ask who they read for.
    @inlinable
    @inline(__always)
    var recordingBuilds: UnsafeMutablePointer<Atomic<Int>> { base.assumingMemoryBound(to: Atomic<Int>.self) }

    /// The flag of a stripe.
    @inlinable
    @inline(__always)
    func flag(_ stripe: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        (base + (stripe &+ 1) &* Self.stride).assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// One of the places that readers mark: it is zero while nobody reads there.
    func place(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        (UnsafeMutableRawPointer(flag(index / 2)) + index % 2 * Self.countOffset)
            .assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// Marks the caller as reading. Until `leave`, whatever it loads from a published pointer stays allocated.
    /// - Returns: the place to leave.
    @inlinable
    @inline(__always)
    func enter() -> UnsafeMutablePointer<Atomic<Int>> {
        // A place on the stack tells threads apart well enough, and costs no call. Any stripe is a right one.
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { UInt64(UInt(bitPattern: $0)) }
        let flag = flag(Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 60))
        if flag.pointee.exchange(1, ordering: .sequentiallyConsistent) == 0 { return flag }
        let count = (UnsafeMutableRawPointer(flag) + Self.countOffset).assumingMemoryBound(to: Atomic<Int>.self)
        count.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return count
    }

    /// Takes away the mark at the place that `enter` returned.
    @inlinable
    @inline(__always)
    func leave(_ place: UnsafeMutablePointer<Atomic<Int>>) {
        if UInt(bitPattern: place) & UInt(Self.countOffset) == 0 {
            place.pointee.store(0, ordering: .releasing)
        } else {
            place.pointee.wrappingSubtract(1, ordering: .releasing)
        }
    }
}
