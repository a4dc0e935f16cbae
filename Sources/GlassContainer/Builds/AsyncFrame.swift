import GlassBase
import Synchronization

/// One asynchronous factory that runs, in a task and in the child tasks that it waits for.
final class AsyncFrame: Sendable {
    /// What tasks of the factory note down.
    private struct Notes {
        var dependencies: [Entry] = []
        var cycles: [(owner: Store, cycle: Store)] = []
    }

    let entry: Entry
    /// The build that others may wait for; nil for an instance that is not kept. Weak, because tasks may inherit this frame
    /// and outlive the build, whose outcome they shall not keep.
    weak let build: AsyncBuild?
    /// The factory that resolved this one.
    let previous: AsyncFrame?
    private let task: Int?
    /// What the factory's child tasks prefer as well: what its caller prefers, or else the marker.
    private let preference: UnownedTaskExecutor
    /// The executor to run the factory with, so that its child tasks are known by it; nil where the caller prefers another.
    let marker: FactoryExecutor?
    private let family: ObjectIdentifier
    private let isRecording: Bool
    private let isEnded = Atomic<Bool>(false)
    private let notes = Lock(Notes())

    init(_ entry: Entry, _ build: AsyncBuild?, previous: AsyncFrame?, isRecording: Bool) {
        self.entry = entry
        self.build = build
        self.previous = previous
        self.isRecording = isRecording
        task = CurrentTask.identity
        let executor = CurrentTask.executor
        marker = executor == nil ? .marker : nil
        preference = executor ?? FactoryExecutor.marker.asUnownedTaskExecutor()
        family = entry.store.family
    }

    /// The frame that the current task inherited, whether or not it is a part of that factory.
    @TaskLocal static var current: AsyncFrame?

    /// The factory that the current task is a part of: the one that runs in it, or whose child task it is.
    ///
    /// A factory ends when its child tasks have, so what they wait for, it waits for. A task made with `Task { }` inherits
    /// the frame as well, but not the preference, and goes its own way: what it resolves is nobody's dependency, and it may
    /// wait for the factory.
    static var active: AsyncFrame? {
        // Acquiring, with the releasing store of `end`: who sees that the frame has ended sees what it left behind.
        guard let current, !current.isEnded.load(ordering: .acquiring) else { return nil }
        return current.task == CurrentTask.identity || current.preference == CurrentTask.executor ? current : nil
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
        // Child tasks of one factory run at once, and all of them share the instances of its resolution.
        notes.withLock { notes in
            if let made = notes.cycles.first(where: { $0.owner === owner }) { return made.cycle }
            let cycle = Store()
            notes.cycles.append((owner, cycle))
            return cycle
        }
    }

    /// Notes that this factory resolved `entry`.
    func note(_ entry: Entry) {
        // Containers of another family may come and go; the graph is of this one.
        guard isRecording, family == entry.store.family else { return }
        notes.withLock {
            if !$0.dependencies.contains(where: { $0 === entry }) { $0.dependencies.append(entry) }
        }
    }

    /// Ends the frame; tasks that inherited it are on their own from now on.
    @discardableResult
    func end() -> [Entry]? {
        isEnded.store(true, ordering: .releasing)
        return isRecording ? notes.withLock { $0.dependencies } : nil
    }

    /// Notes that a task that is a part of this factory is about to wait for `build`; all that it is a part of waits too.
    func announce(_ build: AsyncBuild) throws(ContainerError) -> Int {
        let chain = chain
        let parts = chain.enumerated().compactMap { depth, frame in
            frame.build.map { WaitGraph.Part(build: ObjectIdentifier($0), depth: depth) }
        }
        return try WaitGraph.all.announce(build, parts: parts, steps: chain.map { ResolutionStep($0.entry) })
    }

    /// The cycle that resolving `entry` again would close.
    func cycle(to entry: Entry) -> ContainerError? {
        let chain = chain
        guard let first = chain.firstIndex(where: { $0.entry === entry }) else { return nil }
        let steps = chain[first...].map { ResolutionStep($0.entry) }
        return steps.count == 1 ? .reentrant(steps[0]) : .cyclic(path: steps + steps.prefix(1))
    }
}

/// What the language tells of the current task.
private enum CurrentTask {
    /// Tells running tasks apart; nil outside of tasks. An ended task's may come again.
    static var identity: Int? { withUnsafeCurrentTask { $0?.hashValue } }
    /// The task executor that the task prefers, or nil.
    static var executor: UnownedTaskExecutor? { withUnsafeCurrentTask { $0?.unownedTaskExecutor } }
}

/// Marks the tasks that are parts of a factory: child tasks inherit a preference for a task executor, and a `Task { }` does
/// not (SE-0417). Work runs where it would without.
final class FactoryExecutor: TaskExecutor {
    static let marker = FactoryExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        globalConcurrentExecutor.enqueue(job)
    }
}
