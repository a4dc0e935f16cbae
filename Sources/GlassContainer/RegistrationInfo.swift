/// A description of one service in a container.
public struct RegistrationInfo: Sendable, Hashable {
    /// The key of the service.
    public let id: ServiceID
    /// The name of the scope: `unique`, `cached`, `shared`, `graph` or `singleton`.
    public let scope: String
    /// The position of the current registration.
    public let site: RegistrationSite
    /// The keys that the registration declares as requirements of its factory; nil if they're undeclared.
    public let requires: [ServiceID]?
    /// The keys that the factory resolved when it last ran; empty if it hasn't run.
    public let dependencies: [ServiceID]
    /// Whether the factory is passed its own child container.
    package let isProvidingChild: Bool
    /// Whether the registration overrides another one, through `Factory.register`.
    package let isOverride: Bool
    /// Whether an instance is currently cached.
    package let isResolved: Bool
    /// Whether the registration belongs to a parent.
    package let isInherited: Bool

    let lifespan: Lifespan
    /// The stores that hold `dependencies`, in the same order.
    let origins: [ObjectIdentifier]

    /// The type's name, without `any` and without its module.
    public var displayName: String { id.displayName }
    /// The file of the registration, as `Module/File.swift`.
    package var file: String { site.file }
    /// The line of the registration.
    package var line: Int { site.line }
}

/// A recorded dependency: one service that resolved another while it was being built.
public struct RecordedEdge: Sendable, Hashable, CustomStringConvertible {
    /// The service that was built.
    public let from: ServiceID
    /// The service that its factory resolved.
    public let to: ServiceID

    /// The edge as `Analytics → Networking`.
    public var description: String { "\(from) → \(to)" }
}

extension Container {
    /// The registrations of this container and its parents, in order of registration, this container's first.
    ///
    /// A property is listed once it has been read. A parent's registration that this container overrides isn't listed.
    /// Complexity: O(*n*) for *n* services. Doesn't create any service.
    public var registrations: [RegistrationInfo] {
        var seen: Set<ServiceID> = []
        var result: [RegistrationInfo] = []
        var next: Container? = self
        while let container = next {
            result += container.ownRegistrations(isInherited: container !== self).filter { seen.insert($0.id).inserted }
            next = container.parent
        }
        return result
    }

    /// The dependencies that were recorded while services were built, for every service in `registrations` that was
    /// built.
    ///
    /// The dependencies of a cached service are recorded each time it's built; those of other services, only the first
    /// time after the registration.
    public var recordedEdges: [RecordedEdge] {
        registrations.flatMap { info in info.dependencies.map { RecordedEdge(from: info.id, to: $0) } }
    }

    func ownRegistrations(isInherited: Bool) -> [RegistrationInfo] {
        manager.registrations(isInherited: isInherited)
    }
}

extension ContainerManager {
    /// The registrations of this container without its parents', in order of first use.
    func registrations(isInherited: Bool) -> [RegistrationInfo] {
        // Read before this store's lock is taken, never under it: the locks of two stores must not be nested.
        let singletons = Scope.singleton.store
        let keptForProcess = Set(singletons.inspect { $0.state.kept.isEmpty ? nil : $0.id })
        return store.inspect { entry in
            guard let site = entry.site else { return nil }
            let registration = entry.state.registration
            let scope = entry.scope(default: store.defaultScope)
            return RegistrationInfo(
                id: entry.id, scope: scope.description, site: site, requires: registration?.requires,
                dependencies: entry.record.dependencies, isProvidingChild: registration?.isProvidingChild ?? false,
                isOverride: registration?.isOverride ?? false,
                isResolved: scope.lifetime == .process
                    ? keptForProcess.contains(entry.id) : !entry.state.kept.isEmpty,
                isInherited: isInherited,
                lifespan: Lifespan(scope: scope, timeToLive: entry.state.options.timeToLive),
                origins: entry.record.origins)
        }
    }
}
