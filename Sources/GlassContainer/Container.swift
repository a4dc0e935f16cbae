import Synchronization

/// Creates, keeps and hands out services, found by their type (Glass style) or by a property (Factory style).
///
/// ```swift
/// let container = Container()
/// container.register((any Greeting).self) { _ in EnglishGreeting() }
/// let greeting: any Greeting = container.get()
/// ```
///
/// A service that is registered by type is created on first use and then kept: one instance, however many threads ask.
/// Reading a kept service takes no lock and allocates nothing. When the container goes, so does what it keeps.
public final class Container: Sendable {
    let store: Store
    /// The container whose registrations this one sees as well.
    public let parent: Container?

    /// The container for code that is not handed one; bind another with `Container.$shared.withValue`.
    @TaskLocal public static var shared = Container()

    /// Makes a container in which nothing is registered.
    public convenience init() {
        self.init(family: Family(), parent: nil)
    }

    /// Makes a container that sees everything its parent sees, and keeps to itself what it registers.
    ///
    /// A service that the parent registered is made by the parent, for the parent, and shared with it: registering
    /// something else here changes what this container makes, not what the parent made.
    /// - Parameter parent: the container to look in for what is not registered here. It lives as long as this one.
    public convenience init(parent: Container) {
        self.init(family: parent.store.family, parent: parent)
    }

    private init(family: Family, parent: Container?) {
        store = Store(family: family)
        self.parent = parent
    }

    // MARK: - Reading

    /// The service registered for a type; what is not registered stops the program.
    ///
    /// Takes no lock and allocates nothing when the service is kept already. Stops with the path and the nearest registered
    /// names when nothing is registered, with the path when the service needs itself, and with the error when its factory
    /// throws; `require` throws instead, and `getIfRegistered` knows nil.
    /// - Parameters:
    ///   - type: the type it is registered for; inferred from what the result is assigned to.
    ///   - name: the name it is registered with.
    /// - Returns: the service.
    public func get<Service>(_ type: Service.Type = Service.self, name: String? = nil) -> Service {
        if !isRecording {
            let stripe = store.family.enter()
            if let value = keptValue(Probe(type, name: name)) {
                let service = value.assumingMemoryBound(to: Service.self).pointee
                store.family.leave(stripe)
                return service
            }
            store.family.leave(stripe)
        }
        do {
            return try resolve(type, name: name)
        } catch {
            error.stop()
        }
    }

    /// The service registered for a type, where an optional is wanted: `let x: P? = container.get()` means `P`.
    ///
    /// - Parameter name: the name it is registered with.
    /// - Returns: the service, never nil: what is not registered stops the program, as with the other `get`.
    public func get<Service>(name: String? = nil) -> Service? {
        get(Service.self, name: name)
    }

    /// The service registered for a type, or nil if there is none.
    ///
    /// Only the service itself may be missing: what its factory does not find stops the program, as with `get`.
    /// - Parameters:
    ///   - type: the type it is registered for; inferred from what the result is assigned to.
    ///   - name: the name it is registered with.
    /// - Returns: the service, or nil.
    public func getIfRegistered<Service>(_ type: Service.Type = Service.self, name: String? = nil) -> Service? {
        isRegistered(type, name: name) ? get(type, name: name) : nil
    }

    /// The service registered for a type, or an error that says what is wrong.
    ///
    /// - Parameters:
    ///   - type: the type it is registered for; inferred from what the result is assigned to.
    ///   - name: the name it is registered with.
    /// - Returns: the service.
    /// - Throws: `ContainerError`: `missing` when nothing is registered for the type or for what a throwing factory
    ///   requires in turn, `cyclic` when the service needs itself, `failed` with the error that the factory threw.
    ///   A factory that uses `get` stops the program instead.
    public func require<Service>(
        _ type: Service.Type = Service.self, name: String? = nil
    ) throws(ContainerError) -> Service {
        if !isRecording, let cell = store.cell(Probe(type, name: name)), let service = store.value(cell, as: type) {
            return service
        }
        return try resolve(type, name: name)
    }

    /// Whether a service is registered for a type, here or in a parent.
    ///
    /// - Parameters:
    ///   - type: the type of the service.
    ///   - name: its name.
    /// - Returns: true even if the service was never made.
    public func isRegistered(_ type: Any.Type, name: String? = nil) -> Bool {
        if find(type, name: name) != nil { return true }
        guard let optional = type as? any OptionalService.Type else { return false }
        return isRegistered(optional.wrappedType, name: name)
    }

    // MARK: - Resolution

    /// Whether the calling thread runs a factory whose dependencies are being recorded.
    @inline(__always)
    var isRecording: Bool {
        store.family.recordingBuilds.load(ordering: .relaxed) != 0 && BuildContext.existing?.frames.isEmpty == false
    }

    /// The kept instance, if the nearest registration has one. Between `enter` and `leave`.
    @inline(__always)
    private func keptValue(_ probe: borrowing Probe) -> UnsafeMutableRawPointer? {
        if let cell = store.cell(probe) {
            if let value = cell.pointee.value.load(ordering: .sequentiallyConsistent) { return value }
            if cell.pointee.registration.load(ordering: .relaxed) != nil { return nil }
        }
        return parent?.keptValueAbove(probe)
    }

    private func keptValueAbove(_ probe: borrowing Probe) -> UnsafeMutableRawPointer? {
        keptValue(probe)
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

    func resolve<Service>(_ type: Service.Type, name: String?) throws(ContainerError) -> Service {
        guard let (holder, entry) = find(type, name: name) else {
            if let optional = type as? any OptionalService.Type,
                let service = try optional.resolve(from: self, name: name) as? Service
            {
                return service
            }
            throw missing(ServiceID(type, name: name))
        }
        return try holder.resolve(entry, type)
    }

    /// Resolves what this very container registered.
    private func resolve<Service>(_ entry: Entry, _ type: Service.Type) throws(ContainerError) -> Service {
        guard let registration = store.registration(entry.cell) else { throw missing(entry.id) }
        // Another registration may come while this one waits its turn; the one in force is run.
        func make() throws -> Service {
            guard let registration = store.registration(entry.cell) else { throw missing(entry.id) }
            return try unsafeDowncast(registration, to: TypedRegistration<Service>.self).make(for: self)
        }
        switch registration.scope?.lifetime ?? .container {
        case .unique:
            return try store.new(entry, site: registration.site, make)
        case .container:
            return try store.kept(entry, holder: entry, site: registration.site, make)
        case .process:
            let singletons = Scope.singleton.store
            let kept = singletons.entry(type: type, name: entry.id.name)
            if !isRecording, let service = singletons.value(kept.cell, as: type) { return service }
            return try singletons.kept(kept, holder: entry, site: registration.site, make)
        }
    }

    /// The error for a key that nobody registered.
    func missing(_ id: ServiceID) -> ContainerError {
        let path = BuildContext.existing?.path ?? []
        return .missing(
            path: path + [ResolutionStep(id: id, site: nil)],
            nearest: nearest(to: id, among: registrations.map(\.id)))
    }
}

/// Optional, when it stands where a service type should: in generic code that asks for `P?`.
private protocol OptionalService {
    static var wrappedType: Any.Type { get }
    static func resolve(from container: Container, name: String?) throws(ContainerError) -> Self
}

extension Optional: OptionalService {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }

    fileprivate static func resolve(from container: Container, name: String?) throws(ContainerError) -> Self {
        try container.resolve(Wrapped.self, name: name)
    }
}
