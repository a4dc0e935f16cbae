import GlassBase
// Public because the inlined read path uses atomics.
public import Synchronization

/// The keys, registrations, and cached instances of a container, for both styles.
///
/// Readers use `table` and a cell's atomics, and take a stripe rather than `lock`. Writers hold `lock`, publish their
/// changes, and pass what they unlinked to the stripes, which release it once no reader can be copying it. No user code
/// runs under `lock`.
@usableFromInline
final class Store: @unchecked Sendable {  // the `var`s are accessed only under `lock`
    // Everything else is constant or atomic. The user's closures in the `var`s aren't Sendable and are called without
    // the lock: factories and decorators as their contract says (`Registration`), a logger by one thread at a time
    // (`TraceLog`).

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String?
        let property: String?
    }

    /// The family of the parent; nil for the outermost store, which identifies its family and outlives the other
    /// stores.
    private let inheritedFamily: ObjectIdentifier?
    /// Whether `autoRegister` can apply to the container; it doesn't for children and singletons.
    let hasPreparation: Bool
    @usableFromInline let stripes = ReaderLocks.all
    /// The container that this store's container follows, retained, or nil. Changed only under the lock.
    @usableFromInline let followed = Atomic<UnsafeMutableRawPointer?>(nil)
    private let lock = Lock()
    @usableFromInline let table: Atomic<UnsafeMutablePointer<SlotTable.Header>>
    private var oldTables: [SlotTable] = []
    /// The keys of `entries`; a key's number is the index of its entry.
    private var keys = InternTable<Key>()
    private(set) var entries: [Entry] = []
    var observation = Observation()
    /// Whether reads of instances that parents cache take the slow path, so that they can be observed or rejected.
    @usableFromInline let watchesInherited = Atomic<Bool>(false)
    var defaultScope: Scope?
    var promiseTriggersError = FactoryContext.current.isDebug && !FactoryContext.current.isPreview
    /// Whether `autoRegister` has yet to be called.
    var isUnprepared: Bool
    var preparation: Build?
    /// The position where the container was shut down, if it was.
    var end: RegistrationSite?
    /// The work to do once the last reference to the container is released, if any.
    var release: Release?
    /// The container that this is the store of, if it's a `Container`. Set once, before the container is shared. Read
    /// only while a factory of the container runs, which keeps the container alive; a weak reference would allocate.
    unowned(unsafe) var container: Container?
    var stack: [Snapshot] = []
    private var constructionCount = 0
    private var registrationCount = 0
    /// Returns the time in seconds, from an arbitrary start. Tests replace it.
    var now: @Sendable () -> Double = Store.uptime

    init(parent: Store? = nil, hasPreparation: Bool = false) {
        inheritedFamily = parent?.family
        observation.overruled = parent?.read { parent?.observation.overruled }
        self.hasPreparation = hasPreparation
        isUnprepared = hasPreparation
        table = Atomic(SlotTable(bits: 4).header)
    }

    deinit {
        // Readers keep their container and its store alive, so there are no readers now.
        if let followed = followed.load(ordering: .acquiring) { Unmanaged<Container>.fromOpaque(followed).release() }
        SlotTable(header: table.load(ordering: .relaxed)).free()
        for table in oldTables { table.free() }
    }

    private static let start = ContinuousClock.now

    static func uptime() -> Double {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// The identity of the graph that the services are part of: a container and its children share one. For comparison
    /// only.
    var family: ObjectIdentifier { inheritedFamily ?? ObjectIdentifier(self) }

    /// Whether a parent may override definitions of this store's container. May change at any time unless the lock is
    /// held.
    var isChild: Bool { inheritedFamily != nil || followed.load(ordering: .relaxed) != nil }

    /// Runs `body` under the lock, and then releases what it unlinked.
    func update<Result>(_ body: (inout [RetiredObject]) -> Result) -> Result {
        var garbage: [RetiredObject] = []
        let result = lock.withLock { body(&garbage) }
        // Outside the lock, because this runs deinitializers, which are user code.
        stripes.retire(garbage)
        return result
    }

    /// Runs `body` under the lock.
    func read<Result>(_ body: () -> Result) -> Result {
        lock.withLock(body)
    }

    /// Waits until a build has ended. Call inside `read`.
    func sleep(until build: Build) {
        build.sleep(lock)
    }

    // MARK: - Keys

    /// The cell of a key without a name. Takes no lock. For a property, it may be nil although the entry exists.
    @inlinable
    @inline(__always)
    func cell(_ type: UInt, _ label: UInt) -> UnsafeMutablePointer<Cell>? {
        SlotTable(header: table.load(ordering: .acquiring)).find(type, label)
    }

    /// The cell of a key. Takes no lock.
    func cell(_ probe: borrowing Probe) -> UnsafeMutablePointer<Cell>? {
        SlotTable(header: table.load(ordering: .acquiring)).find(probe)
    }

    /// The entry of a type key, created on first use.
    func entry(type: Any.Type, name: String?) -> Entry {
        let probe = Probe(type, name: name)
        if let cell = cell(probe) { return cell.pointee.entry }
        return lock.withLock { makeEntry(probe, ServiceID(type, name: name), keyType: ObjectIdentifier(type)) }
    }

    /// The entry of a property key, created on first use.
    func entry(
        type: Any.Type, keyType: Any.Type, property: StaticString, site: RegistrationSite,
        isolation: FactoryIsolation? = nil
    ) -> Entry {
        let probe = Probe(keyType, property: property)
        if let cell = cell(probe) { return cell.pointee.entry }
        return lock.withLock {
            let id = ServiceID(type, property: property.description)
            let entry = makeEntry(probe, id, keyType: ObjectIdentifier(keyType))
            if entry.definition == nil {
                entry.definition = site
                entry.isolation = isolation
            }
            return entry
        }
    }

    /// The entry with the same key as another store's, created on first use.
    func entry(like other: Entry) -> Entry {
        let id = other.id
        guard let property = id.property else { return entry(type: id.type, name: id.name) }
        return lock.withLock {
            let key = Key(type: other.keyType, name: nil, property: property)
            let (isNew, number) = keys.insert(key)
            if isNew {
                let entry = Entry(id: id, keyType: other.keyType, store: self)
                entry.definition = other.definition
                entries.append(entry)
            }
            return entries[number]
        }
    }

    /// The entry with the same key as another store's, if there is one.
    func existingEntry(like other: Entry) -> Entry? {
        lock.withLock {
            let key = Key(type: other.keyType, name: other.id.name, property: other.id.property)
            return keys.number(of: key).map { entries[$0] }
        }
    }

    private func makeEntry(_ probe: Probe, _ id: ServiceID, keyType: ObjectIdentifier) -> Entry {
        let key = Key(type: keyType, name: id.name, property: id.property)
        let (isNew, number) = keys.insert(key)
        if isNew { entries.append(Entry(id: id, keyType: keyType, store: self)) }
        let entry = entries[number]
        var current = SlotTable(header: table.load(ordering: .relaxed))
        if current.find(probe) != nil { return entry }
        if !current.insert(type: probe.type, label: probe.label, cell: entry.cell) {
            // Not freed before the store is, because readers may still be probing it.
            oldTables.append(current)
            current = current.grown()
            _ = current.insert(type: probe.type, label: probe.label, cell: entry.cell)
            table.store(current.header, ordering: .releasing)
        }
        return entry
    }

    /// The position to report in messages.
    func site(of entry: Entry) -> RegistrationSite? {
        lock.withLock { entry.site }
    }

    // MARK: - Changes, under the lock

    /// Publishes the shortcuts that the state of an entry allows. Call under the lock, after every change of the state.
    func refresh(_ entry: Entry) {
        let options = entry.state.options
        let scope = entry.scope(default: defaultScope)
        let kept = entry.state.kept[nil]
        // After a change of the default scope, instances of the previous one are still cached. Those in the store of a
        // singleton scope are always in scope: the entries there don't have the scopes of the containers' entries.
        let isInScope = kept.map { $0.scope.lifetime == scope.lifetime || $0.scope.lifetime == .process } ?? false
        let isPlain = !observation.isOn && options.decorator == nil && !isUnprepared && end == nil
        let isServed = isPlain && options.timeToLive == nil && !options.isScopedOnParameters
        // Releasing, paired with the acquiring loads of readers, so that they see initialized instances.
        entry.cell.pointee.value.store(
            isServed && isInScope ? kept?.memory : nil, ordering: .releasing)
        entry.cell.pointee.weakly.store(isServed && isInScope ? kept?.weakMemory : nil, ordering: .releasing)
        entry.cell.pointee.singleton.store(
            isServed && scope === Scope.Singleton.process ? entry.singletonCell : nil, ordering: .releasing)
        // Relaxed: modifiers only compare these two, and take the lock before they change anything.
        entry.cell.pointee.isOnce.store(options.isOnce, ordering: .relaxed)
        entry.cell.pointee.scope.store(
            options.scope.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, ordering: .relaxed)
        var mode = Cell.Mode.slow
        if isPlain, scope.lifetime == .unique, entry.record.isCurrent, !options.hasContexts {
            if entry.id.property == nil {
                mode = entry.state.registration == nil ? .slow : .registration
            } else if entry.state.registration == nil, entry.isolation == nil {
                mode = isChild ? .inheritableDefinition : .definition
            }
        }
        entry.cell.pointee.mode.store(mode, ordering: .releasing)
    }

    /// Publishes the shortcuts of all entries again. Call under the lock.
    func refreshAll() {
        watchesInherited.store(observation.isOn || end != nil, ordering: .releasing)
        for entry in entries { refresh(entry) }
    }

    /// Sets or removes the current registration. Call under the lock.
    func set(_ registration: Registration?, in entry: Entry, _ garbage: inout [RetiredObject]) {
        entry.state.registration = registration
        let new = registration.map { Unmanaged.passRetained($0).toOpaque() }
        if let old = entry.cell.pointee.registration.exchange(new, ordering: .acquiringAndReleasing) {
            garbage.append(Unmanaged<Registration>.fromOpaque(old).takeRetainedValue())
        }
        // After the registration is visible, or a child could note the new count and still miss the registration.
        if new != nil, entry.id.property != nil {
            stripes.header.pointee.overrides.wrappingAdd(1, ordering: .releasing)
        }
        entry.record.isCurrent = false
        entry.record.dependencies = []
        entry.record.origins = []
    }

    /// Discards the cached instances and detaches the builds in progress. Call under the lock, before `refresh`.
    func unlink(_ entry: Entry, _ garbage: inout [RetiredObject]) {
        entry.generation += 1
        // A build in progress serves the threads that already wait for it; later callers start another one.
        entry.builds = [:]
        garbage += entry.state.kept.values.map { $0 as RetiredObject }
        entry.state.kept = [:]
    }

    // MARK: - Changes

    /// Sets the current registration, and discards the instances of the previous one. Returns whether there was one.
    @discardableResult
    func register(_ registration: Registration, for entry: Entry) -> Bool {
        update { garbage in
            let replaced = entry.state.registration != nil
            if !registration.isOverride {
                let site = registration.site
                // Each pair of positions once, or registering in a loop would use ever more memory.
                if let base = entry.state.base?.site,
                    !entry.state.duplicates.contains(where: { $0.site == site && $0.replaced == base })
                {
                    entry.state.duplicates.append((site, base))
                }
                entry.state.base = registration
            }
            registrationCount += 1
            entry.state.order = registrationCount
            set(registration, in: entry, &garbage)
            unlink(entry, &garbage)
            refresh(entry)
            return replaced
        }
    }

    /// Changes the settings of a key, unless `once()` prevents that. `body` returns whether to discard the cached
    /// instances.
    func modify(_ entry: Entry, isOnce: Bool, _ body: (inout EntryOptions) -> Bool) {
        update { garbage in
            guard entry.state.options.isOnce == isOnce else { return }
            if body(&entry.state.options) { unlink(entry, &garbage) }
            refresh(entry)
        }
    }

    /// Discards the cached instances and keeps the registration.
    func drop(_ entry: Entry) {
        update { garbage in
            unlink(entry, &garbage)
            refresh(entry)
        }
    }

    /// The position of the latest registration in the order of registrations. Call under the lock.
    var registrationOrder: Int { registrationCount }

    /// Caches an instance. Call under the lock.
    func keep(_ kept: CachedInstance, in entry: Entry, for key: AnyHashable?, _ garbage: inout [RetiredObject]) {
        if let old = entry.state.kept.updateValue(kept, forKey: key) { garbage.append(old) }
        refresh(entry)
    }

    /// Returns the next position in the order of construction. Call under the lock.
    func nextConstruction() -> Int {
        constructionCount += 1
        return constructionCount
    }

    // MARK: - Inspection

    /// Calls `body` for each entry, in order of first use, under the lock.
    func inspect<Value>(_ body: (Entry) -> Value?) -> [Value] {
        lock.withLock { entries.compactMap(body) }
    }
}
