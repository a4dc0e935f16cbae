import Synchronization

/// Where keys, registrations and kept instances live, for both styles.
///
/// Readers go through `table` and a cell's atomics and take no lock. Writers hold `lock`, publish, and hand what they
/// unlinked to the family, which frees it when no reader can hold it. No user code runs under `lock`.
final class Store: @unchecked Sendable {
    // `table` is atomic; `entries` and `oldTables` are guarded by `lock`; the rest is constant.

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String?
        let property: String?
    }

    typealias Garbage = (pointer: UnsafeMutableRawPointer, free: (UnsafeMutableRawPointer) -> Void)

    let family: Family
    private let lock = Lock()
    private let table: Atomic<UnsafeMutablePointer<SlotTable.Header>>
    private var oldTables: [SlotTable] = []
    private var index: [Key: Entry] = [:]
    private var entries: [Entry] = []

    init(family: Family) {
        self.family = family
        table = Atomic(SlotTable(bits: 4).header)
    }

    deinit {
        SlotTable(header: table.load(ordering: .relaxed)).free()
        for table in oldTables { table.free() }
    }

    // MARK: - Keys

    /// The cell of a key, without a lock. For a property it may be nil although the entry exists, see `entry(type:property:)`.
    @inline(__always)
    func cell(_ probe: borrowing Probe) -> UnsafeMutablePointer<Cell>? {
        SlotTable(header: table.load(ordering: .acquiring)).find(probe)
    }

    /// The entry of a type key, made on first use.
    func entry(type: Any.Type, name: String?) -> Entry {
        let probe = Probe(type, name: name)
        if let cell = cell(probe) { return cell.pointee.entry }
        return lock.withLock { makeEntry(probe, ServiceID(type, name: name)) }
    }

    /// The entry of a property key, made on first use.
    func entry(type: Any.Type, property: StaticString) -> Entry {
        let probe = Probe(type, property: property)
        if let cell = cell(probe) { return cell.pointee.entry }
        return lock.withLock { makeEntry(probe, ServiceID(type, property: property.description)) }
    }

    private func makeEntry(_ probe: Probe, _ id: ServiceID) -> Entry {
        let key = Key(type: id.typeIdentifier, name: id.name, property: id.property)
        let entry = index[key] ?? Entry(id: id, store: self)
        if index[key] == nil {
            index[key] = entry
            entries.append(entry)
        }
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

    /// Copies the kept instance out of a cell, without a lock.
    @inline(__always)
    func value<Service>(_ cell: UnsafeMutablePointer<Cell>, as type: Service.Type) -> Service? {
        let stripe = family.enter()
        defer { family.leave(stripe) }
        return cell.pointee.value.load(ordering: .sequentiallyConsistent).map {
            $0.assumingMemoryBound(to: Service.self).pointee
        }
    }

    // MARK: - Registrations

    /// The registration in force, without a lock.
    func registration(_ cell: UnsafeMutablePointer<Cell>) -> Registration? {
        let stripe = family.enter()
        defer { family.leave(stripe) }
        return cell.pointee.registration.load(ordering: .sequentiallyConsistent).map {
            Unmanaged<Registration>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Puts a registration in force and drops what was kept for the one before.
    /// - Returns: whether there was one before.
    @discardableResult
    func register(_ registration: Registration, for entry: Entry) -> Bool {
        var garbage: [Garbage] = []
        let replaced = lock.withLock {
            let replaced = entry.base != nil || entry.cell.pointee.registration.load(ordering: .relaxed) != nil
            if !registration.isOverride {
                if let base = entry.base { entry.duplicates.append((registration.site, base.site)) }
                entry.base = registration
            }
            garbage = swap(registration, in: entry)
            return replaced
        }
        family.retire(garbage)
        return replaced
    }

    /// Drops the kept instance, and the override or everything that was registered.
    func reset(_ entry: Entry, keepingBase: Bool) {
        var garbage: [Garbage] = []
        lock.withLock { garbage = clear(entry, keepingBase: keepingBase) }
        family.retire(garbage)
    }

    /// Drops the kept instance and leaves what is registered.
    func drop(_ entry: Entry) {
        var garbage: [Garbage] = []
        lock.withLock { garbage = unlinkValue(entry) }
        family.retire(garbage)
    }

    /// Drops every registration and every kept instance.
    func resetAll() {
        var garbage: [Garbage] = []
        lock.withLock { for entry in entries { garbage += clear(entry, keepingBase: false) } }
        family.retire(garbage)
    }

    private func clear(_ entry: Entry, keepingBase: Bool) -> [Garbage] {
        if !keepingBase {
            entry.base = nil
            entry.definition = nil
            entry.duplicates = []
        }
        return swap(entry.base, in: entry)
    }

    private func swap(_ registration: Registration?, in entry: Entry) -> [Garbage] {
        let new = registration.map { Unmanaged.passRetained($0).toOpaque() }
        var garbage: [Garbage] = []
        if let old = entry.cell.pointee.registration.exchange(new, ordering: .sequentiallyConsistent) {
            garbage.append((old, { Unmanaged<Registration>.fromOpaque($0).release() }))
        }
        entry.dependencies = []
        entry.hasDependencies.store(false, ordering: .relaxed)
        return garbage + unlinkValue(entry)
    }

    private func unlinkValue(_ entry: Entry) -> [Garbage] {
        entry.generation += 1
        // A build in progress serves those who already wait for it; who comes now starts another.
        entry.build = nil
        guard let old = entry.cell.pointee.value.exchange(nil, ordering: .sequentiallyConsistent),
            let free = entry.freeValue
        else { return [] }
        return [(old, free)]
    }

    // MARK: - Building

    /// The kept instance of `entry`, made by `make` if there is none: once, however many threads ask.
    ///
    /// - Parameters:
    ///   - entry: the key, in the store that keeps the instance.
    ///   - holder: the same key where it is registered; differs for singletons.
    ///   - site: where the factory stands.
    ///   - make: runs the factory in force, without any lock.
    /// - Throws: `ContainerError` when the factory throws, or when waiting for it would close a cycle.
    func kept<Service>(
        _ entry: Entry, holder: Entry, site: RegistrationSite?, _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        let context = BuildContext.current
        context.note(holder)
        if let cycle = context.cycle(to: holder) { throw cycle }
        while true {
            let step: Step<Service> = lock.withLock {
                if let value = entry.cell.pointee.value.load(ordering: .relaxed) {
                    return .found(value.assumingMemoryBound(to: Service.self).pointee)
                }
                if let build = entry.build { return .wait(build) }
                let build = Build(owner: context, generation: entry.generation)
                entry.build = build
                return .build(build)
            }
            switch step {
            case .found(let value):
                return value
            case .wait(let build) where build.owner === context:
                throw context.cycle(of: build)
            case .wait(let build):
                try wait(for: build, context)
            case .build(let build):
                return try run(build, context, entry, holder, site, make)
            }
        }
    }

    private enum Step<Service> {
        case found(Service)
        case wait(Build)
        case build(Build)
    }

    /// Sleeps until another thread's build ended.
    private func wait(for build: Build, _ context: BuildContext) throws(ContainerError) {
        if let cycle = context.announceWait(for: build) { throw cycle }
        let failure = lock.withLock { () -> ContainerError? in
            while !build.isFinished {
                let finished = build.finished ?? Condition()
                build.finished = finished
                finished.wait(lock)
            }
            return build.failure
        }
        context.withdrawWait()
        if let failure { throw failure }
    }

    private func run<Service>(
        _ build: Build, _ context: BuildContext, _ entry: Entry, _ holder: Entry, _ site: RegistrationSite?,
        _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        var garbage: [Garbage] = []
        do {
            let service = try recorded(holder, site, build, isRecording: true, context, make)
            lock.withLock {
                // Registering or resetting meanwhile means that this instance is for its callers only.
                if entry.generation == build.generation {
                    let memory = UnsafeMutablePointer<Service>.allocate(capacity: 1)
                    memory.initialize(to: service)
                    if entry.freeValue == nil {
                        entry.freeValue = {
                            let memory = $0.assumingMemoryBound(to: Service.self)
                            memory.deinitialize(count: 1)
                            memory.deallocate()
                        }
                    }
                    if let old = entry.cell.pointee.value.exchange(
                        UnsafeMutableRawPointer(memory), ordering: .sequentiallyConsistent), let free = entry.freeValue
                    {
                        garbage.append((old, free))
                    }
                }
                finish(build, of: entry, failure: nil)
            }
            family.retire(garbage)
            return service
        } catch {
            lock.withLock { finish(build, of: entry, failure: error) }
            throw error
        }
    }

    private func finish(_ build: Build, of entry: Entry, failure: ContainerError?) {
        build.isFinished = true
        build.failure = failure
        if entry.build === build { entry.build = nil }
        build.finished?.broadcast()
    }

    /// A new instance, kept by nobody.
    /// - Throws: `ContainerError` when the factory throws, or when its key is being built on this thread already.
    func new<Service>(
        _ entry: Entry, site: RegistrationSite?, _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        let context = BuildContext.current
        context.note(entry)
        if let cycle = context.cycle(to: entry) { throw cycle }
        // What a factory resolves is recorded once; resolving it again costs nothing for it.
        let isRecording = !entry.hasDependencies.load(ordering: .relaxed)
        return try recorded(entry, site, nil, isRecording: isRecording, context, make)
    }

    /// Runs a factory, with its key on the thread's path.
    private func recorded<Service>(
        _ holder: Entry, _ site: RegistrationSite?, _ build: Build?, isRecording: Bool, _ context: BuildContext,
        _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        context.frames.append(.init(entry: holder, site: site, build: build, isRecording: isRecording))
        if isRecording { holder.store.family.recordingBuilds.wrappingAdd(1, ordering: .relaxed) }
        do {
            let service = try make()
            if isRecording { holder.store.family.recordingBuilds.wrappingSubtract(1, ordering: .relaxed) }
            let frame = context.frames.removeLast()
            if isRecording { holder.store.record(frame.dependencies.map(\.id), of: holder) }
            return service
        } catch {
            let failure = error as? ContainerError ?? .failed(path: context.path, underlying: error)
            if isRecording { holder.store.family.recordingBuilds.wrappingSubtract(1, ordering: .relaxed) }
            context.frames.removeLast()
            throw failure
        }
    }

    private func record(_ dependencies: [ServiceID], of entry: Entry) {
        lock.withLock { entry.dependencies = dependencies }
        entry.hasDependencies.store(true, ordering: .relaxed)
    }

    // MARK: - Inspection

    /// Calls `body` for each entry, in the order of first use, under the lock.
    func inspect<Value>(_ body: (Entry) -> Value?) -> [Value] {
        lock.withLock { entries.compactMap(body) }
    }

    /// Notes how a property is defined.
    func define(_ entry: Entry, _ definition: Definition) {
        lock.withLock { entry.definition = definition }
    }
}
