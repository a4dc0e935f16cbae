import Synchronization

extension Container {
    /// Makes this container follow another one, which then resolves everything that isn't registered here. This is how
    /// `Container.shared` resolves the services of the active market.
    ///
    /// The switch is atomic: a reader sees either the previous container or the new one. The instances that this
    /// container caches are discarded in the same step, because they may depend on services of the previous container.
    /// Registrations, singletons, and containers bound to tasks aren't affected. With `isPrepared`, no app code runs,
    /// so this method can be called under a lock; release the returned objects outside the lock. Complexity: O(*n*) for
    /// *n* services of this container.
    @discardableResult
    package func follow(_ container: Container?, isPrepared: Bool = false) -> [AnyObject] {
        precondition(fixedParent == nil, "A container with a fixed parent cannot follow another one.")
        var next = container
        while let ancestor = next {
            precondition(ancestor !== self, "A container cannot follow itself or one of its descendants.")
            next = ancestor.parent
        }
        if !isPrepared { container?.prepareForFollowing() }
        return store.follow(container)
    }

    /// Calls `autoRegister` if it's due. Called before another container follows this one, so that no reader finds this
    /// container without its own registrations.
    package func prepareForFollowing() {
        do throws(ContainerError) {
            try prepare()
        } catch {
            error.stop()
        }
    }

    /// Disposes of the cached services, as `shutdown` does, once the last reference to this container is released.
    ///
    /// Until then, the container works as usual for everything that references it: a task that it's bound to, a
    /// follower, a child, or a resolution in progress. After that, nothing can resolve from it, so
    /// `ContainerError.expired` can't occur. Services that `shutdown` already disposed of aren't disposed of again.
    /// Call this method at most once.
    package func disposeWhenReleased(
        file: StaticString = #fileID, line: UInt = #line, finish: @escaping @Sendable () async -> Void = {}
    ) {
        store.read {
            precondition(store.release == nil, "disposeWhenReleased() can be called only once for each container.")
            store.release = Store.Release(site: RegistrationSite(file, line), finish: finish)
        }
    }
}

extension Store {
    /// The work to do once the last reference to the container is released.
    struct Release {
        let site: RegistrationSite
        let finish: @Sendable () async -> Void
    }

    /// Disposes of the cached services if `disposeWhenReleased` was called. Called from the container's `deinit`.
    func runRelease() {
        guard let release = read({ release }) else { return }
        // Detached, because the last reference may be released in a task to which another container is bound, which an
        // ordinary task would inherit. The task retains the store, and ends once its work is done.
        Task.detached { [self] in
            await dispose(at: release.site)
            await release.finish()
        }
    }

    /// The followed container, if any.
    var followedContainer: Container? {
        if followed.load(ordering: .relaxed) == nil { return nil }
        // Without a stripe, `follow` could release the container between the load and the retain.
        let stripe = stripes.enter()
        defer { stripes.leave(stripe) }
        return followed.load(ordering: .acquiring).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Switches the followed container and discards this store's cached instances in one step.
    func follow(_ container: Container?) -> [RetiredObject] {
        var garbage: [RetiredObject] = []
        read {
            let new = container.map { Unmanaged.passRetained($0).toOpaque() }
            let old = followed.exchange(new, ordering: .acquiringAndReleasing)
            for entry in entries { unlink(entry, &garbage) }
            // Instances that `push` saved may depend on the previous container, too.
            for index in stack.indices { garbage += stack[index].dropKept() }
            refreshAll()
            // Incremented after the change, as in `set`: the new container may override a property that the previous
            // one didn't.
            stripes.header.pointee.overrides.wrappingAdd(1, ordering: .releasing)
            // Last, so that the container outlives the instances that were created from it.
            if let old { garbage.append(Unmanaged<Container>.fromOpaque(old).takeRetainedValue()) }
        }
        // Not `retire`: releasing the objects runs user code, and the caller may hold a lock.
        if !garbage.isEmpty { stripes.waitForReaders() }
        return garbage
    }
}

extension Snapshot {
    /// Removes the cached instances, so that `pop` doesn't restore them.
    fileprivate mutating func dropKept() -> [RetiredObject] {
        var garbage: [RetiredObject] = []
        for key in states.keys {
            garbage += states[key, default: Entry.State()].kept.values.map { $0 as RetiredObject }
            states[key]?.kept = [:]
        }
        return garbage
    }
}
