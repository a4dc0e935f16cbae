import GlassBase

/// What a container does in addition to resolving, for all of its keys. While any of it is on, reads don't use the fast
/// path.
struct Observation {
    var isTracing = false
    var log = TraceLog { print($0) }
    var decorator: ((Any) -> Void)?
    var isCountingHits = false
    var strict: Strict?
    /// The receiver of reports about registrations that have no effect, and about factories that run outside their
    /// actor. Reads can still use the fast path, because a key with a context or an actor never does.
    var overruled: Strict?

    /// Strict mode: resolutions that have to be mocked.
    final class Strict: Sendable {
        let allowed: Set<ObjectIdentifier>
        /// The strict store, whose registrations up to `liveOrder` are live. All registrations of its parents are.
        let origin: ObjectIdentifier
        let liveOrder: Int
        let report: @Sendable (LiveDependency) -> Void
        private let reported = Lock<Set<ServiceID>>([])
        private let reportedOverruled = Lock<Set<LiveDependency>>([])

        init(
            allowed: Set<ObjectIdentifier>, origin: ObjectIdentifier, liveOrder: Int,
            report: @escaping @Sendable (LiveDependency) -> Void
        ) {
            self.allowed = allowed
            self.origin = origin
            self.liveOrder = liveOrder
            self.report = report
        }

        /// Returns whether the service wasn't reported before, and marks it as reported.
        func isNew(_ id: ServiceID) -> Bool {
            reported.withLock { $0.insert(id).inserted }
        }

        /// Reports, once, a registration that has no effect, or a factory that runs outside its actor.
        func report(overruled: LiveDependency) {
            if reportedOverruled.withLock({ $0.insert(overruled).inserted }) { report(overruled) }
        }

        /// Reports a registration that has no effect because a context of its property takes precedence, unless the app
        /// itself made it.
        func check(_ entry: Entry, _ options: EntryOptions, _ registration: Registration?) {
            guard let registration, let current = options.registration(in: .current) else { return }
            let isMeant =
                registration.isOverride
                || entry.origin == origin && entry.store.read { entry.state.order } > liveOrder
            guard isMeant else { return }
            report(
                overruled: LiveDependency(
                    id: entry.id, site: current.registration.site, overruled: registration.site,
                    reason: .contextComesFirst(current.modifier)))
        }
    }

    /// This container's observation, combined with those of its children: each decorator is passed the instance, and
    /// one logger gets the line.
    func joined(with children: [Observation]) -> Observation {
        var result = self
        for child in children {
            if !result.isTracing, child.isTracing {
                result.isTracing = true
                result.log = child.log
            }
            if result.overruled == nil { result.overruled = child.overruled }
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

/// A service that strict mode found to be created by its own factory, or by a context's, instead of a mock's, or by a
/// factory that runs outside its actor.
public struct LiveDependency: Sendable, Hashable, CustomStringConvertible {
    /// The reason why the mock didn't create it.
    enum Reason: Hashable {
        case notMocked
        /// A context takes precedence over the registration.
        case contextComesFirst(String)
        /// The property registers for the same context each time it's read.
        case replaced(String)
        /// It may be the mock, but it's isolated to an actor and runs outside it; the text says which.
        case misplaced(String)
    }

    /// The key of the service.
    public let id: ServiceID
    /// The position of the factory that creates it.
    public let site: RegistrationSite?
    /// The position of the mock that's registered but has no effect; nil if there is none.
    public let overruled: RegistrationSite?
    let reason: Reason

    init(id: ServiceID, site: RegistrationSite?, overruled: RegistrationSite? = nil, reason: Reason = .notMocked) {
        self.id = id
        self.site = site
        self.overruled = overruled
        self.reason = reason
    }

    /// Whether the factory runs outside its actor.
    package var isMisplaced: Bool {
        if case .misplaced = reason { true } else { false }
    }

    /// A description of what happened and how to fix it.
    public var description: String {
        func at(_ site: RegistrationSite?) -> String { site.map { " at \($0)" } ?? "" }
        switch reason {
        case .notMocked:
            return
                "\(id) is live\(site.map { " (\($0))" } ?? ""), but this container is strict\n  hint: register a mock "
                + "for it, or allow it with strict(allowing: [\(id.source)])"
        case .contextComesFirst(let modifier):
            let isBeforeTest = modifier == "onPreview" || modifier == "onTest" || modifier.hasPrefix("onArg")
            return
                "the registration for \(id)\(at(overruled)) has no effect: its \(modifier)\(at(site)) takes precedence\n"
                + "  hint: " + (isBeforeTest ? "" : "register the mock with onTest, which precedes \(modifier), or ")
                + "end the property with once() and register the mock with \(modifier)"
        case .replaced(let modifier):
            return "the \(modifier) of \(id)\(at(overruled)) has no effect: the property's own \(modifier)"
                + "\(at(site)) replaces it each time the property is read\n  hint: end the property with once()"
        case .misplaced(let text):
            return text
        }
    }
}

/// The state that `push` saves.
struct Snapshot {
    var states: [ObjectIdentifier: Entry.State] = [:]
    var decorator: ((Any) -> Void)?
    var defaultScope: Scope?
    var isUnprepared = false
    var singletons: [Singletons]
    /// The time when it was saved, in seconds of the clock that all singleton scopes use.
    let time = Store.uptime()

    /// The state of one singleton scope.
    struct Singletons {
        let store: Store
        let states: [ObjectIdentifier: Entry.State]
    }
}
