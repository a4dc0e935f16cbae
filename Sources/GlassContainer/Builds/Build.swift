import GlassBase

/// One construction of a cached instance, from the moment a thread starts it until it ends.
final class Build: @unchecked Sendable {  // the `var`s are guarded by the lock of the instance's owner
    // The owner is a store or a `OnceValue`.

    /// The slot of the building thread. For comparison only, and only while the build is in progress.
    let owner: ObjectIdentifier
    let generation: Int
    private(set) var isFinished = false
    var failure: ContainerError?
    /// A `BuildResult` with the instance, if another thread waits for it.
    var made: AnyObject?
    /// Created by the first thread that waits.
    var finished: ConditionVariable?

    init(owner: ObjectIdentifier, generation: Int) {
        self.owner = owner
        self.generation = generation
    }

    /// Waits until the build has ended. Call inside `withLock` of the lock that guards it.
    func sleep(_ lock: Lock<Void>) {
        // A loop, because of spurious wakeups.
        while !isFinished {
            let finished = finished ?? ConditionVariable()
            self.finished = finished
            finished.wait(lock)
        }
    }

    /// Ends the build and wakes the waiting threads. Call under the lock that guards the build, or a thread could fall
    /// asleep between the two lines and never be woken.
    func end() {
        isFinished = true
        finished?.broadcast()
    }
}

/// An instance for the threads that wait for it.
final class BuildResult<Service> {
    let service: Service

    init(_ service: Service) {
        self.service = service
    }
}
