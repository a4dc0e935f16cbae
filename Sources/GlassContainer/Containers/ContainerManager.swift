import Synchronization

/// Manages the registrations and cached instances of a container.
///
/// ```swift
/// container.manager.push()
/// container.clock.register { FixedClock() }
/// // …
/// container.manager.pop()
/// ```
public final class ContainerManager: Sendable {
    @usableFromInline let store: Store

    /// Creates a manager for a custom container type.
    public init() {
        store = Store(hasPreparation: true)
    }

    init(_ store: Store) {
        self.store = store
    }

    /// The cell of a property, created on first use.
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

    /// The scope of properties that don't specify one; nil means `unique`. Registrations by type aren't affected.
    public var defaultScope: Scope? {
        get { store.read { store.defaultScope } }
        set {
            store.update { _ in
                store.defaultScope = newValue
                store.refreshAll()
            }
        }
    }

    /// Whether each resolution of this container is logged with `logger`, in release builds as well.
    ///
    /// A line looks like `0: Container.session<Session> = F:4382919056 LiveSession`: the depth, the key, and what was
    /// returned, with its origin: `F` is the definition, `R` a registration, `O` a context, and `C` a cached instance.
    public var trace: Bool {
        get { store.read { store.observation.isTracing } }
        set {
            store.update { _ in
                store.observation.isTracing = newValue
                store.refreshAll()
            }
        }
    }

    /// The function that receives the lines of `trace`, one at a time, on any of the resolving threads. By default, it
    /// prints them.
    public var logger: (String) -> Void {
        get { store.read { store.observation.log.logger } }
        set { store.read { store.observation.log = TraceLog(newValue) } }
    }

    /// Whether reading a `promised()` service that isn't registered traps. By default, true only in debug builds, and
    /// not in previews.
    public var promiseTriggersError: Bool {
        get { store.read { store.promiseTriggersError } }
        set { store.read { store.promiseTriggersError = newValue } }
    }

    /// Always true: cycles are detected in debug and release builds, at negligible cost.
    public var circularDependencyTesting: Bool {
        get { true }
        set { _ = newValue }
    }

    /// Whether `ContainerGraph.Node.hits` is counted. If so, reads don't use the fast path, which skips the store's
    /// lock.
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
            "\(id) was promised at \(site) but never registered\n  hint: register it in autoRegister()"
        ).stop()
    }

    // MARK: - Strict mode

    /// Turns on strict mode: from now on, each service that's created by its own factory instead of a mock's is
    /// reported the first time it's resolved.
    ///
    /// Everything that's registered, overridden, or provided by a context from now on counts as a mock, and so does an
    /// earlier override. A mock that has no effect because a context of its property takes precedence is reported with
    /// both positions. Instances that were cached before, the process's singletons, and services that a child resolves
    /// from its parent's registrations count as live. In debug builds, a factory that's isolated to an actor and runs
    /// outside it is reported, too, even if it's a mock's.
    /// - Parameters:
    ///   - allowed: Types that may be live.
    ///   - report: A closure that's called before a live service is created or returned. By default, it traps with the
    ///     service's name.
    public func strict(
        allowing allowed: [Any.Type] = [],
        report: (@Sendable (LiveDependency) -> Void)? = nil
    ) {
        strict(allowing: Set(allowed.map { ObjectIdentifier($0) }), report: report)
    }

    /// Turns on strict mode, with allowed types that are given by their identifiers.
    package func strict(allowing allowed: Set<ObjectIdentifier>, report: (@Sendable (LiveDependency) -> Void)?) {
        let report = report ?? { ContainerError.misuse($0.description).stop() }
        store.update { _ in
            store.observation.strict = Observation.Strict(
                allowed: allowed, origin: ObjectIdentifier(store), liveOrder: store.registrationOrder, report: report)
            store.observation.overruled = store.observation.strict
            store.refreshAll()
        }
    }

    /// Starts reporting registrations that have no effect because a context of the property takes precedence, and
    /// factories that run outside their actor.
    package func reportOverruled(_ report: @escaping @Sendable (LiveDependency) -> Void) {
        store.read {
            store.observation.overruled = Observation.Strict(
                allowed: [], origin: ObjectIdentifier(store), liveOrder: store.registrationOrder, report: report)
        }
    }

    // MARK: - State

    /// Resets the container, or a part of it, to its original state.
    ///
    /// - Parameter options: What to reset.
    public func reset(options: FactoryResetOptions = .all) {
        store.reset(options)
    }

    /// Discards the cached instances of one scope. Singletons don't belong to the container; `Scope.singleton.reset()`
    /// discards them.
    ///
    /// - Parameter scope: The scope.
    public func reset(scope: Scope) {
        store.reset(scope)
    }

    /// Saves registrations, modifiers, cached instances, and singletons, so that `pop()` can restore them.
    ///
    /// Complexity: O(*n*) for *n* services.
    public func push() {
        store.push()
    }

    /// Restores what the last `push()` saved; does nothing if there's no saved state.
    ///
    /// Of the singletons, only those that this container declares or registers are restored. Those of them that were
    /// created after `push()` are discarded. Complexity: O(*n*).
    public func pop() {
        store.pop()
    }

    package func isEmpty(_ options: FactoryResetOptions) -> Bool {
        store.isEmpty(options)
    }

    /// Sets the clock that `timeToLive` uses, in seconds from an arbitrary start.
    package func setClock(_ now: @escaping @Sendable () -> Double) {
        store.read { store.now = now }
    }
}

/// The part of a container or a service that `reset` resets.
public enum FactoryResetOptions: Sendable {
    /// Registrations, modifiers, and cached instances.
    case all
    /// Nothing.
    case none
    /// Registrations, so that the definitions of properties apply again.
    case registration
    /// The factories that are registered for contexts, for example with `onTest`.
    case context
    /// Cached instances.
    case scope
}
