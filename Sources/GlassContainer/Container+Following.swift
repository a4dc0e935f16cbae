import Synchronization

extension Container {
    /// Looks in another container from now on for what is not registered here, as `Container.shared` does in the market in
    /// use.
    ///
    /// A reader sees the container before or the new one. What this container keeps itself is dropped in the same step, since
    /// it may be made of what the container before kept; registrations, singletons and what is bound to tasks stay.
    /// Complexity: O(*n*) for *n* services of this container. With `isPrepared`, no code of an app's runs, so that it may be
    /// called under a lock; what is returned is to be released without it.
    @discardableResult
    package func follow(_ container: Container?, isPrepared: Bool = false) -> [AnyObject] {
        precondition(fixedParent == nil, "A child has its parent for good; follow with a container that has none.")
        var next = container
        while let ancestor = next {
            precondition(ancestor !== self, "A container cannot follow itself or a child of its own.")
            next = ancestor.parent
        }
        if !isPrepared { container?.prepareForFollowing() }
        return store.follow(container)
    }

    /// Calls `autoRegister` if that is due, so that no reader comes between the change of what is followed and what this
    /// container registers for itself.
    package func prepareForFollowing() {
        do throws(ContainerError) {
            try prepare()
        } catch {
            error.stop()
        }
    }

    /// Disposes of what this container keeps, as `shutdown` does, when nobody holds the container any more.
    ///
    /// Until then it works as ever for who has it: a task that it is bound to, a container that follows it, a child, a
    /// resolution in progress. Afterwards nobody can resolve, so nobody meets `ContainerError.expired`. What was shut down
    /// before is not disposed of again. May be called once.
    package func disposeWhenReleased(
        file: StaticString = #fileID, line: UInt = #line, finish: @escaping @Sendable () async -> Void = {}
    ) {
        store.read {
            precondition(store.release == nil, "What is to be done when a container is released is decided once.")
            store.release = Store.Release(site: RegistrationSite(file, line), finish: finish)
        }
    }
}

extension Store {
    /// What is to be done when nobody holds the container any more.
    struct Release {
        let site: RegistrationSite
        let finish: @Sendable () async -> Void
    }

    /// Disposes of what is kept, if that was asked for. Called as the container goes.
    func runRelease() {
        guard let release = read({ release }) else { return }
        // Detached: a container may go where another one is bound. The task holds the store, and ends with its work.
        Task.detached { [self] in
            await dispose(at: release.site)
            await release.finish()
        }
    }

    /// The container that is followed now, if any.
    var followedContainer: Container? {
        if followed.load(ordering: .relaxed) == nil { return nil }
        let stripe = stripes.enter()
        defer { stripes.leave(stripe) }
        return followed.load(ordering: .acquiring).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Changes the container that is followed, and drops what is kept here, in one step.
    func follow(_ container: Container?) -> [RetiredObject] {
        var garbage: [RetiredObject] = []
        read {
            let new = container.map { Unmanaged.passRetained($0).toOpaque() }
            let old = followed.exchange(new, ordering: .acquiringAndReleasing)
            for entry in entries { unlink(entry, &garbage) }
            // What `push` saved was kept for the container before as well.
            for index in stack.indices { garbage += stack[index].dropKept() }
            refreshAll()
            // After the change, as in `set`: the new container may override what the one before did not.
            stripes.header.pointee.overrides.wrappingAdd(1, ordering: .releasing)
            // Last, so that it outlives what was made of it.
            if let old { garbage.append(Unmanaged<Container>.fromOpaque(old).takeRetainedValue()) }
        }
        if !garbage.isEmpty { stripes.waitForReaders() }
        return garbage
    }
}

extension Snapshot {
    /// Forgets the kept instances, so that `pop` brings none of them back.
    fileprivate mutating func dropKept() -> [RetiredObject] {
        var garbage: [RetiredObject] = []
        for key in states.keys {
            garbage += states[key, default: Entry.State()].kept.values.map { $0 as RetiredObject }
            states[key]?.kept = ByParameter()
        }
        return garbage
    }
}
