import GlassBase

/// One construction of a kept instance, from the moment a thread took it on until it ended.
final class Build: @unchecked Sendable {  // the `var`s are guarded by the lock of who keeps the instance
    // Who keeps the instance is a store or a `OnceValue`.

    /// The slot of the thread that builds; to be compared only, and only while the build goes on.
    let owner: ObjectIdentifier
    let generation: Int
    private(set) var isFinished = false
    var failure: ContainerError?
    /// A `BuildResult` with the instance, if somebody waits for it.
    var made: AnyObject?
    /// Created by the first thread that waits.
    var finished: Condition?

    init(owner: ObjectIdentifier, generation: Int) {
        self.owner = owner
        self.generation = generation
    }

    /// Sleeps until the build has ended. Call inside `withLock` of the lock that guards it.
    func sleep(_ lock: Lock<Void>) {
        // In a loop, because a sleeper may wake up for no reason.
        while !isFinished {
            let finished = finished ?? Condition()
            self.finished = finished
            finished.wait(lock)
        }
    }

    /// Wakes those who wait. Under the lock that guards the build, so that nobody falls asleep between the two lines.
    func end() {
        isFinished = true
        finished?.broadcast()
    }
}

/// An instance on its way to those who wait for it.
final class BuildResult<Service> {
    let service: Service

    init(_ service: Service) {
        self.service = service
    }
}
