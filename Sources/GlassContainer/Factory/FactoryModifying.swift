/// What factories have in common: scopes, contexts, decorators and resetting.
///
/// A modifier changes what the container knows of the key, so it holds wherever it is written: in the property, where it
/// is said again each time the property is read, or later. The last one counts, unless the property ends with `once()`.
public protocol FactoryModifying {
    /// What the factory takes; `Void` for a `Factory`.
    associatedtype P
    /// What the factory makes.
    associatedtype T
    /// The key and the container.
    var registration: FactoryRegistration<P, T> { get set }
}

extension FactoryModifying {
    // MARK: - Scopes

    /// Sets how long an instance lives; a change drops what is kept.
    ///
    /// - Parameter scope: The scope; nil for the manager's default.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func scope(_ scope: Scope?) -> Self {
        // Whichever singletons are bound here stand for those that are bound where the service is resolved.
        registration.change(scope === Scope.singleton ? Scope.Singleton.process : scope)
        return self
    }

    /// The same service, made anew each time.
    @inlinable
    @inline(__always)
    public var unique: Self {
        registration.set(Scope.unique)
        return self
    }

    /// The same service, made on first use and kept by the container.
    @inlinable
    @inline(__always)
    public var cached: Self {
        registration.set(Scope.cached)
        return self
    }

    /// The same service, made on first use and kept while somebody else holds it.
    @inlinable
    @inline(__always)
    public var shared: Self {
        registration.set(Scope.shared)
        return self
    }

    /// The same service, made once for each resolution and all that it resolves in turn.
    @inlinable
    @inline(__always)
    public var graph: Self {
        registration.set(Scope.graph)
        return self
    }

    /// The same service, made on first use and kept for the process.
    @inlinable
    @inline(__always)
    public var singleton: Self {
        registration.set(Scope.Singleton.process)
        return self
    }

    /// Lets a kept instance live for a time, counted from when it was made.
    ///
    /// - Parameter seconds: How long; what is older when it is asked for is made anew.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func timeToLive(_ seconds: Double) -> Self {
        registration.modify { options in
            options.timeToLive = seconds
            return false
        }
        return self
    }

    // MARK: - Decorators

    /// Watches every instance that is resolved, new or kept.
    ///
    /// - Parameter decorator: Is called with the instance, without any lock.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func decorator(_ decorator: @escaping @Sendable (_ instance: T) -> Void) -> Self {
        self.decorator { instance, _ in decorator(instance) }
    }

    /// Watches every instance that is resolved, new or kept.
    ///
    /// - Parameter decorator: Is called with the instance and whether it is new, without any lock.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func decorator(_ decorator: @escaping @Sendable (_ instance: T, _ instantiated: Bool) -> Void) -> Self {
        registration.modify { options in
            options.decorator = decorator as (T, Bool) -> Void
            return false
        }
        return self
    }

    // MARK: - Contexts

    /// Makes the service another way where the process runs in one of some contexts.
    ///
    /// As with Factory, `preview`, `test` and `debug` are for debug builds and ignored in release. Of several contexts that
    /// hold, an argument comes before preview, test, simulator or device, and debug. What is kept already stays.
    /// - Parameters:
    ///   - contexts: The contexts.
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func context(
        _ contexts: FactoryContextType..., file: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context(contexts, RegistrationSite(file, line), factory)
    }

    private func context(
        _ contexts: [FactoryContextType], _ site: RegistrationSite, _ factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        let override: Registration
        if let void = () as? P {
            let plain = PlainFactory(factory).factory
            override =
                TypedRegistration(
                    site: site, scope: nil, isOverride: true, isolation: factory.isolation,
                    factory: .plain { try plain(void) }) as TypedRegistration<T>
        } else {
            override = ParameterRegistration(site: site, factory: factory)
        }
        var replaced: [(modifier: String, by: ContextRegistration, former: ContextRegistration)] = []
        registration.modify { options in
            func put(_ slot: inout ContextRegistration?, _ modifier: String) {
                let former = slot
                let new = ContextRegistration(
                    override, replacing: former, followsContext: registration.hasContext)
                slot = new
                if let former { replaced.append((modifier, new, former)) }
            }
            for context in contexts {
                switch context.plain {
                case .arguments(let arguments):
                    for argument in arguments { put(&options.arguments[argument], "onArg(\"\(argument)\")") }
                case .plain(let plain) where plain.isForReleaseToo || FactoryContext.isDebugBuild:
                    put(&options.contexts[plain], plain.modifier)
                case .plain:
                    break
                }
            }
            return false
        }
        for (modifier, new, former) in replaced { registration.reportReplaced(modifier, new, former) }
        var result = self
        result.registration.hasContext = true
        return result
    }

    /// Makes the service another way where the process has an argument.
    ///
    /// - Parameters:
    ///   - argument: The argument.
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onArg(
        _ argument: String, file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.arg(argument)], RegistrationSite(file, line), factory)
    }

    /// Makes the service another way where the process has one of some arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onArgs(
        _ arguments: [String], file: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.args(arguments)], RegistrationSite(file, line), factory)
    }

    /// Makes the service another way in Xcode previews.
    ///
    /// - Parameters:
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onPreview(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.preview], RegistrationSite(file, line), factory)
    }

    /// Makes the service another way in tests.
    ///
    /// - Parameters:
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onTest(file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T)
        -> Self
    {
        context([.test], RegistrationSite(file, line), factory)
    }

    /// Makes the service another way in debug builds.
    ///
    /// - Parameters:
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onDebug(file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T)
        -> Self
    {
        context([.debug], RegistrationSite(file, line), factory)
    }

    /// Makes the service another way in the simulator.
    ///
    /// - Parameters:
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onSimulator(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.simulator], RegistrationSite(file, line), factory)
    }

    /// Makes the service another way outside of the simulator.
    ///
    /// - Parameters:
    ///   - file: Where this stands, for messages.
    ///   - line: The line of this, for messages.
    ///   - factory: Makes the service there.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func onDevice(file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T)
        -> Self
    {
        context([.device], RegistrationSite(file, line), factory)
    }

    // MARK: - Once and reset

    /// Lets the modifiers of a property count the first time only, so that later ones outside of it hold.
    ///
    /// - Returns: The factory; what modifies it now counts.
    @discardableResult
    public func once() -> Self {
        registration.modify { options in
            options.isOnce = true
            return false
        }
        var result = self
        result.registration.isOnce = true
        return result
    }

    /// Brings this service back to its original state in this container, or a part of it.
    ///
    /// - Parameter options: What to reset.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func reset(_ options: FactoryResetOptions = .all) -> Self {
        guard options != .none else { return self }
        let (store, entry) = (registration.store, registration.entry)
        // Resetting forgets the scope, which says where the singleton is.
        let singletons = store.singletons(of: entry)
        store.reset(entry, options)
        if options == .all || options == .scope { store.dropSingleton(of: entry, in: singletons) }
        return self
    }
}

extension FactoryModifying where P: Hashable {
    /// Keeps an instance for each parameter, told apart by `==`.
    public var scopeOnParameters: Self {
        registration.modify { options in
            options.isScopedOnParameters = true
            return false
        }
        return self
    }
}
