import GlassBase

/// One construction of a kept instance, from the moment a thread took it on until it ended.
final class Build: @unchecked Sendable {
    // `owner` and `generation` are constant, the `var`s are guarded by the lock of the store that keeps the instance.

    let owner: Waiter
    let generation: Int
    var isFinished = false
    var failure: ContainerError?
    /// A `Made` with the instance, if somebody waits for it.
    var made: AnyObject?
    /// Made by the first thread that waits.
    var finished: Condition?

    init(owner: Waiter, generation: Int) {
        self.owner = owner
        self.generation = generation
    }
}

/// An instance on its way to those who wait for it.
final class Made<Service> {
    let service: Service

    init(_ service: Service) {
        self.service = service
    }
}

/// What other threads see of a thread that waits for a build.
final class Waiter: @unchecked Sendable {
    // Everything is guarded by `lock`.

    /// A thread that sleeps until another thread's build ends.
    private struct Wait {
        let build: Build
        /// What the thread is building, for messages; a copy, since the thread may go on at any time.
        let path: [(step: ResolutionStep, build: Build?)]
        /// Tells one wait of this thread from the next.
        let number: Int
    }

    private let lock = Lock()
    private var wait: Wait?
    private var waitCount = 0

    /// Announces that this thread is about to wait for `build`, and looks for a circle of waiting threads.
    ///
    /// Each thread announces first and looks second, under the locks of the waiters it looks at, so of the threads of a
    /// circle the last to announce sees all of it: no deadlock stays unseen. The circle is read twice; waits are numbered,
    /// so one that is the same in both readings lasted from the first to the second, and all of them held together in
    /// between: no false alarm.
    /// - Returns: the cycle, with the wait withdrawn, or nil if the thread may sleep.
    func announce(
        _ build: Build, path: [(step: ResolutionStep, build: Build?)], isPreparing: Bool
    ) -> ContainerError? {
        lock.withLock {
            waitCount += 1
            wait = Wait(build: build, path: path, number: waitCount)
        }
        // A thread that builds nothing, and prepares no container, is waited for by nobody.
        guard !path.isEmpty || isPreparing, let circle = circle(from: build), isStill(circle) else { return nil }
        withdraw()
        // Each thread's part of the cycle runs from the build that another one waits for to what it waits for itself.
        var awaited = circle.last?.wait.build ?? build
        var cycle: [ResolutionStep] = []
        for (path, next) in [(path, build)] + circle.map({ ($0.wait.path, $0.wait.build) }) {
            cycle += path.drop { $0.build !== awaited }.map(\.step)
            awaited = next
        }
        if cycle.isEmpty {
            return .misuse(
                "containers wait for each other: on two threads, the autoRegister() of one resolves from the other\n  "
                    + "hint: let autoRegister() register only, and factories resolve")
        }
        return .cyclic(path: cycle + cycle.prefix(1))
    }

    func withdraw() {
        lock.withLock { wait = nil }
    }

    private var currentWait: Wait? {
        lock.withLock { wait }
    }

    /// The threads that wait for one another from the owner of `build` back to this thread.
    private func circle(from build: Build) -> [(waiter: Waiter, wait: Wait)]? {
        var circle: [(waiter: Waiter, wait: Wait)] = []
        var owner = build.owner
        while owner !== self {
            // A circle that does not contain this thread is for its own threads to report.
            if circle.contains(where: { $0.waiter === owner }) { return nil }
            guard let wait = owner.currentWait else { return nil }
            circle.append((owner, wait))
            owner = wait.build.owner
        }
        return circle
    }

    private func isStill(_ circle: [(waiter: Waiter, wait: Wait)]) -> Bool {
        circle.allSatisfy { $0.waiter.currentWait?.number == $0.wait.number }
    }
}
