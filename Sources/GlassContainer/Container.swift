// Public because the inlined read path uses atomics.
public import Synchronization

/// Creates, keeps and hands out services, found by their type (Glass style) or by a property (Factory style).
///
/// ```swift
/// let container = Container()
/// container.register((any Greeting).self) { _ in EnglishGreeting() }
/// let greeting: any Greeting = container.get()
/// ```
///
/// A service that is registered by type is created on first use and then kept: one instance, however many threads ask.
/// Reading a kept service waits for no build and allocates nothing. When the container goes, so does what it keeps.
public final class Container: SharedContainer {
    @usableFromInline let store: Store
    /// Keeps the registrations and instances of this container.
    public let manager: ContainerManager
    /// The container that this one was made with as a child.
    @usableFromInline let fixedParent: Container?

    /// The container whose registrations this one sees as well: for a child the one it was made with, for others the one
    /// they follow now.
    public var parent: Container? { fixedParent ?? store.followedContainer }

    /// The container for code that is not handed one; bind another with `Container.$shared.withValue`.
    ///
    /// Where nobody bound one, it is the process's own, which sees everything that the market in use registered.
    @TaskLocal public static var shared = root
    /// What `shared` is where nobody bound another.
    package static let root = Container()

    /// Makes a container in which nothing is registered.
    public convenience init() {
        self.init(ofParent: nil)
    }

    /// Makes a container that sees everything its parent sees, and keeps to itself what it registers.
    ///
    /// A service that the parent registered is made by the parent, for the parent, and shared with it: registering
    /// something else here changes what this container makes, not what the parent made.
    /// - Parameter parent: The container to look in for what is not registered here. It lives as long as this one.
    public convenience init(parent: Container) {
        self.init(ofParent: parent)
    }

    private init(ofParent parent: Container?) {
        store = Store(parent: parent?.store, hasPreparation: parent == nil)
        manager = ContainerManager(store)
        fixedParent = parent
    }

    deinit {
        store.runRelease()
    }

    // MARK: - Reading

    /// The service registered for a type; what is not registered stops the program.
    ///
    /// Waits for no build and allocates nothing when the service is kept already. Stops with the path and the nearest registered
    /// names when nothing is registered, with the path when the service needs itself, and with the error when its factory
    /// throws; `require` throws instead, and `getIfRegistered` knows nil.
    /// - Parameters:
    ///   - type: The type it is registered for; inferred from what the result is assigned to.
    ///   - name: The name it is registered with.
    /// - Returns: The service.
    @inlinable
    public func get<Service>(_ type: Service.Type = Service.self, name: String? = nil) -> Service {
        // The container keeps the cell.
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

    /// The service registered for a type, where an optional is wanted: `let x: P? = container.get()` means `P`.
    ///
    /// - Parameter name: The name it is registered with.
    /// - Returns: The service, never nil: what is not registered stops the program, as with the other `get`.
    public func get<Service>(name: String? = nil) -> Service? {
        get(Service.self, name: name)
    }

    /// The service registered for a type, or nil if there is none.
    ///
    /// Only the service itself may be missing: what its factory does not find stops the program, as with `get`.
    /// - Parameters:
    ///   - type: The type it is registered for; inferred from what the result is assigned to.
    ///   - name: The name it is registered with.
    /// - Returns: The service, or nil.
    public func getIfRegistered<Service>(_ type: Service.Type = Service.self, name: String? = nil) -> Service? {
        if name == nil, let cell = store.cell(Probe(type).type, 0),
            cell.pointee.mode.load(ordering: .relaxed) == .registration, let service = make(cell, type)
        {
            return service
        }
        if let service = cachedValue(type, name) { return service }
        // Another thread may take the registration away, or bring it back, between asking for it and resolving it.
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

    /// Whether a path names a type and nothing that it requires.
    private func isOwn(_ path: ArraySlice<ResolutionStep>, _ type: Any.Type) -> Bool {
        let wrapped = (type as? any OptionalService.Type)?.wrappedType
        return path.allSatisfy { $0.id.type == type || $0.id.type == wrapped }
    }

    /// The service registered for a type, or an error that says what is wrong.
    ///
    /// - Parameters:
    ///   - type: The type it is registered for; inferred from what the result is assigned to.
    ///   - name: The name it is registered with.
    /// - Returns: The service.
    /// - Throws: `ContainerError`: `missing` when nothing is registered for the type or for what a throwing factory
    ///   requires in turn, `cyclic` when the service needs itself, `failed` with the error that the factory threw.
    ///   A factory that uses `get` stops the program instead.
    public func require<Service>(
        _ type: Service.Type = Service.self, name: String? = nil
    ) throws(ContainerError) -> Service {
        if let service = cachedValue(type, name) { return service }
        return try resolve(type, name: name)
    }

    /// Whether a service is registered for a type, here or in a parent.
    ///
    /// - Parameters:
    ///   - type: The type of the service.
    ///   - name: Its name.
    /// - Returns: True even if the service was never made.
    public func isRegistered(_ type: Any.Type, name: String? = nil) -> Bool {
        if find(type, name: name) != nil { return true }
        guard let optional = type as? any OptionalService.Type else { return false }
        return isRegistered(optional.wrappedType, name: name)
    }

    // MARK: - Resolution

    /// What a child finds kept by its parents, where it has no registration of its own.
    @inlinable
    @inline(__always)
    func inheritedValue<Service>(_ type: Service.Type, own: UnsafeMutablePointer<Cell>?) -> Service? {
        guard fixedParent != nil || store.followed.load(ordering: .relaxed) != nil,
            own?.pointee.isRegistered != true, !store.watchesInherited.load(ordering: .relaxed)
        else { return nil }
        return parentsValue(type)
    }

    /// What the nearest parent that registered a type keeps, or makes without being asked the long way.
    @inlinable
    func parentsValue<Service>(_ type: Service.Type) -> Service? {
        let stripes = store.stripes
        if stripes.isRecordingCaller { return nil }
        // One stripe for all the way: it keeps a container that is followed as it keeps what is copied, so nothing is
        // retained in between.
        let stripe = stripes.enter()
        var next = unretainedParent
        while let parent = next {
            let (step, cell) = parent._withUnsafeGuaranteedRef { $0.step(type) }
            switch step {
            case .kept(let service):
                stripes.leave(stripe)
                return service
            case .make:
                // The cell is there, or it would have no mode.
                let cell = cell.unsafelyUnwrapped
                let factory = cell.directFactory(of: type)
                // Who runs a factory must hold the container itself: nobody holds a stripe while somebody else's code runs.
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

    /// What a child that looks for a service finds in one of its parents.
    @usableFromInline
    enum Step<Service> {
        case kept(Service)
        /// The registration needs nothing but its factory.
        case make
        /// Nothing is registered here.
        case notRegisteredHere
        /// The service must be asked for the long way.
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

    /// The parent, for who holds this container and a stripe.
    @inlinable
    @inline(__always)
    var unretainedParent: Unmanaged<Container>? {
        if let fixedParent { return .passUnretained(fixedParent) }
        return store.followed.load(ordering: .acquiring).map { .fromOpaque($0) }
    }

    /// The kept instance of the nearest registration, without the store's lock.
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

    /// A new instance of a registration that needs nothing but its factory.
    @inlinable
    @inline(__always)
    func make<Service>(_ cell: UnsafeMutablePointer<Cell>, _ type: Service.Type) -> Service? {
        let stripe = cell.pointee.stripes.enter()
        let factory = cell.directFactory(of: type)
        cell.pointee.stripes.leave(stripe)
        // A registration that gives a child is made the long way.
        guard let factory else { return nil }
        return run(factory, cell)
    }

    /// Runs a factory of this container with a frame for its key.
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

    /// Ends the program with what a factory threw.
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

    /// The container that holds a type's registration, seen from here, with the registration's entry.
    func find(_ type: Any.Type, name: String?) -> (holder: Container, entry: Entry)? {
        let probe = Probe(type, name: name)
        var next: Container? = self
        while let container = next {
            if let entry = container.store.cell(probe)?.pointee.entry, entry.isRegistered { return (container, entry) }
            next = container.parent
        }
        return nil
    }

    /// Calls `autoRegister` of the outermost parent if that is due.
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
            // Another registration may come while this one waits its turn; the one in force is run.
            guard let registration = entry.current else { throw self.missing(entry.id) }
            // The frame of this very resolution is the last of the path.
            if registration.isAsynchronous { throw ContainerError.asynchronous(path: ThreadSlot.path) }
            return try unsafeDowncast(registration, to: TypedRegistration<Service>.self).make(for: holder)
        }
    }

    /// Refuses a service of a parent where a container between this one and the parent was shut down, and reports a live one
    /// where such a container is strict.
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

    /// The error for a key that nobody registered.
    func missing(_ id: ServiceID) -> ContainerError {
        .missing(
            path: ThreadSlot.path + [ResolutionStep(id: id, site: nil)],
            nearest: nearest(to: id, among: registrations.map(\.id)))
    }
}
