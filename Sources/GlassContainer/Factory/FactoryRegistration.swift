// Public because the inlined read path uses atomics.
public import Synchronization

/// The key of a factory and the container that it's read from.
///
/// Two words, so that a factory with its closure is passed in registers, and reading a property copies nothing.
public struct FactoryRegistration<P, T> {
    /// The container, which keeps the cell alive.
    @usableFromInline let object: AnyObject
    /// The address of the cell. Its three lowest bits, which are zero in an address, are flags.
    @usableFromInline var bits: UInt

    @inlinable
    @inline(__always)
    init(_ container: any ManagedContainer, _ cell: UnsafeMutablePointer<Cell>) {
        object = container
        bits = UInt(bitPattern: cell)
    }

    @inlinable
    @inline(__always)
    var cell: UnsafeMutablePointer<Cell> {
        // `init` stored the address of a cell, which isn't null.
        UnsafeMutablePointer(bitPattern: bits & ~7).unsafelyUnwrapped
    }

    /// Whether this factory was returned by `once()`, so that its modifiers take effect.
    var isOnce: Bool {
        get { bits & 1 != 0 }
        set { bits = newValue ? bits | 1 : bits & ~1 }
    }

    /// Whether the key is that of a type, whose registration has its own scope.
    var isByType: Bool {
        get { bits & 2 != 0 }
        set { bits = newValue ? bits | 2 : bits & ~2 }
    }

    /// Whether a context was registered through this factory. If so, the next one comes from outside the property, or
    /// from the same chain of modifiers.
    var hasContext: Bool {
        get { bits & 4 != 0 }
        set { bits = newValue ? bits | 4 : bits & ~4 }
    }

    /// The container as a `Container`, if it is one.
    var ownContainer: Container? { object as? Container }

    var container: any ManagedContainer {
        if let ownContainer { return ownContainer }
        return object as! any ManagedContainer  // `init` accepts nothing else
    }

    var entry: Entry { cell.pointee.entry }
    var store: Store { entry.store }

    /// Sets the scope of the key, unless it's already set.
    @inlinable
    @inline(__always)
    func set(_ scope: Scope) {
        // Relaxed: a scope that differs is compared again under the lock.
        guard cell.pointee.scope.load(ordering: .relaxed) != UInt(bitPattern: ObjectIdentifier(scope)) else { return }
        change(scope)
    }

    @usableFromInline
    func change(_ scope: Scope?) {
        if isByType {
            ContainerError.misuse(
                "registered() of \(entry.id.displayName) takes no scope, because its registration has one: "
                    + "write register(\(entry.id.source), scope: .\(scope?.description ?? "unique"))"
            ).stop()
        }
        modify { options in
            guard options.scope !== scope else { return false }
            options.scope = scope
            return true
        }
    }

    /// Changes the settings of the key. `body` returns whether to discard the cached instances.
    func modify(_ body: (inout EntryOptions) -> Bool) {
        // After `once()`, the modifiers of a definition take no lock.
        guard isOnce || !cell.pointee.isOnce.load(ordering: .relaxed) else { return }
        prepare()
        store.modify(entry, isOnce: isOnce, body)
    }

    /// Calls `autoRegister` if it's due. Traps if that isn't possible.
    func prepare() {
        do throws(ContainerError) {
            try prepareOrThrow()
        } catch {
            error.stop()
        }
    }

    /// Calls `autoRegister` if it's due: that of this container, and those of its parents, whose overrides also apply
    /// to a property.
    func prepareOrThrow() throws(ContainerError) {
        try store.prepare(container)
        if store.isChild { try ownContainer?.parent?.prepare() }
    }

    /// Registers an override.
    func register(_ registration: Registration) {
        prepare()
        let isAllowed = store.read { entry.state.options.isOnce == isOnce }
        guard isAllowed || isByType else { return }
        store.register(registration, for: entry)
        // What `autoRegister` of a new container registers must not discard the process's singleton.
        if store.read({ store.preparation == nil }) { store.dropSingleton(of: entry, in: store.singletons(of: entry)) }
    }

    /// Reports a factory that was registered for a context outside the property and is replaced, because the property
    /// registers for the same context each time it's read.
    func reportReplaced(_ modifier: String, _ new: ContextRegistration, _ former: ContextRegistration) {
        let site = new.registration.site
        guard former.followsContext, former.formerSite == site, former.registration.site != site else { return }
        let (watch, definition) = store.read { (store.observation.overruled, entry.definition) }
        // Two calls outside the property may replace each other; the last one wins, which isn't a mistake.
        guard let watch, definition?.file == site.file else { return }
        watch.report(
            overruled: LiveDependency(
                id: entry.id, site: site, overruled: former.registration.site, reason: .replaced(modifier)))
    }

    /// The registration, in this container or a parent, over which a context of this container's property takes
    /// precedence.
    var overruled: Registration? {
        if let own = store.read({ entry.state.registration }) { return own }
        var next = isByType ? nil : ownContainer?.parent
        while let ancestor = next {
            if let entry = ancestor.store.existingEntry(like: entry),
                let registration = entry.store.read({ entry.state.registration })
            {
                return registration
            }
            next = ancestor.parent
        }
        return nil
    }

    /// The entry of the nearest container with an override, or that of this container, whose own contexts take
    /// precedence.
    var holder: (entry: Entry, owner: AnyObject) {
        let own = entry
        guard own.store.isChild, !own.isRegistered, let container = ownContainer,
            own.store.read({ own.state.options.current == nil })
        else { return (own, object) }
        // Read before the search, so that an override registered in the meantime counts as not seen.
        let overrides = cell.pointee.stripes.header.pointee.overrides.load(ordering: .acquiring)
        var next = container.parent
        while let ancestor = next {
            if let entry = ancestor.store.existingEntry(like: own), entry.isRegistered { return (entry, ancestor) }
            next = ancestor.parent
        }
        cell.pointee.overrides.store(overrides, ordering: .relaxed)
        return (own, object)
    }
}

extension FactoryRegistration: @unchecked Sendable where P: Sendable, T: Sendable {  // refers to a container's cell
    // Proof: `object` is a `ManagedContainer`, which is Sendable, because `init` accepts nothing else. The cell that
    // `bits` points to lives as long as the container, and consists of atomics and an `Entry`.
}
