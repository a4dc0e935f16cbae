import Synchronization

/// The data of one key in a store. An entry is created once for a key and lives as long as its store.
final class Entry: @unchecked Sendable {  // the `var`s are accessed only under the store's lock
    // `cell` consists of atomics, and everything else is constant.

    /// The state that `register`, modifiers, and resolutions change, and that `push` saves.
    struct State {
        /// The current registration, or nil.
        var registration: Registration?
        /// The registration beneath an override, set by `register` of the Glass style.
        var base: Registration?
        /// The position in the order of registrations.
        var order = 0
        var options = EntryOptions()
        /// The position of each registration that replaced an earlier one, with the position of the one it replaced.
        var duplicates: [(site: RegistrationSite, replaced: RegistrationSite)] = []
        /// The cached instances, by the parameter of the factory; nil for a factory without parameters.
        var kept: [AnyHashable?: CachedInstance] = [:]
    }

    let id: ServiceID
    /// Distinguishes a factory with parameters from one without, because their closures have different types.
    let keyType: ObjectIdentifier
    /// The store that owns this entry.
    unowned(unsafe) let store: Store
    /// The identity of `store`, which can be compared even after the store is released.
    let origin: ObjectIdentifier
    let cell: UnsafeMutablePointer<Cell>

    var state = State()
    /// Counts registrations and resets, so that a build can detect whether its result is still wanted.
    var generation = 0
    /// The builds in progress whose results will be cached.
    var builds: [AnyHashable?: Build] = [:]
    /// The cell of the same key among the process's singletons, once it has been resolved there.
    var singletonCell: UnsafeMutablePointer<Cell>?
    /// The position of a property's definition.
    var definition: RegistrationSite?
    /// The actor that the definition's factory must run on, in debug builds. Set together with `definition`, then
    /// constant.
    var isolation: FactoryIsolation?
    /// What was recorded when the factory ran.
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
        // Entries are released with their store, which readers keep alive, so there are no readers now.
        if let registration = cell.pointee.registration.exchange(nil, ordering: .acquiringAndReleasing) {
            Unmanaged<Registration>.fromOpaque(registration).release()
        }
        cell.deinitialize(count: 1)
        cell.deallocate()
    }

    /// Whether there's a current registration. May change at any time unless the store's lock is held.
    var isRegistered: Bool { cell.pointee.isRegistered }

    /// The scope of an instance that's created now. Call under the store's lock.
    func scope(default defaultScope: Scope?) -> Scope {
        if let scope = state.registration?.scope ?? state.options.scope { return scope }
        let isFactoryStyle = id.property != nil || state.registration?.isFactoryStyle == true
        return isFactoryStyle ? defaultScope ?? .unique : .cached
    }

    /// The position to report in messages. Call under the store's lock.
    var site: RegistrationSite? { state.registration?.site ?? definition }
}

/// The settings of a key that modifiers change.
struct EntryOptions {
    var scope: Scope?
    var timeToLive: Double?
    var isScopedOnParameters = false
    var isOnce = false
    var contexts: [FactoryContextType.Plain: ContextRegistration] = [:]
    var arguments: [String: ContextRegistration] = [:]
    /// A `(Service, Bool) -> Void`.
    var decorator: Any?

    /// The registration for the current context, if any.
    var current: Registration? { hasContexts ? registration(in: .current)?.registration : nil }

    var hasContexts: Bool { !contexts.isEmpty || !arguments.isEmpty }

    /// The registration for a context, if any, and the modifier that made it.
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

/// A registration for a context.
struct ContextRegistration {
    let registration: Registration
    /// The position of the previous registration for the context, if it differs.
    let formerSite: RegistrationSite?
    /// Whether the factory through which it was registered had already registered a context, like that of a property
    /// with contexts.
    let followsContext: Bool

    /// Creates a registration that replaces another one.
    init(_ registration: Registration, replacing former: ContextRegistration?, followsContext: Bool) {
        self.registration = registration
        self.followsContext = followsContext
        formerSite = former.flatMap { $0.registration.site == registration.site ? $0.formerSite : $0.registration.site }
    }
}

/// What was recorded when a factory ran.
struct BuildRecord {
    /// Whether the dependencies are those of the current registration.
    var isCurrent = false
    var dependencies: [ServiceID] = []
    /// The stores that hold them, in the same order. For comparison only.
    var origins: [ObjectIdentifier] = []
    /// The service whose factory resolved it when it was first built; nil if no factory did.
    var creator: ServiceID?
    var duration: Duration?
    var builds = 0
    var hits = 0
}
