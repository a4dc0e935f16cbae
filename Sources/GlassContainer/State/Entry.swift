import Synchronization

/// Everything a store knows about one key. An entry is made once for a key and stays until its store goes.
final class Entry: @unchecked Sendable {  // the `var`s are touched under the store's lock only
    // `cell` holds atomics, and the rest is constant.

    /// What is changed by `register`, modifiers and resolving, and saved by `push`.
    struct State {
        /// The registration in force, or nil.
        var registration: Registration?
        /// What `register` of the Glass style set, beneath an override.
        var base: Registration?
        /// Tells the order of registrations.
        var order = 0
        var options = EntryOptions()
        /// Each place that an earlier registration was replaced by, with the place it replaced.
        var duplicates: [(site: RegistrationSite, replaced: RegistrationSite)] = []
        /// The instances kept.
        var kept = ByParameter<CachedInstance>()
    }

    let id: ServiceID
    /// Tells a factory with parameters from one without, whose closures have another shape.
    let keyType: ObjectIdentifier
    /// The store that owns this entry.
    unowned(unsafe) let store: Store
    /// The identity of `store`, which may be compared when that is gone.
    let origin: ObjectIdentifier
    let cell: UnsafeMutablePointer<Cell>

    var state = State()
    /// Counts changes of the registration and resets, so that a build knows whether it is still wanted.
    var generation = 0
    /// The builds in progress whose results will be kept.
    var builds = ByParameter<Build>()
    /// The cell of the same key among the process's singletons, once it was resolved there.
    var singletonCell: UnsafeMutablePointer<Cell>?
    /// The asynchronous build in progress.
    var asyncBuild: AsyncBuild?
    /// Whether the key is a property whose factory is awaited.
    var isAsynchronous = false
    /// Where the definition of a property stands.
    var definition: RegistrationSite?
    /// Whether the definition's factory may run only on one actor, in debug builds. Set with `definition`, then constant.
    var isolation: FactoryIsolation?
    /// What was seen of the factory when it ran.
    var record = BuildRecord()

    init(id: ServiceID, keyType: ObjectIdentifier, store: Store) {
        self.id = id
        self.keyType = keyType
        self.store = store
        origin = ObjectIdentifier(store)
        cell = .allocate(capacity: 1)
        cell.initialize(to: Cell(entry: self))
    }

    deinit {
        // Entries go with their store, which readers keep alive: nobody is reading now.
        if let registration = cell.pointee.registration.exchange(nil, ordering: .acquiringAndReleasing) {
            Unmanaged<Registration>.fromOpaque(registration).release()
        }
        cell.deinitialize(count: 1)
        cell.deallocate()
    }

    /// Whether a registration is in force; may change at any time unless the store's lock is held.
    var isRegistered: Bool { cell.pointee.isRegistered }

    /// How long an instance lives that is made now. Under the store's lock.
    func scope(default defaultScope: Scope?) -> Scope {
        if let scope = state.registration?.scope ?? state.options.scope { return scope }
        if isAsynchronous { return .cached }
        let isFactoryStyle = id.property != nil || state.registration?.isFactoryStyle == true
        return isFactoryStyle ? defaultScope ?? .unique : .cached
    }

    /// The place to name in messages. Under the store's lock.
    var site: RegistrationSite? { state.registration?.site ?? definition }
}

/// What modifiers say about a key.
struct EntryOptions {
    var scope: Scope?
    var timeToLive: Double?
    var isScopedOnParameters = false
    var isOnce = false
    var contexts: [FactoryContextType.Plain: ContextRegistration] = [:]
    var arguments: [String: ContextRegistration] = [:]
    /// A `(Service, Bool) -> Void`.
    var decorator: Any?

    /// The registration for what the process is running in, if there is one.
    var current: Registration? { hasContexts ? registration(in: .current)?.registration : nil }

    var hasContexts: Bool { !contexts.isEmpty || !arguments.isEmpty }

    /// The registration for a context, if there is one, and the modifier that it comes from.
    func registration(in context: FactoryContext) -> (registration: Registration, modifier: String)? {
        if !arguments.isEmpty {
            let given = context.arguments + context.runtimeArguments.sorted { $0.key < $1.key }.map(\.value)
            for argument in given {
                if let found = arguments[argument] { return (found.registration, "onArg(\"\(argument)\")") }
            }
        }
        let order: [(isRunning: Bool, context: FactoryContextType.Plain)] = [
            (context.isPreview, .preview), (context.isTest, .test), (context.isSimulator, .simulator),
            (!context.isSimulator, .device), (context.isDebug, .debug),
        ]
        for (isRunning, context) in order where isRunning {
            if let found = contexts[context] { return (found.registration, context.modifier) }
        }
        return nil
    }
}

/// What is registered for a context.
struct ContextRegistration {
    let registration: Registration
    /// Where the one stood that was registered for the context before, if at another place.
    let formerSite: RegistrationSite?
    /// Whether the factory that it was registered with had registered a context before, as that of a property with contexts.
    let followsContext: Bool

    /// Takes the place of another one.
    init(_ registration: Registration, replacing former: ContextRegistration?, followsContext: Bool) {
        self.registration = registration
        self.followsContext = followsContext
        formerSite = former.flatMap { $0.registration.site == registration.site ? $0.formerSite : $0.registration.site }
    }
}

/// What was seen of a factory when it ran.
struct BuildRecord {
    /// Whether the dependencies stand for the registration in force.
    var isCurrent = false
    var dependencies: [ServiceID] = []
    /// The stores that hold them, one for each; to be compared only.
    var origins: [ObjectIdentifier] = []
    /// Who resolved it when it was built first; nil for nobody's factory.
    var creator: ServiceID?
    var duration: Duration?
    var builds = 0
    var hits = 0
}
