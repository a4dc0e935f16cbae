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

/// An object that new readers can't reach, to be released once the readers that may be copying it are done.
typealias RetiredObject = AnyObject

/// The locks that keep an object alive until a reader has copied it. There's a single set for the process, because a
/// read may pass through a followed container, which may be released at any time together with its instances.
///
/// A reader holds one of sixteen mutexes, the stripes, while it loads what a cell publishes and copies it. A writer
/// first makes the old value unreachable, then locks and unlocks every mutex once, and only then releases the value.
/// Proof: a reader that held its mutex before the writer locked it has its copy; a reader that locks it afterward
/// synchronizes with the writer's unlock, and so loads the new pointer. While it holds the mutex, a reader only
/// retains: it runs no user code and takes no other lock, so there's no deadlock.
///
/// An atomic mark instead of a mutex isn't sufficient: to the optimizer, an atomic store is a store like any other, so
/// it may move the retain of a copy past the store that clears the mark, when a writer may already have freed the
/// object. It can't see into the unlocking of a mutex (decision 0001).
@usableFromInline
struct ReaderLocks: @unchecked Sendable {  // points to mutexes and atomics that are never freed
    /// The distance between mutexes in bytes: two cache lines, so that readers on different threads don't slow each
    /// other down. Processors fetch lines in pairs.
    @usableFromInline static var stride: Int { 128 }
    /// The number of mutexes. With more, two threads would contend for one less often, but each change, which locks all
    /// of them, would take longer.
    @usableFromInline static var count: Int { 16 }

    /// Counters that reads check.
    @usableFromInline
    struct Header: ~Copyable {
        /// The number of builds that record their dependencies. While it's zero, warm reads don't check whether they
        /// belong to such a build.
        @usableFromInline let recordingBuilds = Atomic<Int>(0)
        /// The number of events, in any container, after which a property that had no override may have one.
        @usableFromInline let overrides = Atomic<Int>(0)
    }

    /// The stripes of all containers. Each store and cell has a copy, because access to this global checks whether it's
    /// initialized.
    static let all = ReaderLocks()

    /// The header in the first stride, then a mutex in each of the others.
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

    /// Whether the read must be recorded, because the caller may be a factory whose dependencies are being recorded.
    @inlinable
    @inline(__always)
    var isRecordingCaller: Bool {
        // Relaxed: a factory that's being recorded increments this on the thread that reads. Builds on other threads
        // don't matter.
        header.pointee.recordingBuilds.load(ordering: .relaxed) != 0 && ThreadFrames.isBuilding
    }

    @inlinable
    @inline(__always)
    func mutex(_ stripe: Int) -> UnsafeMutablePointer<pthread_mutex_t> {
        (base + (stripe &+ 1) &* Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// Begins a read: until `leave`, what is loaded from a published pointer stays allocated.
    @inlinable
    @inline(__always)
    func enter() -> UnsafeMutablePointer<pthread_mutex_t> {
        // A stack address distinguishes threads well enough, without a call. Any stripe is correct.
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { UInt64(UInt(bitPattern: $0)) }
        // A thread rarely uses more than 2^19 bytes of its stack, so it has one or two stripes. Multiplying spreads
        // neighboring stacks; the highest four bits are the index of the stripe.
        let mutex = mutex(Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 60))
        pthread_mutex_lock(mutex)
        return mutex
    }

    /// Ends a read that `enter` began. The caller owns what it copied in between.
    @inlinable
    @inline(__always)
    func leave(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_mutex_unlock(mutex)
    }

    /// Waits until all reads that were in progress at the time of the call have ended.
    func waitForReaders() {
        // One at a time is enough: a reader that locks a stripe after this loop has passed it finds the new value.
        for index in 0..<Self.count {
            pthread_mutex_lock(mutex(index))
            pthread_mutex_unlock(mutex(index))
        }
    }

    /// Releases objects that were just unlinked, once no reader can be copying them.
    ///
    /// Runs user code (the deinitializers of the objects), so don't call it under a lock.
    func retire(_ unlinked: consuming [RetiredObject]) {
        guard !unlinked.isEmpty else { return }
        waitForReaders()
        // Keeps the objects alive until here. Otherwise, the array could be released after its last use, before the
        // wait.
        withExtendedLifetime(unlinked) {}
    }
}
