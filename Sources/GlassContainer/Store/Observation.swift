/// What a container does beyond resolving, for all its keys. While any of it is on, no read takes a shortcut.
struct Observation {
    var isTracing = false
    var logger: (String) -> Void = { print($0) }
    var decorator: ((Any) -> Void)?
    var isCountingHits = false
    var strict: Strict?

    /// Resolutions that have to be mocked from now on.
    struct Strict {
        let allowed: Set<ObjectIdentifier>
        /// Registrations up to this one are live.
        let liveOrder: Int
        let report: @Sendable (LiveDependency) -> Void
    }

    var isOn: Bool { isTracing || decorator != nil || isCountingHits || strict != nil }
}

/// A service that strict mode found to be made by its own factory instead of a mock's.
public struct LiveDependency: Sendable, Hashable, CustomStringConvertible {
    /// The key of the service.
    public let id: ServiceID
    /// Where its live factory stands.
    public let site: RegistrationSite?

    /// What happened and what to do.
    public var description: String {
        "\(id) is live\(site.map { " (\($0))" } ?? ""), and this container is strict\n  hint: register a mock for it, "
            + "or allow it with strict(allowing: [\(id.source)])"
    }
}

/// What `push` saves.
struct Snapshot {
    var states: [ObjectIdentifier: Entry.State] = [:]
    var decorator: ((Any) -> Void)?
    var defaultScope: Scope?
    var isUnprepared = false
    var singletons: [ObjectIdentifier: Entry.State] = [:]
    var singletonStore: Store?
}
