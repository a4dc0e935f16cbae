import GlassBase

/// What a container does beyond resolving, for all its keys. While any of it is on, no read takes a shortcut.
struct Observation {
    var isTracing = false
    var log = TraceLog { print($0) }
    var decorator: ((Any) -> Void)?
    var isCountingHits = false
    var strict: Strict?
    /// Who hears of what is registered in vain. It costs no read its shortcut: a key with a context has none.
    var overruled: Strict?

    /// Resolutions that have to be mocked from now on.
    final class Strict: Sendable {
        let allowed: Set<ObjectIdentifier>
        /// The store that is strict, whose registrations up to `liveOrder` are live. Those of its parents all are.
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

        /// Whether the service was not reported before.
        func isNew(_ id: ServiceID) -> Bool {
            reported.withLock { $0.insert(id).inserted }
        }

        /// Reports, once, what is registered and has no effect.
        func report(overruled: LiveDependency) {
            if reportedOverruled.withLock({ $0.insert(overruled).inserted }) { report(overruled) }
        }

        /// Reports a registration that a context of its property comes before, unless it is what the app itself registered.
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

    /// This container's, with what its children do as well: each decorator sees the instance, and one logger gets the line.
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

/// A service that strict mode found to come from its own factory, or from a context's, instead of a mock's.
public struct LiveDependency: Sendable, Hashable, CustomStringConvertible {
    /// Why it does not come from the mock.
    enum Reason: Hashable {
        case notMocked
        /// A context is asked before what is registered.
        case contextComesFirst(String)
        /// The property registers for the same context each time it is read.
        case replaced(String)
    }

    /// The key of the service.
    public let id: ServiceID
    /// Where the factory stands that it comes from.
    public let site: RegistrationSite?
    /// Where the mock stands that is registered and has no effect; nil if there is none.
    public let overruled: RegistrationSite?
    let reason: Reason

    init(id: ServiceID, site: RegistrationSite?, overruled: RegistrationSite? = nil, reason: Reason = .notMocked) {
        self.id = id
        self.site = site
        self.overruled = overruled
        self.reason = reason
    }

    /// What happened and what to do.
    public var description: String {
        func at(_ site: RegistrationSite?) -> String { site.map { " at \($0)" } ?? "" }
        switch reason {
        case .notMocked:
            return
                "\(id) is live\(site.map { " (\($0))" } ?? ""), and this container is strict\n  hint: register a mock "
                + "for it, or allow it with strict(allowing: [\(id.source)])"
        case .contextComesFirst(let modifier):
            let isBeforeTest = modifier == "onPreview" || modifier == "onTest" || modifier.hasPrefix("onArg")
            return
                "what is registered for \(id)\(at(overruled)) has no effect: its \(modifier)\(at(site)) comes first\n"
                + "  hint: " + (isBeforeTest ? "" : "give the mock to onTest, which comes before \(modifier), or ")
                + "end the property with once() and give the mock to \(modifier)"
        case .replaced(let modifier):
            return "what \(modifier) registered for \(id)\(at(overruled)) has no effect: the property's own \(modifier)"
                + "\(at(site)) replaces it each time the property is read\n  hint: end the property with once()"
        }
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
