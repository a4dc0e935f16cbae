// Public because the inlined read path uses atomics.
public import Synchronization

/// A container that creates, caches, and provides services, which are found by their type (Glass style) or through a
/// property (Factory style).
///
/// ```swift
/// let container = Container()
/// container.register((any Greeting).self) { _ in EnglishGreeting() }
/// let greeting: any Greeting = container.get()
/// ```
///
/// A service that's registered by type is created on first use and then cached: there's one instance, regardless of how
/// many threads request it. Reading a cached service doesn't wait for a build and doesn't allocate. When the container
/// is released, so are its cached instances.
public final class Container: SharedContainer {
    @usableFromInline let store: Store
    /// The manager of this container's registrations and cached instances.
    public let manager: ContainerManager
    /// The parent that this container was created with, if any.
    @usableFromInline let fixedParent: Container?

    /// The container whose registrations this one also resolves: the parent of a child, or the container that this one
    /// currently follows.
    public var parent: Container? { fixedParent ?? store.followedContainer }

    /// The container for code that isn't passed one. To bind another container, use `Container.$shared.withValue`.
    ///
    /// By default, this is the process's root container, which resolves everything that the active market registered.
    @TaskLocal public static var shared = root
    /// The default value of `shared`.
    package static let root = Container()

    /// Creates an empty container.
    public convenience init() {
        self.init(ofParent: nil)
    }

    /// Creates a child container, which resolves everything that its parent resolves and keeps its own registrations to
    /// itself.
    ///
    /// A service that's registered in the parent is created by the parent, from the parent's services, and shared with
    /// the child. Registering something else in the child changes only what the child creates.
    /// - Parameter parent: The container to search for services that aren't registered in the child. The child keeps it
    ///   alive.
    public convenience init(parent: Container) {
        self.init(ofParent: parent)
    }

    private init(ofParent parent: Container?) {
        store = Store(parent: parent?.store, hasPreparation: parent == nil)
        manager = ContainerManager(store)
        fixedParent = parent
        store.container = self
    }

    deinit {
        store.runRelease()
    }

    // MARK: - Reading

    /// Returns the service registered for a type. Traps if there is none.
    ///
    /// If the service is already cached, this method doesn't wait for a build and doesn't allocate. If it traps, the
    /// message contains the path and the nearest registered names if nothing is registered, the path if the service
    /// depends on itself, or the error that its factory threw. `require` throws these errors instead, and
    /// `getIfRegistered` returns nil if nothing is registered.
    /// - Parameters:
    ///   - type: The type that the service is registered for. By default, it's inferred from the context.
    ///   - name: The name that the service is registered with.
    /// - Returns: The service.
    @inlinable
    public func get<Service>(_ type: Service.Type = Service.self, name: String? = nil) -> Service {
        // The container owns the memory that `cell` points to, so it must not be released before the read ends.
        defer { extendLifetime(self) }
        if name == nil {
            let cell = store.cell(Probe(type).type, 0)
            if let cell, cell.pointee.mode.load(ordering: .relaxed) == .registration {
                if let service = make(cell, type) { return service }
            } else if let service = cell?.cachedValue(as: type) {
                return service
            } else if let service = inheritedValue(type, own: cell) {
                return service
            }
        }
        return resolveOrStop(type, name: name)
    }

    /// Returns the service registered for a type where an optional is expected: `let x: P? = container.get()` resolves
    /// `P`.
    ///
    /// - Parameter name: The name that the service is registered with.
    /// - Returns: The service, never nil. Like the other `get`, this method traps if nothing is registered.
    public func get<Service>(name: String? = nil) -> Service? {
        get(Service.self, name: name)
    }

    /// Returns the service registered for a type, or nil if there is none.
    ///
    /// Only the service itself may be missing. Like `get`, this method traps if its factory requests a service that
    /// isn't registered.
    /// - Parameters:
    ///   - type: The type that the service is registered for. By default, it's inferred from the context.
    ///   - name: The name that the service is registered with.
    /// - Returns: The service, or nil.
    public func getIfRegistered<Service>(_ type: Service.Type = Service.self, name: String? = nil) -> Service? {
        if name == nil, let cell = store.cell(Probe(type).type, 0),
            cell.pointee.mode.load(ordering: .relaxed) == .registration, let service = make(cell, type)
        {
            return service
        }
        if let service = cachedValue(type, name) { return service }
        // A loop, because another thread may remove or restore the registration between the check and the resolution.
        while isRegistered(type, name: name) {
            do throws(ContainerError) {
                return try resolve(type, name: name)
            } catch {
                guard case .missing(let path, _) = error, isOwn(path.dropFirst(ThreadSlot.path.count), type) else {
                    error.stop()
                }
            }
        }
        return nil
    }

    /// Returns whether a path contains a type and none of its dependencies.
    private func isOwn(_ path: ArraySlice<ResolutionStep>, _ type: Any.Type) -> Bool {
        let wrapped = (type as? any OptionalService.Type)?.wrappedType
        return path.allSatisfy { $0.id.type == type || $0.id.type == wrapped }
    }

    /// Returns the service registered for a type, or throws an error that describes the problem.
    ///
    /// - Parameters:
    ///   - type: The type that the service is registered for. By default, it's inferred from the context.
    ///   - name: The name that the service is registered with.
    /// - Returns: The service.
    /// - Throws: `ContainerError`: `missing` if nothing is registered for the type, or for a service that a throwing
    ///   factory requires in turn; `cyclic` if the service depends on itself; `failed` with the error that its factory
    ///   threw. A factory that uses `get` traps instead.
    public func require<Service>(
        _ type: Service.Type = Service.self, name: String? = nil
    ) throws(ContainerError) -> Service {
        if let service = cachedValue(type, name) { return service }
        return try resolve(type, name: name)
    }

    /// Returns whether a service is registered for a type, in this container or a parent.
    ///
    /// - Parameters:
    ///   - type: The type of the service.
    ///   - name: The name that the service is registered with.
    /// - Returns: True if it's registered, even if it was never created.
    public func isRegistered(_ type: Any.Type, name: String? = nil) -> Bool {
        if find(type, name: name) != nil { return true }
        guard let optional = type as? any OptionalService.Type else { return false }
        return isRegistered(optional.wrappedType, name: name)
    }

    // MARK: - Resolution

    /// Returns what `parentsValue` finds, if this container doesn't register the type itself.
    @inlinable
    @inline(__always)
    func inheritedValue<Service>(_ type: Service.Type, own: UnsafeMutablePointer<Cell>?) -> Service? {
        guard fixedParent != nil || store.followed.load(ordering: .relaxed) != nil,
            own?.pointee.isRegistered != true, !store.watchesInherited.load(ordering: .relaxed)
        else { return nil }
        return parentsValue(type)
    }

    /// Returns the service from the nearest parent that registers the type, if it's cached there or can be created on
    /// the fast path.
    @inlinable
    func parentsValue<Service>(_ type: Service.Type) -> Service? {
        let stripes = store.stripes
        if stripes.isRecordingCaller { return nil }
        // A single stripe for the whole walk: it keeps followed containers alive as well as the instance that is
        // copied, so nothing is retained on the way (decision 0005).
        let stripe = stripes.enter()
        var next = unretainedParent
        while let parent = next {
            let (step, cell) = parent._withUnsafeGuaranteedRef { $0.step(type) }
            switch step {
            case .kept(let service):
                stripes.leave(stripe)
                return service
            case .make:
                // `step` returns `.make` only together with a cell.
                let cell = cell.unsafelyUnwrapped
                let factory = cell.directFactory(of: type)
                // Retain the container and leave the stripe before running a factory: user code that reads or registers
                // under a stripe would deadlock.
                let holder = parent.takeUnretainedValue()
                stripes.leave(stripe)
                return withExtendedLifetime(holder) { factory.map { holder.run($0, cell) } }
            case .notRegisteredHere:
                next = parent._withUnsafeGuaranteedRef { $0.unretainedParent }
            case .end:
                next = nil
            }
        }
        stripes.leave(stripe)
        return nil
    }

    /// The result of looking up a service in one of a child's parents.
    @usableFromInline
    enum Step<Service> {
        case kept(Service)
        /// The registration needs only its factory to create the service.
        case make
        /// This container doesn't register the type.
        case notRegisteredHere
        /// The service has to be resolved on the slow path.
        case end
    }

    @inlinable
    @inline(__always)
    func step<Service>(_ type: Service.Type) -> (Step<Service>, UnsafeMutablePointer<Cell>?) {
        let cell = store.cell(Probe(type).type, 0)
        if let cell {
            if let service = cell.source?.publishedValue(as: type) { return (.kept(service), cell) }
            if cell.pointee.mode.load(ordering: .relaxed) == .registration { return (.make, cell) }
            if cell.pointee.isRegistered { return (.end, cell) }
        }
        return (store.watchesInherited.load(ordering: .relaxed) ? .end : .notRegisteredHere, cell)
    }

    /// The parent, unretained. The caller must hold this container and a stripe.
    @inlinable
    @inline(__always)
    var unretainedParent: Unmanaged<Container>? {
        if let fixedParent { return .passUnretained(fixedParent) }
        return store.followed.load(ordering: .acquiring).map { .fromOpaque($0) }
    }

    /// The cached instance of the nearest registration, read without the store's lock.
    func cachedValue<Service>(_ type: Service.Type, _ name: String?) -> Service? {
        let probe = Probe(type, name: name)
        var next: Container? = self
        while let container = next {
            if let cell = container.store.cell(probe) {
                if let service = cell.cachedValue(as: type) { return service }
                if cell.pointee.isRegistered { return nil }
            }
            if container.store.watchesInherited.load(ordering: .relaxed) { return nil }
            next = container.parent
        }
        return nil
    }

    /// Creates an instance from a registration that needs only its factory; nil if it needs more.
    @inlinable
    @inline(__always)
    func make<Service>(_ cell: UnsafeMutablePointer<Cell>, _ type: Service.Type) -> Service? {
        let stripe = cell.pointee.stripes.enter()
        let factory = cell.directFactory(of: type)
        cell.pointee.stripes.leave(stripe)
        // A registration that needs more, such as a child container, takes the slow path.
        guard let factory else { return nil }
        return run(factory, cell)
    }

    /// Runs a factory of this container with a frame for its key, by which cycles are detected.
    @inlinable
    @inline(__always)
    func run<Service>(_ factory: TypedFactory<Service>, _ cell: UnsafeMutablePointer<Cell>) -> Service {
        var frame = Frame(cell)
        return withUnsafeMutablePointer(to: &frame) { frame in
            let slot = ThreadFrames.push(frame)
            do {
                let service = try factory(self)
                ThreadFrames.pop(frame, slot)
                return service
            } catch {
                Self.stop(error)
            }
        }
    }

    /// Traps with the error that a factory threw.
    @usableFromInline
    static func stop(_ error: any Error) -> Never {
        (error as? ContainerError ?? .failed(path: ThreadSlot.path, underlying: error)).stop()
    }

    @usableFromInline
    func resolveOrStop<Service>(_ type: Service.Type, name: String?) -> Service {
        if let service = cachedValue(type, name) { return service }
        do throws(ContainerError) {
            return try resolve(type, name: name)
        } catch {
            error.stop()
        }
    }

    /// The nearest container that registers a type, and the entry of the registration.
    func find(_ type: Any.Type, name: String?) -> (holder: Container, entry: Entry)? {
        let probe = Probe(type, name: name)
        var next: Container? = self
        while let container = next {
            if let entry = container.store.cell(probe)?.pointee.entry, entry.isRegistered { return (container, entry) }
            next = container.parent
        }
        return nil
    }

    /// Calls `autoRegister` of this container and its parents, where it's due.
    func prepare() throws(ContainerError) {
        try store.prepare(self)
        try parent?.prepare()
    }

    func resolve<Service>(_ type: Service.Type, name: String?) throws(ContainerError) -> Service {
        try prepare()
        guard let (holder, entry) = find(type, name: name) else {
            if let optional = type as? any OptionalService.Type,
                let service = try optional.resolve(from: self, name: name) as? Service
            {
                return service
            }
            if let end = store.read({ store.end }) {
                throw .expired(
                    path: ThreadSlot.path + [ResolutionStep(id: ServiceID(type, name: name), site: nil)], end: end)
            }
            throw missing(ServiceID(type, name: name))
        }
        let watching = try checkInherited(entry, of: holder)
        return try holder.store.resolve(
            entry, holder: entry, owner: "Container", watching: watching,
            overruled: entry.store.read { entry.state.registration }
        ) {
            // Read here rather than before the wait, because the service may be registered again in the meantime.
            guard let registration = entry.current else { throw self.missing(entry.id) }
            // Safe, because the type is part of the entry's key.
            return try unsafeDowncast(registration, to: TypedRegistration<Service>.self).make(for: holder)
        }
    }

    /// Throws if a container between this one and `holder` was shut down, and reports a live service if such a
    /// container is strict. Returns the observations of these containers.
    func checkInherited(_ entry: Entry, of holder: Container) throws(ContainerError) -> [Observation] {
        var watching: [Observation] = []
        var next: Container? = self
        while let container = next, container !== holder {
            let (end, observation) = container.store.read { (container.store.end, container.store.observation) }
            if let end { throw .expired(path: ThreadSlot.path + [ResolutionStep(entry)], end: end) }
            if let strict = observation.strict { holder.store.check(entry, strict) }
            if observation.isOn || observation.overruled != nil { watching.append(observation) }
            next = container.parent
        }
        return watching
    }

    /// The error for a key that isn't registered.
    func missing(_ id: ServiceID) -> ContainerError {
        .missing(
            path: ThreadSlot.path + [ResolutionStep(id: id, site: nil)],
            nearest: nearest(to: id, among: registrations.map(\.id)))
    }
}
