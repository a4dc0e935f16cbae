// Public because the inlined read path uses atomics.
public import Synchronization

/// The key of a factory and the container it is read from.
///
/// Two words: with its closure, a factory then travels in registers, and reading a property copies nothing.
public struct FactoryRegistration<P, T> {
    /// The container, which keeps the cell alive.
    @usableFromInline let object: AnyObject
    /// The address of the cell; its lowest bits, which are zero in an address, are the three flags.
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
        // What `init` stored is the address of a cell, which is not null.
        UnsafeMutablePointer(bitPattern: bits & ~7).unsafelyUnwrapped
    }

    /// Whether this factory comes from `once()`, so that its modifiers count.
    var isOnce: Bool {
        get { bits & 1 != 0 }
        set { bits = newValue ? bits | 1 : bits & ~1 }
    }

    /// Whether the key is a type's, whose registration has a scope of its own.
    var isByType: Bool {
        get { bits & 2 != 0 }
        set { bits = newValue ? bits | 2 : bits & ~2 }
    }

    /// Whether a context was registered by way of this factory, so that another one comes from outside of the property, or
    /// from the same chain of modifiers.
    var hasContext: Bool {
        get { bits & 4 != 0 }
        set { bits = newValue ? bits | 4 : bits & ~4 }
    }

    /// The container as a `Container`, if it is one.
    var ownContainer: Container? { object as? Container }

    var container: any ManagedContainer {
        if let ownContainer { return ownContainer }
        return object as! any ManagedContainer  // `init` takes nothing else.
    }

    var entry: Entry { cell.pointee.entry }
    var store: Store { entry.store }

    /// Sets the scope of the key, unless it has it already.
    @inlinable
    @inline(__always)
    func set(_ scope: Scope) {
        guard cell.pointee.scope.load(ordering: .relaxed) != UInt(bitPattern: ObjectIdentifier(scope)) else { return }
        change(scope)
    }

    @usableFromInline
    func change(_ scope: Scope?) {
        if isByType {
            ContainerError.misuse(
                "registered() of \(entry.id.displayName) takes no scope: its registration has one, "
                    + "write register(\(entry.id.source), scope: .\(scope?.description ?? "unique")) there"
            ).stop()
        }
        modify { options in
            guard options.scope !== scope else { return false }
            options.scope = scope
            return true
        }
    }

    /// Changes what modifiers say; `body` tells whether that drops what is kept.
    func modify(_ body: (inout EntryOptions) -> Bool) {
        // After `once()`, a definition's modifiers cost no lock.
        guard isOnce || !cell.pointee.isOnce.load(ordering: .relaxed) else { return }
        prepare()
        store.modify(entry, isOnce: isOnce, body)
    }

    /// Calls `autoRegister` if that is due, or stops with why it cannot be.
    func prepare() {
        do throws(ContainerError) {
            try prepareOrThrow()
        } catch {
            error.stop()
        }
    }

    /// Calls `autoRegister` if that is due: of this container, and of the parents, whose overrides a property has too.
    func prepareOrThrow() throws(ContainerError) {
        try store.prepare(container)
        if store.isChild { try ownContainer?.parent?.prepare() }
    }

    /// Puts an override in force.
    func register(_ registration: Registration) {
        prepare()
        let isAllowed = store.read { entry.state.options.isOnce == isOnce }
        guard isAllowed || isByType else { return }
        store.register(registration, for: entry)
        // What a new container registers for itself shall not drop what the process has.
        if store.read({ store.preparation == nil }) { store.dropSingleton(of: entry, in: store.singletons(of: entry)) }
    }

    /// Reports what was registered for a context outside of the property, and is replaced because the property registers for
    /// the same context each time it is read.
    func reportReplaced(_ modifier: String, _ new: ContextRegistration, _ former: ContextRegistration) {
        let site = new.registration.site
        guard former.followsContext, former.formerSite == site, former.registration.site != site else { return }
        let (watch, definition) = store.read { (store.observation.overruled, entry.definition) }
        // Two places outside of the property may take turns; the last one counts, and that is no mistake.
        guard let watch, definition?.file == site.file else { return }
        watch.report(
            overruled: LiveDependency(
                id: entry.id, site: site, overruled: former.registration.site, reason: .replaced(modifier)))
    }

    /// The registration that a context of this container's property comes before, here or in a parent.
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

    /// The nearest container's entry that has an override, or this container's, whose contexts count first.
    var holder: (entry: Entry, owner: AnyObject) {
        let own = entry
        guard own.store.isChild, !own.isRegistered, let container = ownContainer,
            own.store.read({ own.state.options.current == nil })
        else { return (own, object) }
        // Before looking, so that an override that comes meanwhile counts as not seen.
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

extension FactoryRegistration: @unchecked Sendable where P: Sendable, T: Sendable {  // it refers to a container's cell
    // Proof: `object` is a `ManagedContainer`, which is Sendable, because `init` takes nothing else. The cell that `bits`
    // points to lives as long as the container, and consists of atomics and an `Entry`.
}
