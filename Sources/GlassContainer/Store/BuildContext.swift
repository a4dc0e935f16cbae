#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One construction of a kept instance, from the moment a thread took it on until it ended.
final class Build: @unchecked Sendable {
    // `owner` and `generation` are constant, the `var`s are guarded by the lock of the store that keeps the instance.

    let owner: BuildContext
    let generation: Int
    var isFinished = false
    var failure: ContainerError?
    /// Made by the first thread that waits.
    var finished: Condition?

    init(owner: BuildContext, generation: Int) {
        self.owner = owner
        self.generation = generation
    }
}

/// What one thread is building, outermost first. Factories are synchronous, so a build begins and ends on one thread, and
/// a task that builds is that thread for as long as the build lasts.
final class BuildContext: @unchecked Sendable {
    // `frames` is touched by its own thread only; `wait` is guarded by `lock`.

    struct Frame {
        let entry: Entry
        let site: RegistrationSite?
        /// The build that others may wait for; nil for an instance that is not kept.
        let build: Build?
        let isRecording: Bool
        var dependencies: [Entry] = []
    }

    /// A thread that sleeps until another thread's build ends.
    struct Wait {
        let build: Build
        /// What the thread is building, for messages; a copy, since the thread may go on at any time.
        let path: [(step: ResolutionStep, build: Build?)]
        /// Tells one wait of this thread from the next.
        let number: Int
    }

    var frames: ContiguousArray<Frame> = []
    private let lock = Lock()
    private var wait: Wait?
    private var waitCount = 0

    /// The key under which each thread keeps its context; made once, then constant.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            let status = pthread_key_create(&key) { Unmanaged<BuildContext>.fromOpaque($0).release() }
        #else
            let status = pthread_key_create(&key) { pointer in
                if let pointer { Unmanaged<BuildContext>.fromOpaque(pointer).release() }
            }
        #endif
        precondition(status == 0, "The system could not make a thread-specific key (error \(status)).")
        return key
    }()

    /// The context of the calling thread, if it ever built anything.
    static var existing: BuildContext? {
        pthread_getspecific(key).map { Unmanaged<BuildContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The context of the calling thread.
    static var current: BuildContext {
        if let existing { return existing }
        let context = BuildContext()
        pthread_setspecific(key, Unmanaged.passRetained(context).toOpaque())
        return context
    }

    /// What this thread is building, outermost first.
    var path: [ResolutionStep] {
        frames.map { ResolutionStep(id: $0.entry.id, site: $0.site) }
    }

    /// Notes that the factory that runs innermost on this thread resolved `entry`.
    func note(_ entry: Entry) {
        guard let last = frames.indices.last, frames[last].isRecording else { return }
        // Containers of another family may come and go; the graph is of this one.
        guard frames[last].entry.store.family === entry.store.family else { return }
        if !frames[last].dependencies.contains(where: { $0 === entry }) { frames[last].dependencies.append(entry) }
    }

    /// The cycle that resolving `entry` again would close on this thread, if it is being built here.
    func cycle(to entry: Entry) -> ContainerError? {
        guard let first = frames.firstIndex(where: { $0.entry === entry }) else { return nil }
        let steps = path[first...]
        return .cyclic(path: Array(steps) + [steps[first]])
    }

    /// The cycle that waiting for a build of this very thread would close.
    func cycle(of build: Build) -> ContainerError {
        let steps = path[(frames.firstIndex { $0.build === build } ?? 0)...]
        return .cyclic(path: Array(steps) + steps.prefix(1))
    }

    /// Announces that this thread is about to wait for `build`, and looks for a circle of waiting threads.
    ///
    /// Each thread announces first and looks second, under the locks of the contexts it looks at, so of the threads of a
    /// circle the last to announce sees all of it: no deadlock stays unseen. The circle is read twice; waits are numbered,
    /// so one that is the same in both readings lasted from the first to the second, and all of them held together in
    /// between: no false alarm.
    /// - Returns: the cycle, with the wait withdrawn, or nil if the thread may sleep.
    func announceWait(for build: Build) -> ContainerError? {
        let path = frames.map { (ResolutionStep(id: $0.entry.id, site: $0.site), $0.build) }
        lock.withLock {
            waitCount += 1
            wait = Wait(build: build, path: path, number: waitCount)
        }
        // A thread that builds nothing is waited for by nobody.
        guard !frames.isEmpty, let circle = circle(from: build), isStill(circle) else { return nil }
        withdrawWait()
        // Each thread's part of the cycle runs from the build that another one waits for to what it waits for itself.
        var awaited = circle.last?.wait.build ?? build
        var cycle: [ResolutionStep] = []
        for (path, next) in [(path, build)] + circle.map({ ($0.wait.path, $0.wait.build) }) {
            cycle += path.drop { $0.build !== awaited }.map(\.step)
            awaited = next
        }
        return .cyclic(path: cycle + cycle.prefix(1))
    }

    func withdrawWait() {
        lock.withLock { wait = nil }
    }

    private var currentWait: Wait? {
        lock.withLock { wait }
    }

    /// The threads that wait for one another from the owner of `build` back to this thread.
    private func circle(from build: Build) -> [(context: BuildContext, wait: Wait)]? {
        var circle: [(context: BuildContext, wait: Wait)] = []
        var owner = build.owner
        while owner !== self {
            // A circle that does not contain this thread is for its own threads to report.
            if circle.contains(where: { $0.context === owner }) { return nil }
            guard let wait = owner.currentWait else { return nil }
            circle.append((owner, wait))
            owner = wait.build.owner
        }
        return circle
    }

    private func isStill(_ circle: [(context: BuildContext, wait: Wait)]) -> Bool {
        circle.allSatisfy { $0.context.currentWait?.number == $0.wait.number }
    }
}
