// Public because the inlined read path uses atomics and mutexes.
import GlassBase
public import Synchronization

#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// Something that no new reader can reach, to be let go once the readers that might be copying it are done.
typealias RetiredObject = AnyObject

/// Keeps what a reader copies alive until it has its copy: one set for the process, since a read may go through a container
/// that is followed, whose instances and which itself may go at any time.
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
struct ReaderLocks: @unchecked Sendable {  // points to mutexes, atomics and a constant that never go
    /// Two cache lines apart, so that readers on different threads do not slow each other down: processors fetch them in pairs.
    @usableFromInline static var stride: Int { 128 }
    /// More make two threads meet on one less often, and each change slower, which passes through all of them.
    @usableFromInline static var count: Int { 16 }

    /// What reads look at beside what they read.
    @usableFromInline
    struct Header: ~Copyable {
        /// How many builds record what they resolve. While it is zero, warm reads need not ask who they read for.
        @usableFromInline let recordingBuilds = Atomic<Int>(0)
        /// How often something happened, in any container, by which a property that nobody overrode may be overridden now.
        @usableFromInline let overrides = Atomic<Int>(0)
    }

    /// The stripes of every container. A store keeps a copy, which costs no look whether they were made yet.
    static let all = ReaderLocks()

    /// The first stride is the header, each of the others a mutex.
    @usableFromInline let base: UnsafeMutableRawPointer

    private init() {
        base = .allocate(byteCount: Self.stride * (Self.count + 1), alignment: Self.stride)
        base.bindMemory(to: Header.self, capacity: 1).initialize(to: Header())
        for index in 0..<Self.count {
            let mutex = (base + (index + 1) * Self.stride).bindMemory(to: pthread_mutex_t.self, capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            requireMade(pthread_mutex_init(mutex, nil), "pthread_mutex_init")
        }
    }

    @inlinable
    @inline(__always)
    var header: UnsafeMutablePointer<Header> { base.assumingMemoryBound(to: Header.self) }

    /// Whether the caller must be told what it reads, because it may be a factory that is recorded.
    @inlinable
    @inline(__always)
    var isRecordingCaller: Bool {
        // Relaxed: a factory that is recorded counts on the thread, or in the task, that reads. Others' builds do not matter.
        header.pointee.recordingBuilds.load(ordering: .relaxed) != 0 && ThreadFrames.isBuilding
    }

    @inlinable
    @inline(__always)
    func mutex(_ stripe: Int) -> UnsafeMutablePointer<pthread_mutex_t> {
        (base + (stripe &+ 1) &* Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// Begins to read: until `leave`, what is loaded from a published pointer stays allocated.
    @inlinable
    @inline(__always)
    func enter() -> UnsafeMutablePointer<pthread_mutex_t> {
        // A place on the stack tells threads apart well enough, and costs no call. Any stripe is a right one.
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { UInt64(UInt(bitPattern: $0)) }
        // A thread seldom uses more than 2^19 bytes of its stack, so it has one stripe or two; multiplying spreads neighbours.
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
    func waitForReaders() {
        // One at a time: who is done with a stripe may read again meanwhile, and finds the new value then.
        for index in 0..<Self.count {
            pthread_mutex_lock(mutex(index))
            pthread_mutex_unlock(mutex(index))
        }
    }

    /// Lets go of what was just unlinked, once no reader can be copying it.
    ///
    /// Runs user code (the deinitialisers of what is let go), so call it without a lock.
    func retire(_ unlinked: consuming [RetiredObject]) {
        guard !unlinked.isEmpty else { return }
        waitForReaders()
        // Not before: the language lets go of an array after its last use.
        withExtendedLifetime(unlinked) {}
    }
}
