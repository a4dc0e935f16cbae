// Public because the inlined read path uses atomics and mutexes.
public import Synchronization

#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// Something that no new reader can reach, to be let go once the readers that might be copying it are done.
typealias Garbage = AnyObject

/// Keeps what a reader copies alive until it has its copy.
///
/// A reader holds one of sixteen mutexes while it loads what a cell publishes and copies it. A writer first makes the old
/// value unreachable, then passes through every mutex once, and only then lets go of the value. Proof: a reader that held
/// its mutex before the writer passed has its copy; one that takes it afterwards synchronises with the writer's unlock, and
/// so loads the new pointer. While it holds the mutex a reader only retains: it runs no code of others and takes no other
/// lock, so nobody waits in a circle.
///
/// A mutex, and not a mark in an atomic: to the optimiser an atomic store is a store like others, and it moves the retain of
/// a copy behind the store that takes the mark away, where a writer may have freed it. It cannot look into the unlocking of
/// a mutex (decision 0001).
@usableFromInline
struct Stripes: @unchecked Sendable {
    // Proof: it points to mutexes, an atomic and a constant, all of which the family owns and which outlive every entry of
    // its stores.

    /// Two cache lines apart, so that readers on different threads do not slow each other down.
    @usableFromInline static var stride: Int { 128 }
    @usableFromInline static var count: Int { 16 }
    private static var keyOffset: Int { 64 }

    /// The first stride holds the number of recording builds and the threads' key, each of the others a mutex.
    @usableFromInline let base: UnsafeMutableRawPointer

    fileprivate init() {
        base = .allocate(byteCount: Self.stride * (Self.count + 1), alignment: Self.stride)
        base.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(0))
        (base + Self.keyOffset).bindMemory(to: pthread_key_t.self, capacity: 1).initialize(to: ThreadSlot.key)
        for index in 0..<Self.count {
            let mutex = (base + (index + 1) * Self.stride).bindMemory(to: pthread_mutex_t.self, capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            let status = pthread_mutex_init(mutex, nil)
            if status != 0 { fatalError("pthread_mutex_init failed with \(status): the system is out of resources") }
        }
    }

    fileprivate func free() {
        recordingBuilds.deinitialize(count: 1)
        for index in 0..<Self.count { pthread_mutex_destroy(mutex(index)) }
        base.deallocate()
    }

    /// The key of `ThreadSlot`, where a read finds it without asking whether it was made yet.
    var threadKey: pthread_key_t {
        (base + Self.keyOffset).assumingMemoryBound(to: pthread_key_t.self).pointee
    }

    /// How many builds record what they resolve. While it is zero, warm reads need not ask who they read for.
    @inlinable
    @inline(__always)
    var recordingBuilds: UnsafeMutablePointer<Atomic<Int>> { base.assumingMemoryBound(to: Atomic<Int>.self) }

    @inlinable
    @inline(__always)
    func mutex(_ stripe: Int) -> UnsafeMutablePointer<pthread_mutex_t> {
        (base + (stripe &+ 1) &* Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// Begins to read: until `leave`, what is loaded from a published pointer stays allocated.
    ///
    /// - Returns: what to leave.
    @inlinable
    @inline(__always)
    func enter() -> UnsafeMutablePointer<pthread_mutex_t> {
        // A place on the stack tells threads apart well enough, and costs no call. Any stripe is a right one.
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { UInt64(UInt(bitPattern: $0)) }
        let mutex = mutex(Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 60))
        pthread_mutex_lock(mutex)
        return mutex
    }

    /// Ends what `enter` began. What was copied in between is the caller's.
    @inlinable
    @inline(__always)
    func leave(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_mutex_unlock(mutex)
    }

    /// Returns when everybody who was reading at the time of the call is done.
    fileprivate func waitForReaders() {
        for index in 0..<Self.count {
            pthread_mutex_lock(mutex(index))
            pthread_mutex_unlock(mutex(index))
        }
    }
}

/// What a container shares with its children.
final class Family: Sendable {
    let stripes = Stripes()

    deinit {
        // Readers keep their container, and so the family, alive: nobody is reading now.
        stripes.free()
    }

    /// Lets go of what was just unlinked, once no reader can be copying it.
    ///
    /// Runs user code (the deinitialisers of what is let go), so call it without a lock.
    func retire(_ unlinked: consuming [Garbage]) {
        guard !unlinked.isEmpty else { return }
        stripes.waitForReaders()
        // Not before: the language lets go of an array after its last use.
        withExtendedLifetime(unlinked) {}
    }
}
