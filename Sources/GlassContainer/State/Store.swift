import GlassBase
// Public because the inlined read path uses atomics.
public import Synchronization

/// Where keys, registrations and kept instances live, for both styles.
///
/// Readers go through `table` and a cell's atomics and take a stripe, not `lock`. Writers hold `lock`, publish, and hand
/// what they unlinked to the stripes, which let go of it when no reader can be copying it. No user code runs under `lock`.
@usableFromInline
final class Store: @unchecked Sendable {  // the `var`s are touched under `lock` only
    // The rest is constant or atomic. What the `var`s hold of
    // others' code is not Sendable and called without the lock: factories and decorators as their contract says
    // (`Registration`), a logger by one thread at a time (`TraceLog`).

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String?
        let property: String?
    }

    /// The family of the parent; nil for the outermost store, which gives its family its identity and outlives it.
    private let inheritedFamily: ObjectIdentifier?
    /// Whether the container may ask for `autoRegister`: children and singletons do not.
    let hasPreparation: Bool
    @usableFromInline let stripes = ReaderLocks.all
    /// The container that this store's container follows, retained, or nil. Changed under the lock.
    @usableFromInline let followed = Atomic<UnsafeMutableRawPointer?>(nil)
    private let lock = Lock()
    @usableFromInline let table: Atomic<UnsafeMutablePointer<SlotTable.Header>>
    private var oldTables: [SlotTable] = []
    /// The keys of `entries`: a key's number is its entry's index.
    private var keys = Numbering<Key>()
    private(set) var entries: [Entry] = []
    var observation = Observation()
    /// Whether a child's reads of what its parents keep go the long way, to be seen or refused.
    @usableFromInline let watchesInherited = Atomic<Bool>(false)
    var defaultScope: Scope?
    var promiseTriggersError = FactoryContext.current.isDebug && !FactoryContext.current.isPreview
    /// Whether `autoRegister` has yet to be called.
    var isUnprepared: Bool
    var preparation: Build?
    /// Where the container was shut down, if it was.
    var end: RegistrationSite?
    /// What is to be done when nobody holds the container any more, if anything.
    var release: Release?
    var stack: [Snapshot] = []
    private var constructionCount = 0
    private var registrationCount = 0
    /// The time in seconds, from any start; replaced by tests.
    var now: @Sendable () -> Double = Store.uptime

    init(parent: Store? = nil, hasPreparation: Bool = false) {
        inheritedFamily = parent?.family
        observation.overruled = parent?.read { parent?.observation.overruled }
        self.hasPreparation = hasPreparation
        isUnprepared = hasPreparation
        table = Atomic(SlotTable(bits: 4).header)
    }

    deinit {
        // Readers keep their container, and so its store, alive: nobody is reading now.
        if let followed = followed.load(ordering: .acquiring) { Unmanaged<Container>.fromOpaque(followed).release() }
        SlotTable(header: table.load(ordering: .relaxed)).free()
        for table in oldTables { table.free() }
    }

    private static let start = ContinuousClock.now

    static func uptime() -> Double {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// Whose graph the services are a part of: those of a container and its children are in one. To be compared only.
    var family: ObjectIdentifier { inheritedFamily ?? ObjectIdentifier(self) }

    /// Whether a parent may override what this store's container defines. May change unless the lock is held.
    var isChild: Bool { inheritedFamily != nil || followed.load(ordering: .relaxed) != nil }

    /// Runs `body` under the lock, then lets go of what it unlinked.
    func update<Result>(_ body: (inout [RetiredObject]) -> Result) -> Result {
        var garbage: [RetiredObject] = []
        let result = lock.withLock { body(&garbage) }
        stripes.retire(garbage)
        return result
    }

    /// Runs `body` under the lock.
    func read<Result>(_ body: () -> Result) -> Result {
        lock.withLock(body)
    }

    /// Sleeps until a build has ended. Call inside `read`.
    func sleep(until build: Build) {
        build.sleep(lock)
    }

    // MARK: - Keys

    /// The cell of a key without a name, without a lock. For a property it may be nil although the entry exists.
    @inlinable
    @inline(__always)
    func cell(_ type: UInt, _ label: UInt) -> UnsafeMutablePointer<Cell>? {
        SlotTable(header: table.load(ordering: .acquiring)).find(type, label)
    }

    /// The cell of a key, without a lock.
    func cell(_ probe: borrowing Probe) -> UnsafeMutablePointer<Cell>? {
        SlotTable(header: table.load(ordering: .acquiring)).find(probe)
    }

    /// The entry of a type key, made on first use.
    func entry(type: Any.Type, name: String?) -> Entry {
        let probe = Probe(type, name: name)
        if let cell = cell(probe) { return cell.pointee.entry }
        return lock.withLock { makeEntry(probe, ServiceID(type, name: name), keyType: ObjectIdentifier(type)) }
    }

    /// The entry of a property key, made on first use.
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
            entry.isAsynchronous = keyType is any AsynchronousKey.Type
            return entry
        }
    }

    /// The entry of the same key as another store's, made on first use.
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

    /// The entry of the same key as another store's, if there is one.
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
            oldTables.append(current)
            current = current.grown()
            _ = current.insert(type: probe.type, label: probe.label, cell: entry.cell)
            table.store(current.header, ordering: .releasing)
        }
        return entry
    }

    /// The place to name in messages.
    func site(of entry: Entry) -> RegistrationSite? {
        lock.withLock { entry.site }
    }

    // MARK: - Changes, under the lock

    /// Publishes the shortcuts that the state of an entry allows. Under the lock, after every change of it.
    func refresh(_ entry: Entry) {
        let options = entry.state.options
        let scope = entry.scope(default: defaultScope)
        let kept = entry.state.kept[nil]
        // Another default scope leaves what the one before kept; what a scope of singletons keeps, it keeps for its users.
        let isInScope = kept.map { $0.scope.lifetime == scope.lifetime || $0.scope.lifetime == .process } ?? false
        let isPlain = !observation.isOn && options.decorator == nil && !isUnprepared && end == nil
        let isServed = isPlain && options.timeToLive == nil && !options.isScopedOnParameters
        entry.cell.pointee.value.store(
            isServed && isInScope ? kept?.memory : nil, ordering: .releasing)
        entry.cell.pointee.weakly.store(isServed && isInScope ? kept?.weakMemory : nil, ordering: .releasing)
        entry.cell.pointee.singleton.store(
            isServed && scope === Scope.Singleton.process ? entry.singletonCell : nil, ordering: .releasing)
        entry.cell.pointee.isOnce.store(options.isOnce, ordering: .relaxed)
        entry.cell.pointee.scope.store(
            options.scope.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, ordering: .relaxed)
        var mode = Cell.Mode.slow
        if isPlain, scope.lifetime == .unique, entry.record.isCurrent, !options.hasContexts {
            if entry.id.property == nil {
                mode = entry.state.registration?.isAsynchronous == false ? .registration : .slow
            } else if entry.state.registration == nil, entry.isolation == nil {
                mode = isChild ? .inheritableDefinition : .definition
            }
        }
        entry.cell.pointee.mode.store(mode, ordering: .releasing)
    }

    /// Publishes again for every entry. Under the lock.
    func refreshAll() {
        watchesInherited.store(observation.isOn || end != nil, ordering: .releasing)
        for entry in entries { refresh(entry) }
    }

    /// Puts a registration in force, or none. Under the lock.
    func set(_ registration: Registration?, in entry: Entry, _ garbage: inout [RetiredObject]) {
        entry.state.registration = registration
        let new = registration.map { Unmanaged.passRetained($0).toOpaque() }
        if let old = entry.cell.pointee.registration.exchange(new, ordering: .acquiringAndReleasing) {
            garbage.append(Unmanaged<Registration>.fromOpaque(old).takeRetainedValue())
        }
        // After the registration is there to be seen, or a child could note the count and then miss it.
        if new != nil, entry.id.property != nil {
            stripes.header.pointee.overrides.wrappingAdd(1, ordering: .releasing)
        }
        entry.record.isCurrent = false
        entry.record.dependencies = []
        entry.record.origins = []
    }

    /// Drops what is kept and what is being built. Under the lock, before `refresh`.
    func unlink(_ entry: Entry, _ garbage: inout [RetiredObject]) {
        entry.generation += 1
        // A build in progress serves those who already wait for it; who comes now starts another.
        entry.builds = ByParameter()
        entry.asyncBuild = nil
        garbage += entry.state.kept.values.map { $0 as RetiredObject }
        entry.state.kept = ByParameter()
    }

    // MARK: - Changes

    /// Puts a registration in force and drops what was kept for the one before.
    @discardableResult
    func register(_ registration: Registration, for entry: Entry) -> Bool {
        update { garbage in
            let replaced = entry.state.registration != nil
            if !registration.isOverride {
                let site = registration.site
                // Each pair of places once: registering in a loop shall not grow memory.
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

    /// Changes what modifiers say about a key, unless `once()` forbids it.
    func modify(_ entry: Entry, isOnce: Bool, _ body: (inout EntryOptions) -> Bool) {
        update { garbage in
            guard entry.state.options.isOnce == isOnce else { return }
            if body(&entry.state.options) { unlink(entry, &garbage) }
            refresh(entry)
        }
    }

    /// Drops the kept instances and leaves what is registered.
    func drop(_ entry: Entry) {
        update { garbage in
            unlink(entry, &garbage)
            refresh(entry)
        }
    }

    /// Where the next registration stands in the order of registrations. Under the lock.
    var registrationOrder: Int { registrationCount }

    /// Keeps an instance. Under the lock.
    func keep(_ kept: CachedInstance, in entry: Entry, for key: AnyHashable?, _ garbage: inout [RetiredObject]) {
        if let old = entry.state.kept.replace(key, with: kept) { garbage.append(old) }
        refresh(entry)
    }

    /// The next place in the order of construction. Under the lock.
    func nextConstruction() -> Int {
        constructionCount += 1
        return constructionCount
    }

    // MARK: - Inspection

    /// Calls `body` for each entry, in the order of first use, under the lock.
    func inspect<Value>(_ body: (Entry) -> Value?) -> [Value] {
        lock.withLock { entries.compactMap(body) }
    }
}
