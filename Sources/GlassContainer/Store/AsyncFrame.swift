import GlassBase
import Synchronization

/// One asynchronous factory that runs, in a task and in the child tasks that it waits for.
final class AsyncFrame: @unchecked Sendable {
    // `dependencies` and `cycles` are guarded by the lock, the rest is constant after `init` or atomic.

    let entry: Entry
    /// The build that others may wait for; nil for an instance that is not kept. Weak, because tasks may inherit this frame
    /// and outlive the build, whose outcome they shall not keep.
    private(set) weak var build: AsyncBuild?
    /// The factory that resolved this one.
    let previous: AsyncFrame?
    private let task: UInt?
    private let family: ObjectIdentifier
    private let isRecording: Bool
    private let isEnded = Atomic<Bool>(false)
    private let lock = Lock()
    private var dependencies: [Entry] = []
    private var cycles: [(owner: Store, cycle: Store)] = []

    init(_ entry: Entry, _ build: AsyncBuild?, previous: AsyncFrame?, isRecording: Bool) {
        self.entry = entry
        self.build = build
        self.previous = previous
        self.isRecording = isRecording
        task = CurrentTask.identity
        family = ObjectIdentifier(entry.store.family)
    }

    /// The frame that the current task inherited, whether or not it is a part of that factory.
    @TaskLocal static var current: AsyncFrame?

    /// The factory that the current task is a part of: the one that runs in it, or whose child task it is.
    ///
    /// A factory ends when its child tasks have, so what they wait for, it waits for. A task made with `Task { }` inherits
    /// the frame as well, but goes its own way: what it resolves is nobody's dependency, and it may wait for the factory.
    static var active: AsyncFrame? {
        guard let current, !current.isEnded.load(ordering: .acquiring) else { return nil }
        return current.task == CurrentTask.identity || CurrentTask.isChild ? current : nil
    }

    /// The frames from the outermost to this one.
    var chain: [AsyncFrame] {
        var chain = [self]
        while let previous = chain.last?.previous { chain.append(previous) }
        return chain.reversed()
    }

    /// What the current task builds, outermost first.
    static var path: [ResolutionStep] { active?.chain.map { ResolutionStep($0.entry) } ?? [] }

    /// Keeps the instances of the resolution that this frame is a part of, for the scope `graph`: each container's apart.
    func cycle(of owner: Store) -> Store {
        var outermost = self
        while let previous = outermost.previous { outermost = previous }
        return outermost.ownCycle(of: owner)
    }

    private func ownCycle(of owner: Store) -> Store {
        lock.withLock {
            if let made = cycles.first(where: { $0.owner === owner }) { return made.cycle }
            let cycle = Store(family: Family())
            cycles.append((owner, cycle))
            return cycle
        }
    }

    /// Notes that this factory resolved `entry`.
    func note(_ entry: Entry) {
        // Containers of another family may come and go; the graph is of this one.
        guard isRecording, family == ObjectIdentifier(entry.store.family) else { return }
        lock.withLock {
            if !dependencies.contains(where: { $0 === entry }) { dependencies.append(entry) }
        }
    }

    /// Ends the frame; tasks that inherited it are on their own from now on.
    /// - Returns: what the factory resolved, if that was recorded.
    @discardableResult
    func end() -> [Entry]? {
        isEnded.store(true, ordering: .releasing)
        return isRecording ? lock.withLock { dependencies } : nil
    }

    /// The cycle that resolving `entry` again would close.
    func cycle(to entry: Entry) -> ContainerError? {
        let chain = chain
        guard let first = chain.firstIndex(where: { $0.entry === entry }) else { return nil }
        let steps = chain[first...].map { ResolutionStep($0.entry) }
        return steps.count == 1 ? .reentrant(steps[0]) : .cyclic(path: steps + steps.prefix(1))
    }
}

/// What the language's runtime knows of the current task.
private enum CurrentTask {
    /// Tells running tasks apart; nil outside of tasks. An ended task's may come again.
    static var identity: UInt? {
        withUnsafeCurrentTask { task in task.map(address) }
    }

    /// Whether the task belongs to a task group or an `async let`, so that its parent waits for it.
    static var isChild: Bool {
        withUnsafeCurrentTask { task in
            guard let task, let pointer = UnsafeRawPointer(bitPattern: address(task)) else { return false }
            return flags(pointer) & (1 << 24) != 0
        }
    }

    /// An `UnsafeCurrentTask` is one pointer, to the task.
    private static func address(_ task: UnsafeCurrentTask) -> UInt {
        unsafeBitCast(task, to: UInt.self)
    }

    /// The flags of a task as the standard library reads them; bit 24 is set for child tasks. There is no other way to
    /// tell a child task from one that merely inherited the task-locals; a test would notice if the flag moved.
    @_silgen_name("swift_task_getJobFlags")
    private static func flags(_ task: UnsafeRawPointer) -> Int
}
