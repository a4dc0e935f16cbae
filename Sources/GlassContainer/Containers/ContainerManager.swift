import Synchronization

/// Keeps the registrations and instances of a container.
///
/// ```swift
/// container.manager.push()
/// container.clock.register { FixedClock() }
/// // …
/// container.manager.pop()
/// ```
public final class ContainerManager: Sendable {
    @usableFromInline let store: Store

    /// Makes a manager for a container of one's own.
    public init() {
        store = Store(hasPreparation: true)
    }

    init(_ store: Store) {
        self.store = store
    }

    /// The cell of a property, made on first use.
    @inlinable
    @inline(__always)
    func cell<Service>(
        _ type: Service.Type, _ keyType: Any.Type, _ property: StaticString, _ file: StaticString, _ line: UInt,
        _ isolation: (any Actor)? = nil
    ) -> UnsafeMutablePointer<Cell> {
        let probe = Probe(keyType, property: property)
        return store.cell(probe.type, probe.label) ?? define(type, keyType, property, file, line, isolation)
    }

    @usableFromInline
    func define(
        _ type: Any.Type, _ keyType: Any.Type, _ property: StaticString, _ file: StaticString, _ line: UInt,
        _ isolation: (any Actor)?
    ) -> UnsafeMutablePointer<Cell> {
        store.entry(
            type: type, keyType: keyType, property: property, site: RegistrationSite(file, line),
            isolation: FactoryIsolation(isolation)
        ).cell
    }

    // MARK: - Settings

    /// The scope of properties that name none; nil stands for `unique`. Registrations by type are not affected.
    public var defaultScope: Scope? {
        get { store.read { store.defaultScope } }
        set {
            store.update { _ in
                store.defaultScope = newValue
                store.refreshAll()
            }
        }
    }

    /// Whether each resolution of this container is written to `logger`; works in release too.
    ///
    /// A line reads `0: Container.session<Session> = F:4382919056 LiveSession`: the depth, the key, and what was
    /// returned: `F` from the definition, `R` from a registration, `O` from a context, `C` as kept.
    public var trace: Bool {
        get { store.read { store.observation.isTracing } }
        set {
            store.update { _ in
                store.observation.isTracing = newValue
                store.refreshAll()
            }
        }
    }

    /// What takes the lines of `trace`, one at a time, on whichever thread resolves; prints them by default.
    public var logger: (String) -> Void {
        get { store.read { store.observation.log.logger } }
        set { store.read { store.observation.log = TraceLog(newValue) } }
    }

    /// Whether reading a `promised()` service that nobody registered stops the program; by default in debug only.
    public var promiseTriggersError: Bool {
        get { store.read { store.promiseTriggersError } }
        set { store.read { store.promiseTriggersError = newValue } }
    }

    /// Always true: cycles are found in debug and release, and cost nothing to speak of.
    public var circularDependencyTesting: Bool {
        get { true }
        set { _ = newValue }
    }

    /// Whether `ContainerGraph.Node.hits` is counted. Costs the shortcut that reads without the store's lock.
    package var countsHits: Bool {
        get { store.read { store.observation.isCountingHits } }
        set {
            store.update { _ in
                store.observation.isCountingHits = newValue
                store.refreshAll()
            }
        }
    }

    func reportBrokenPromise<Service>(_ id: ServiceID, _ site: RegistrationSite) -> Service? {
        guard promiseTriggersError else { return nil }
        ContainerError.misuse(
            "\(id) was promised at \(site), and nobody registered it\n  hint: register it in autoRegister()"
        ).stop()
    }

    // MARK: - Strict mode

    /// From now on, reports each service that comes from its own factory instead of a mock's, the first time it is resolved.
    ///
    /// What is registered, overridden or given by a context from now on counts as a mock; so does an override before. A mock
    /// that a context of its property comes before is reported with both places, since it has no effect. Live are also what was kept before, the process's singletons, and what a child resolves that its parent registered.
    /// - Parameters:
    ///   - allowed: Types that may be live.
    ///   - report: Is called before a live service is made or returned; by default it stops the program with the name.
    public func strict(
        allowing allowed: [Any.Type] = [],
        report: (@Sendable (LiveDependency) -> Void)? = nil
    ) {
        strict(allowing: Set(allowed.map { ObjectIdentifier($0) }), report: report)
    }

    /// The same for types that are known by their identities.
    package func strict(allowing allowed: Set<ObjectIdentifier>, report: (@Sendable (LiveDependency) -> Void)?) {
        let report = report ?? { ContainerError.misuse($0.description).stop() }
        store.update { _ in
            store.observation.strict = Observation.Strict(
                allowed: allowed, origin: ObjectIdentifier(store), liveOrder: store.registrationOrder, report: report)
            store.observation.overruled = store.observation.strict
            store.refreshAll()
        }
    }

    /// From now on, reports what is registered and has no effect, since a context of the property comes first.
    package func reportOverruled(_ report: @escaping @Sendable (LiveDependency) -> Void) {
        store.read {
            store.observation.overruled = Observation.Strict(
                allowed: [], origin: ObjectIdentifier(store), liveOrder: store.registrationOrder, report: report)
        }
    }

    // MARK: - State

    /// Brings the container back to its original state, or a part of it.
    ///
    /// - Parameter options: What to reset.
    public func reset(options: FactoryResetOptions = .all) {
        store.reset(options)
    }

    /// Drops what is kept in one scope. Singletons are not the container's: `Scope.singleton.reset()` drops them.
    ///
    /// - Parameter scope: The scope.
    public func reset(scope: Scope) {
        store.reset(scope)
    }

    /// Saves registrations, modifiers, kept instances and singletons, to be brought back by `pop()`.
    ///
    /// Complexity: O(*n*) for *n* services.
    public func push() {
        store.push()
    }

    /// Brings back what the last `push()` saved; does nothing if there was none.
    ///
    /// Of the singletons, those that this container declares or registered are brought back, and those of them forgotten that
    /// were made since. Complexity: O(*n*).
    public func pop() {
        store.pop()
    }

    package func isEmpty(_ options: FactoryResetOptions) -> Bool {
        store.isEmpty(options)
    }

    /// Sets what `timeToLive` reads the time from, in seconds from any start.
    package func setClock(_ now: @escaping @Sendable () -> Double) {
        store.read { store.now = now }
    }
}

/// What `reset` resets.
public enum FactoryResetOptions: Sendable {
    /// Registrations, modifiers and kept instances.
    case all
    /// Nothing.
    case none
    /// Registrations, back to what properties define.
    case registration
    /// What `onTest` and its like registered.
    case context
    /// CachedInstance instances.
    case scope
}
