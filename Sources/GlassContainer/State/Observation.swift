import GlassBase

/// What a container does beyond resolving, for all its keys. While any of it is on, no read takes a shortcut.
struct Observation {
    var isTracing = false
    var log = TraceLog { print($0) }
    var decorator: ((Any) -> Void)?
    var isCountingHits = false
    var strict: Strict?

    /// Resolutions that have to be mocked from now on.
    final class Strict: Sendable {
        let allowed: Set<ObjectIdentifier>
        /// The store that is strict, whose registrations up to `liveOrder` are live. Those of its parents all are.
        let origin: ObjectIdentifier
        let liveOrder: Int
        let report: @Sendable (LiveDependency) -> Void
        private let reported = Lock<Set<ServiceID>>([])

        init(
            allowed: Set<ObjectIdentifier>, origin: ObjectIdentifier, liveOrder: Int,
            report: @escaping @Sendable (LiveDependency) -> Void
        ) {
            self.allowed = allowed
            self.origin = origin
            self.liveOrder = liveOrder
            self.report = report
        }

        /// Whether the service was not reported before.
        func isNew(_ id: ServiceID) -> Bool {
            reported.withLock { $0.insert(id).inserted }
        }
    }

    /// This container's, with what its children do as well: each decorator sees the instance, and one logger gets the line.
    func joined(with children: [Observation]) -> Observation {
        var result = self
        for child in children {
            if !result.isTracing, child.isTracing {
                result.isTracing = true
                result.log = child.log
            }
            guard let decorator = child.decorator else { continue }
            let others = result.decorator
            result.decorator = { service in
                others?(service)
                decorator(service)
            }
        }
        return result
    }

    var isOn: Bool { isTracing || decorator != nil || isCountingHits || strict != nil }
}

/// A service that strict mode found to come from its own factory instead of a mock's.
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
    var singletons: [Singletons]
    /// When it was saved, in seconds of the clock of every singleton scope.
    let time = Store.uptime()

    /// What one scope of singletons keeps.
    struct Singletons {
        let store: Store
        let states: [ObjectIdentifier: Entry.State]
    }
}
