/// What a container knows about one service, as a value.
public struct RegistrationInfo: Sendable, Hashable {
    /// The key of the service.
    public let id: ServiceID
    /// The name of the scope: `unique`, `cached`, `shared`, `graph` or `singleton`.
    public let scope: String
    /// Where the registration in force stands.
    public let site: RegistrationSite
    /// The keys that the registration says its factory resolves; nil if it says nothing.
    public let requires: [ServiceID]?
    /// The keys that the factory resolved when it last ran; empty if it never did.
    public let dependencies: [ServiceID]
    /// Whether the factory gets a child container of its own.
    package let isProvidingChild: Bool
    /// Whether the registration stands in for another, through `Factory.register`.
    package let isOverride: Bool
    /// Whether an instance is kept right now.
    package let isResolved: Bool
    /// Whether the registration is a parent's.
    package let isInherited: Bool

    let lifespan: Lifespan
    /// The stores that hold `dependencies`, one for each.
    let origins: [ObjectIdentifier]

    /// The type's name without `any` and module.
    public var displayName: String { id.displayName }
    /// The file of the registration, as `Module/File.swift`.
    package var file: String { site.file }
    /// The line of the registration.
    package var line: Int { site.line }
}

/// One service that resolved another while it was built.
public struct RecordedEdge: Sendable, Hashable, CustomStringConvertible {
    /// The service that was built.
    public let from: ServiceID
    /// The service that its factory resolved.
    public let to: ServiceID

    /// The edge as `Analytics → Networking`.
    public var description: String { "\(from) → \(to)" }
}

extension Container {
    /// What is registered here and in the parents, in the order of registration, this container's first.
    ///
    /// A property is listed once it was read. A parent's registration that this container overrides is
    /// not listed. Complexity: O(*n*) for *n* services; makes nothing.
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

    /// Which services resolved which while they were built, for every service in `registrations` that was built.
    ///
    /// A kept service is recorded each time it is built, one that is not kept the first time after it was registered.
    public var recordedEdges: [RecordedEdge] {
        registrations.flatMap { info in info.dependencies.map { RecordedEdge(from: info.id, to: $0) } }
    }

    func ownRegistrations(isInherited: Bool) -> [RegistrationInfo] {
        manager.registrations(isInherited: isInherited)
    }
}

extension ContainerManager {
    /// What this container alone knows, in the order of first use.
    func registrations(isInherited: Bool) -> [RegistrationInfo] {
        // The scope's task-local and its lock are taken before the store's, never inside it.
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
