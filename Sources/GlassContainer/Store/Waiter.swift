import GlassBase
import Synchronization

/// One construction of a kept instance, from the moment a thread took it on until it ended.
final class Build: @unchecked Sendable {
    // The `let`s are constant, the `var`s are guarded by the lock of who keeps the instance: a store or a `OnceValue`.

    let owner: Waiter
    let generation: Int
    /// How many factories its thread ran when it began: in a cycle, its path goes on from there.
    let depth: Int
    /// Set under the lock, and read without one by who looks for a circle.
    private let hasEnded = Atomic(false)
    var isFinished: Bool { hasEnded.load(ordering: .acquiring) }
    var failure: ContainerError?
    /// A `Made` with the instance, if somebody waits for it.
    var made: AnyObject?
    /// Made by the first thread that waits.
    var finished: Condition?

    init(owner: Waiter, generation: Int, depth: Int) {
        self.owner = owner
        self.generation = generation
        self.depth = depth
    }

    /// Sleeps until the build has ended. Call inside `withLock` of the lock that guards it.
    func sleep(_ lock: Lock<Void>) {
        while !isFinished {
            let finished = finished ?? Condition()
            self.finished = finished
            finished.wait(lock)
        }
    }

    /// Wakes those who wait. Under the lock that guards the build.
    func end() {
        hasEnded.store(true, ordering: .releasing)
        finished?.broadcast()
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
        let path: [ResolutionStep]
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
    /// between. A build may end before its thread announces the wait for it, or before it wakes up and withdraws: what
    /// has not ended after the second reading had not ended in between either. So all of them waited at once, for what
    /// only one of them could end: no false alarm.
    /// - Returns: the cycle, with the wait withdrawn, or nil if the thread may sleep.
    func announce(_ build: Build, path: [ResolutionStep], isAwaited: Bool) -> ContainerError? {
        lock.withLock {
            waitCount += 1
            wait = Wait(build: build, path: path, number: waitCount)
        }
        guard !path.isEmpty || isAwaited, let circle = circle(from: build), isStill(circle),
            !build.isFinished, !circle.contains(where: { $0.wait.build.isFinished })
        else { return nil }
        withdraw()
        // Each thread's part of the cycle runs from the build that another one waits for to what it waits for itself.
        var awaited = circle.last?.wait.build ?? build
        var cycle: [ResolutionStep] = []
        for (path, next) in [(path, build)] + circle.map({ ($0.wait.path, $0.wait.build) }) {
            cycle += path.dropFirst(awaited.depth)
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
