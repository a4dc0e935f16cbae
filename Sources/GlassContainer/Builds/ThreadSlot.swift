// Public because the inlined read path looks up its thread.
public import CThreadHead

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The frame of a running factory, on the stack of its thread.
@usableFromInline
struct Frame {
    @usableFromInline let cell: UnsafeMutablePointer<Cell>
    @usableFromInline var previous: UnsafeMutablePointer<Frame>?
    /// The data that only a cached or recorded build needs. The function that runs the build keeps it alive.
    @usableFromInline var details: Unmanaged<FrameDetails>?

    @inlinable
    @inline(__always)
    init(_ cell: UnsafeMutablePointer<Cell>) {
        self.cell = cell
        previous = nil
        details = nil
    }
}

/// The data of a build that's cached or recorded.
@usableFromInline
final class FrameDetails {
    /// The build that others may wait for; nil for an instance that isn't cached.
    let build: Build?
    let isRecording: Bool
    let parameter: AnyHashable?
    /// The receiver of reports about the factory, if any.
    let watch: Observation.Strict?
    var dependencies: [Entry] = []

    init(build: Build?, isRecording: Bool, parameter: AnyHashable?, watch: Observation.Strict?) {
        self.build = build
        self.isRecording = isRecording
        self.parameter = parameter
        self.watch = watch
    }
}

/// The builds of one thread. Factories are synchronous, so a build begins and ends on one thread, and a task that
/// builds occupies that thread as long as the build lasts.
@usableFromInline
final class ThreadSlot {
    // Accessed only by its own thread.

    /// The state of a build that needs only a frame. In raw memory, so that accesses aren't checked for exclusivity.
    @usableFromInline
    struct Head {
        /// The frame of the innermost running factory.
        @usableFromInline var top: UnsafeMutablePointer<Frame>?
        /// Whether there's something to clear at the end of the outermost resolution.
        @usableFromInline var hasCycleState = false
        let slot: Unmanaged<ThreadSlot>
    }

    let head: UnsafeMutablePointer<Head>
    var top: UnsafeMutablePointer<Frame>? { head.pointee.top }
    /// The builds that the thread has begun but not ended, outermost first.
    private var builds: [(build: Build, depth: Int)] = []
    /// The instances of the current outermost resolution, for the scope `graph`.
    var graph: [GraphKey: CachedInstance] = [:]
    /// The lines of the current outermost resolution, for `trace`, and the current depth.
    var trace: [String] = []
    var traceDepth = 0

    struct GraphKey: Hashable {
        /// Retained, so that no other container's entry can get its address before the resolution ends.
        let entry: Entry
        let parameter: AnyHashable?

        static func == (first: Self, second: Self) -> Bool {
            first.entry === second.entry && first.parameter == second.parameter
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(entry))
            hasher.combine(parameter)
        }
    }

    private init() {
        head = .allocate(capacity: 1)
        head.initialize(to: Head(slot: Unmanaged.passUnretained(self)))
    }

    /// The key whose destructor frees a thread's slot when the thread ends.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            let status = pthread_key_create(&key) { ThreadSlot.free($0) }
        #else
            let status = pthread_key_create(&key) { pointer in
                if let pointer { ThreadSlot.free(pointer) }
            }
        #endif
        precondition(status == 0, "Could not create a thread-specific key (error \(status)).")
        return key
    }()

    private static func free(_ pointer: UnsafeMutableRawPointer) {
        // A destructor that the system runs after this one may build again; it must get a new slot, not the freed one.
        set_thread_head(nil)
        let head = pointer.assumingMemoryBound(to: Head.self)
        let slot = head.pointee.slot
        slot.release()
        head.deallocate()
    }

    /// The head of the calling thread's slot, if the thread has built anything. It lives as long as the thread.
    @inlinable
    @inline(__always)
    static var existing: UnsafeMutablePointer<Head>? { get_thread_head()?.assumingMemoryBound(to: Head.self) }

    static var current: ThreadSlot {
        if let existing { return existing.pointee.slot.takeUnretainedValue() }
        let slot = ThreadSlot()
        // Balanced by the release in `free`.
        _ = Unmanaged.passRetained(slot)
        // The key is set only for its destructor. Reads use the C thread-local, because `pthread_getspecific` would add
        // 3 ns to each unique service.
        pthread_setspecific(key, UnsafeMutableRawPointer(slot.head))
        set_thread_head(UnsafeMutableRawPointer(slot.head))
        return slot
    }

    /// The services that the calling thread is building, outermost first.
    static var path: [ResolutionStep] { existing?.pointee.slot.takeUnretainedValue().path ?? [] }

    // MARK: - Frames

    /// Runs `body` with a frame on this thread's path.
    func framed<Service>(_ entry: Entry, _ details: FrameDetails, _ body: () throws -> Service) rethrows -> Service {
        var frame = Frame(entry.cell)
        frame.details = Unmanaged.passUnretained(details)
        return try withExtendedLifetime(details) {
            try withUnsafeMutablePointer(to: &frame) { frame in
                frame.pointee.previous = top
                head.pointee.top = frame
                defer {
                    head.pointee.top = frame.pointee.previous
                    if top == nil, head.pointee.hasCycleState { endCycle() }
                }
                return try body()
            }
        }
    }

    fileprivate func endCycle() {
        // Cleared before the instances are released, because their deinitializers may resolve again.
        let graph = graph
        head.pointee.hasCycleState = false
        self.graph = [:]
        withExtendedLifetime(graph) {}
    }

    /// The frames, outermost first.
    var frames: [UnsafeMutablePointer<Frame>] {
        var frames: [UnsafeMutablePointer<Frame>] = []
        var next = top
        while let frame = next {
            frames.append(frame)
            next = frame.pointee.previous
        }
        return frames.reversed()
    }

    /// The services that this thread is building, outermost first.
    var path: [ResolutionStep] { frames.map { ResolutionStep($0.pointee.cell.pointee.entry) } }

    /// The receiver of reports about the innermost running factory, if any.
    var watch: Observation.Strict? { top?.pointee.details?.takeUnretainedValue().watch }

    /// The entry of the innermost running factory, if any.
    var creator: Entry? { top?.pointee.cell.pointee.entry }

    /// Records that the innermost factory on this thread resolved `entry`.
    func note(_ entry: Entry) {
        guard let top, let details = top.pointee.details?.takeUnretainedValue(), details.isRecording,
            // The graph covers one family of containers; others may be created and released independently.
            top.pointee.cell.pointee.entry.store.family == entry.store.family,
            !details.dependencies.contains(where: { $0 === entry })
        else { return }
        details.dependencies.append(entry)
    }

    // MARK: - Builds

    /// Starts a build on this thread, which lasts until `end`.
    func begin(generation: Int) -> Build {
        let build = Build(owner: ObjectIdentifier(self), generation: generation)
        builds.append((build, frames.count))
        return build
    }

    /// Ends a build of this thread and wakes the threads that wait for it. Call under the lock that guards the build.
    func end(_ build: Build) {
        builds.removeAll { $0.build === build }
        build.end()
    }

    func isBuilding(_ build: Build) -> Bool { build.owner == ObjectIdentifier(self) }

    /// Waits for another thread's build. Throws if that would close a cycle of threads that wait for one another.
    func wait<Result>(for build: Build, _ sleep: () -> Result) throws(ContainerError) -> Result {
        // No thread waits for a thread that isn't building anything.
        if builds.isEmpty { return sleep() }
        let number = try WaitGraph.all.announce(
            build, parts: builds.map { WaitGraph.Part(build: ObjectIdentifier($0.build), depth: $0.depth) },
            steps: frames.map { ResolutionStep($0.pointee.cell.pointee.entry) })
        defer { WaitGraph.all.withdraw(number) }
        return sleep()
    }

    // MARK: - Cycles

    /// The number of times a factory may resolve itself with different parameters before that counts as a cycle: enough
    /// for trees that are created from their parameters, and far below what a thread's stack can hold.
    private static let parameterDepth = 256

    /// The cycle that resolving `entry` would close, if this thread is already building it.
    func cycle(to entry: Entry, parameter: AnyHashable?) -> ContainerError? {
        guard top != nil else { return nil }
        let frames = frames
        func isOf(_ frame: UnsafeMutablePointer<Frame>) -> Bool { frame.pointee.cell == entry.cell }
        let same = frames.indices.filter { isOf(frames[$0]) }
        guard let last = same.last else { return nil }
        let first = same.first {
            frames[$0].pointee.details?.takeUnretainedValue().parameter == parameter
        }
        guard let start = first ?? (same.count >= Self.parameterDepth ? last : nil) else { return nil }
        return error(frames[start...].map { ResolutionStep($0.pointee.cell.pointee.entry) })
    }

    /// The cycle that waiting for one of this thread's own builds would close.
    func cycle(of build: Build) -> ContainerError {
        let frames = frames
        let start = frames.firstIndex { $0.pointee.details?.takeUnretainedValue().build === build } ?? 0
        return error(frames[start...].map { ResolutionStep($0.pointee.cell.pointee.entry) })
    }

    private func error(_ steps: [ResolutionStep]) -> ContainerError {
        steps.count == 1 ? .reentrant(steps[0]) : .cyclic(path: steps + steps.prefix(1))
    }
}

/// The operations of inlined reads on the frames of their thread. An enum rather than a class, so that calls pass no
/// metatype.
@usableFromInline
enum ThreadFrames {
    /// Whether the calling thread is running a factory.
    @usableFromInline
    static var isBuilding: Bool { ThreadSlot.existing?.pointee.top != nil }

    /// Begins a build that needs only a frame. Traps if this thread is already building the key.
    @inlinable
    @inline(__always)
    static func push(_ frame: UnsafeMutablePointer<Frame>) -> UnsafeMutablePointer<ThreadSlot.Head> {
        let existing = ThreadSlot.existing
        // The outermost build can't close a cycle, and `Frame.init` has already set `previous` to nil.
        guard let existing, existing.pointee.top == nil else { return pushInner(frame, existing) }
        existing.pointee.top = frame
        return existing
    }

    /// Begins a nested build, or the first build of the thread.
    @usableFromInline
    static func pushInner(
        _ frame: UnsafeMutablePointer<Frame>, _ existing: UnsafeMutablePointer<ThreadSlot.Head>?
    ) -> UnsafeMutablePointer<ThreadSlot.Head> {
        let head = existing ?? ThreadSlot.current.head
        let top = head.pointee.top
        frame.pointee.previous = top
        var next = top
        // A walk doesn't allocate, and is cheaper than a set as long as no more than a few dozen factories are nested.
        while let outer = next {
            if outer.pointee.cell == frame.pointee.cell { stopAtCycle(frame.pointee.cell) }
            next = outer.pointee.previous
        }
        head.pointee.top = frame
        return head
    }

    @inline(never)
    private static func stopAtCycle(_ cell: UnsafeMutablePointer<Cell>) {
        ThreadSlot.current.cycle(to: cell.pointee.entry, parameter: nil)?.stop()
    }

    /// Ends a build that `push` began.
    @inlinable
    @inline(__always)
    static func pop(_ frame: UnsafeMutablePointer<Frame>, _ head: UnsafeMutablePointer<ThreadSlot.Head>) {
        head.pointee.top = frame.pointee.previous
        if head.pointee.hasCycleState, frame.pointee.previous == nil { endCycle(head) }
    }

    @usableFromInline
    static func endCycle(_ head: UnsafeMutablePointer<ThreadSlot.Head>) {
        head.pointee.slot.takeUnretainedValue().endCycle()
    }
}
