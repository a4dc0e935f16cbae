import GlassBase
import Synchronization

extension Store {
    // MARK: - Reset

    /// Resets every key, or the part of it that `options` specifies, to its original state.
    func reset(_ options: FactoryResetOptions) {
        guard options != .none else { return }
        update { garbage in
            for entry in entries { reset(entry, options, keepingBase: false, &garbage) }
            if options == .all || options == .registration { becomeUnprepared(preparation == nil && hasPreparation) }
            if options == .all {
                observation.decorator = nil
                defaultScope = nil
                end = nil
            }
            refreshAll()
        }
    }

    /// Resets one key, or the part of it that `options` specifies, to its original state.
    func reset(_ entry: Entry, _ options: FactoryResetOptions) {
        update { garbage in
            reset(entry, options, keepingBase: true, &garbage)
            refresh(entry)
        }
    }

    private func reset(
        _ entry: Entry, _ options: FactoryResetOptions, keepingBase: Bool, _ garbage: inout [RetiredObject]
    ) {
        if options == .all || options == .registration {
            if !keepingBase {
                entry.state.base = nil
                entry.state.duplicates = []
            }
            set(entry.state.base, in: entry, &garbage)
            // Without a definition beneath the registration, there's nothing to stay cached for.
            if options == .registration, entry.definition == nil { unlink(entry, &garbage) }
        }
        switch options {
        case .all:
            entry.state.options = EntryOptions()
            unlink(entry, &garbage)
        case .context:
            entry.state.options.contexts = [:]
            entry.state.options.arguments = [:]
        case .scope:
            unlink(entry, &garbage)
        case .registration, .none:
            break
        }
    }

    /// Discards the cached instances of one scope.
    func reset(_ scope: Scope) {
        update { garbage in
            for entry in entries {
                let inScope = entry.state.kept.values.contains { $0.scope === scope }
                guard inScope || !entry.builds.isEmpty && entry.scope(default: defaultScope) === scope else { continue }
                unlink(entry, &garbage)
                refresh(entry)
            }
        }
    }

    func isEmpty(_ options: FactoryResetOptions) -> Bool {
        read {
            let hasNoRegistrations = entries.allSatisfy { $0.state.registration == nil }
            let hasNoContexts = entries.allSatisfy {
                $0.state.options.contexts.isEmpty && $0.state.options.arguments.isEmpty
            }
            let keepsNothing = entries.allSatisfy(\.state.kept.isEmpty)
            return switch options {
            case .all: hasNoRegistrations && hasNoContexts && keepsNothing
            case .context: hasNoContexts
            case .none: true
            case .registration: hasNoRegistrations
            case .scope: keepsNothing
            }
        }
    }

    // MARK: - Push and pop

    /// Saves the state of every key, and of the singletons.
    func push() {
        let singletons = singletons.map { Snapshot.Singletons(store: $0, states: $0.states()) }
        let snapshot = Snapshot(
            states: states(), decorator: read { observation.decorator }, defaultScope: read { defaultScope },
            isUnprepared: read { isUnprepared }, singletons: singletons)
        read { stack.append(snapshot) }
    }

    private func states() -> [ObjectIdentifier: Entry.State] {
        read { Dictionary(uniqueKeysWithValues: entries.map { (ObjectIdentifier($0), $0.state) }) }
    }

    /// Restores what `push` saved last; of the singletons, only those whose keys this store has.
    func pop() {
        let current = singletons
        let snapshot: Snapshot? = update { garbage in
            guard let snapshot = stack.popLast() else { return nil }
            observation.decorator = snapshot.decorator
            defaultScope = snapshot.defaultScope
            becomeUnprepared(snapshot.isUnprepared)
            for entry in entries { restore(entry, snapshot.states[ObjectIdentifier(entry)], &garbage) }
            return snapshot
        }
        guard let snapshot else { return }
        let keys = inspect { $0 }
        for saved in snapshot.singletons {
            let entries = keys.compactMap { saved.store.existingEntry(like: $0) }
            saved.store.update { garbage in
                for entry in entries { saved.store.restore(entry, saved.states[ObjectIdentifier(entry)], &garbage) }
            }
        }
        // In a custom singleton scope that no key had when the state was saved, instances from before that stay cached.
        for store in current where !snapshot.singletons.contains(where: { $0.store === store }) {
            for entry in keys.compactMap({ store.existingEntry(like: $0) })
            where store.read({ entry.state.kept.values.contains { $0.created >= snapshot.time } }) {
                store.drop(entry)
            }
        }
    }

    /// The stores of the singleton scopes that the calling task uses through this store's keys.
    private var singletons: [Store] {
        let bound = Scope.singleton.store
        let own = inspect { ($0.scope(default: defaultScope) as? Scope.Singleton)?.store }
        let others = own.filter { $0 !== bound && $0 !== Scope.Singleton.process.store }
        return [bound] + Dictionary(others.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values
    }

    /// The stores that cache a key's singleton for the calling task.
    func singletons(of entry: Entry) -> [Store] {
        let bound = Scope.singleton
        guard let own = read({ entry.scope(default: defaultScope) }) as? Scope.Singleton, own !== bound,
            own !== Scope.Singleton.process
        else { return [bound.store] }
        return [bound.store, own.store]
    }

    /// Discards the singleton of a key.
    func dropSingleton(of entry: Entry, in stores: [Store]) {
        for store in stores {
            if let entry = store.existingEntry(like: entry) { store.drop(entry) }
        }
    }

    private func restore(_ entry: Entry, _ state: Entry.State?, _ garbage: inout [RetiredObject]) {
        let state = state ?? Entry.State()
        if state.registration !== entry.state.registration { set(state.registration, in: entry, &garbage) }
        unlink(entry, &garbage)
        entry.state = state
        refresh(entry)
    }

    // MARK: - Preparation

    /// Sets whether `autoRegister` is due again. Call under the lock.
    private func becomeUnprepared(_ isDue: Bool) {
        isUnprepared = isDue
        // A child may have noted that a property has no override, but `autoRegister` may register one.
        if isDue { stripes.header.pointee.overrides.wrappingAdd(1, ordering: .releasing) }
    }

    /// Calls `autoRegister` if it's due: once, before anything is resolved or registered, on one thread while others
    /// wait. What `autoRegister` itself resolves or registers doesn't wait for it.
    func prepare(_ container: any ManagedContainer) throws(ContainerError) {
        guard read({ isUnprepared }) else { return }
        let slot = ThreadSlot.current
        let (build, isOwner): (Build?, Bool) = read {
            guard isUnprepared else { return (nil, false) }
            if let preparation { return (preparation, false) }
            // Checks the type, not the object: if a cast of an object fails, the runtime goes on to try bridging.
            guard type(of: container) is any AutoRegistering.Type else {
                isUnprepared = false
                refreshAll()
                return (nil, false)
            }
            let build = slot.begin(generation: 0)
            preparation = build
            return (build, true)
        }
        guard let build else { return }
        if isOwner {
            (container as? any AutoRegistering)?.autoRegister()
            read {
                isUnprepared = false
                preparation = nil
                slot.end(build)
                refreshAll()
            }
        } else if !slot.isBuilding(build) {
            try wait(for: build, slot)
        }
    }
}
