// Public because the inlined read path looks its thread up.
public import CThreadHead

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One factory that runs on a thread. Lives on that thread's stack while it does.
@usableFromInline
struct Frame {
    @usableFromInline let cell: UnsafeMutablePointer<Cell>
    @usableFromInline var previous: UnsafeMutablePointer<Frame>?
    /// What only a build that is watched needs; the function that runs it holds it.
    @usableFromInline var details: Unmanaged<FrameDetails>?

    @inlinable
    @inline(__always)
    init(_ cell: UnsafeMutablePointer<Cell>) {
        self.cell = cell
        previous = nil
        details = nil
    }
}

/// What a build that is kept or recorded notes down.
@usableFromInline
final class FrameDetails {
    /// The build that others may wait for; nil for an instance that is not kept.
    let build: Build?
    let isRecording: Bool
    let parameter: AnyHashable?
    var dependencies: [Entry] = []

    init(build: Build?, isRecording: Bool, parameter: AnyHashable?) {
        self.build = build
        self.isRecording = isRecording
        self.parameter = parameter
    }
}

/// What one thread is building. Factories are synchronous, so a build begins and ends on one thread, and a task that
/// builds is that thread for as long as the build lasts.
@usableFromInline
final class ThreadSlot {
    // Touched by its own thread only.

    /// What a build touches that needs no more than a frame. Raw memory, so that exclusivity costs no check.
    @usableFromInline
    struct Head {
        /// The factory that runs innermost.
        @usableFromInline var top: UnsafeMutablePointer<Frame>?
        /// Whether the end of the cycle has something to clear.
        @usableFromInline var hasCycleState = false
        let slot: Unmanaged<ThreadSlot>
    }

    let head: UnsafeMutablePointer<Head>
    var top: UnsafeMutablePointer<Frame>? { head.pointee.top }
    /// The builds that the thread has begun and not ended, outermost first.
    private var builds: [(build: Build, depth: Int)] = []
    /// The instances of the current resolution cycle, for the scope `graph`.
    var graph: [GraphKey: CachedInstance] = [:]
    /// The lines of the current resolution cycle, for `trace`, and how deep it is.
    var trace: [String] = []
    var traceDepth = 0

    struct GraphKey: Hashable {
        /// Kept, so that no other container's entry gets its address before the cycle ends.
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

    /// Has the system free a thread's slot when the thread ends; made once, then constant.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            let status = pthread_key_create(&key) { ThreadSlot.free($0) }
        #else
            let status = pthread_key_create(&key) { pointer in
                if let pointer { ThreadSlot.free(pointer) }
            }
        #endif
        precondition(status == 0, "The system could not make a thread-specific key (error \(status)).")
        return key
    }()

    private static func free(_ pointer: UnsafeMutableRawPointer) {
        // What the system ends after this may build again, and gets another slot.
        set_thread_head(nil)
        let head = pointer.assumingMemoryBound(to: Head.self)
        let slot = head.pointee.slot
        slot.release()
        head.deallocate()
    }

    /// The head of the calling thread's slot, if the thread ever built anything. It lives as long as the thread.
    @inlinable
    @inline(__always)
    static var existing: UnsafeMutablePointer<Head>? { get_thread_head()?.assumingMemoryBound(to: Head.self) }

    static var current: ThreadSlot {
        if let existing { return existing.pointee.slot.takeUnretainedValue() }
        let slot = ThreadSlot()
        _ = Unmanaged.passRetained(slot)
        pthread_setspecific(key, UnsafeMutableRawPointer(slot.head))
        set_thread_head(UnsafeMutableRawPointer(slot.head))
        return slot
    }

    /// What the calling thread is building, outermost first.
    static var path: [ResolutionStep] { existing?.pointee.slot.takeUnretainedValue().path ?? AsyncFrame.path }

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
        // Letting the instances go runs their deinitialisers, which may resolve again.
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

    /// What this thread builds, for the task that runs on it.
    var path: [ResolutionStep] { AsyncFrame.path + frames.map { ResolutionStep($0.pointee.cell.pointee.entry) } }

    /// Who resolves, when somebody's factory does.
    var creator: Entry? { top?.pointee.cell.pointee.entry }

    /// Notes that the factory that runs innermost on this thread resolved `entry`.
    func note(_ entry: Entry) {
        guard let top else {
            AsyncFrame.active?.note(entry)
            return
        }
        guard let details = top.pointee.details?.takeUnretainedValue(), details.isRecording,
            // Containers of another family may come and go; the graph is of this one.
            top.pointee.cell.pointee.entry.store.family == entry.store.family,
            !details.dependencies.contains(where: { $0 === entry })
        else { return }
        details.dependencies.append(entry)
    }

    // MARK: - Builds

    /// A build that this thread takes on, until `end`.
    func begin(generation: Int) -> Build {
        let build = Build(owner: ObjectIdentifier(self), generation: generation)
        builds.append((build, frames.count))
        return build
    }

    /// Ends a build that this thread took on, and wakes those who wait for it. Under the lock that guards the build.
    func end(_ build: Build) {
        builds.removeAll { $0.build === build }
        build.end()
    }

    func isBuilding(_ build: Build) -> Bool { build.owner == ObjectIdentifier(self) }

    /// Waits for another thread's build, unless that would close a circle of threads that wait for one another.
    func wait<Result>(for build: Build, _ sleep: () -> Result) throws(ContainerError) -> Result {
        // Nobody waits for a thread that builds nothing.
        if builds.isEmpty { return sleep() }
        let number = try WaitGraph.all.announce(
            build, parts: builds.map { WaitGraph.Part(build: ObjectIdentifier($0.build), depth: $0.depth) },
            steps: frames.map { ResolutionStep($0.pointee.cell.pointee.entry) })
        defer { WaitGraph.all.withdraw(number) }
        return sleep()
    }

    // MARK: - Cycles

    /// How often a factory may resolve itself with other parameters before that counts as a cycle: deep enough for trees that
    /// are made from their parameters, and far from the end of a thread's stack.
    private static let parameterDepth = 256

    /// The cycle that resolving `entry` again would close on this thread, if it is being built here.
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

    /// The cycle that waiting for a build of this very thread would close.
    func cycle(of build: Build) -> ContainerError {
        let frames = frames
        let start = frames.firstIndex { $0.pointee.details?.takeUnretainedValue().build === build } ?? 0
        return error(frames[start...].map { ResolutionStep($0.pointee.cell.pointee.entry) })
    }

    private func error(_ steps: [ResolutionStep]) -> ContainerError {
        steps.count == 1 ? .reentrant(steps[0]) : .cyclic(path: steps + steps.prefix(1))
    }
}

/// What inlined reads do with the frames of their thread. No class, so that a call passes no metatype.
@usableFromInline
enum ThreadFrames {
    /// Whether the calling thread runs a factory, or the calling task may.
    @usableFromInline
    static var isBuilding: Bool { ThreadSlot.existing?.pointee.top != nil || AsyncFrame.current != nil }

    /// Begins a build that needs no more than a frame; stops the program when the key is being built on this thread.
    @inlinable
    @inline(__always)
    static func push(_ frame: UnsafeMutablePointer<Frame>) -> UnsafeMutablePointer<ThreadSlot.Head> {
        let existing = ThreadSlot.existing
        // The outermost build has nothing to close a cycle with, and `Frame.init` has said that no frame is before it.
        guard let existing, existing.pointee.top == nil else { return pushInner(frame, existing) }
        existing.pointee.top = frame
        return existing
    }

    /// Begins a build inside another, or the first of its thread.
    @usableFromInline
    static func pushInner(
        _ frame: UnsafeMutablePointer<Frame>, _ existing: UnsafeMutablePointer<ThreadSlot.Head>?
    ) -> UnsafeMutablePointer<ThreadSlot.Head> {
        let head = existing ?? ThreadSlot.current.head
        let top = head.pointee.top
        frame.pointee.previous = top
        var next = top
        // A walk is cheaper than a set as long as factories nest less deep than some dozens, and allocates nothing.
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
