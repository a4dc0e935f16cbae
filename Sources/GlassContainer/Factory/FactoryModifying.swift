/// The modifiers that all factories have: scopes, contexts, decorators, and resetting.
///
/// A modifier changes the container's settings for a key, so it applies wherever it's called: in the property, where
/// it's applied again each time the property is read, or later. The last one wins, unless the property ends with
/// `once()`.
public protocol FactoryModifying {
    /// The type of the factory's parameters; `Void` for a `Factory`.
    associatedtype P
    /// The type of the service.
    associatedtype T
    /// The key and the container.
    var registration: FactoryRegistration<P, T> { get set }
}

extension FactoryModifying {
    // MARK: - Scopes

    /// Sets the lifetime of an instance. A change discards the cached instances.
    ///
    /// - Parameter scope: The scope; nil for the manager's default.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func scope(_ scope: Scope?) -> Self {
        // The singleton scope that's bound here stands for the one that's bound where the service is resolved.
        registration.change(scope === Scope.singleton ? Scope.Singleton.process : scope)
        return self
    }

    /// The factory with the scope `unique`: it creates an instance for each resolution.
    @inlinable
    @inline(__always)
    public var unique: Self {
        registration.set(Scope.unique)
        return self
    }

    /// The factory with the scope `cached`: the container caches the instance.
    @inlinable
    @inline(__always)
    public var cached: Self {
        registration.set(Scope.cached)
        return self
    }

    /// The factory with the scope `shared`: the instance is cached as long as something else holds it.
    @inlinable
    @inline(__always)
    public var shared: Self {
        registration.set(Scope.shared)
        return self
    }

    /// The factory with the scope `graph`: it creates one instance for a resolution and everything resolved during it.
    @inlinable
    @inline(__always)
    public var graph: Self {
        registration.set(Scope.graph)
        return self
    }

    /// The factory with the scope `singleton`: the instance is cached for the process.
    @inlinable
    @inline(__always)
    public var singleton: Self {
        registration.set(Scope.Singleton.process)
        return self
    }

    /// Limits the time for which an instance is cached, from its creation.
    ///
    /// - Parameter seconds: The maximum age. An older instance is replaced with a new one when it's resolved.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func timeToLive(_ seconds: Double) -> Self {
        registration.modify { options in
            options.timeToLive = seconds
            return false
        }
        return self
    }

    // MARK: - Decorators

    /// Sets a decorator that's called for every resolved instance, new or cached.
    ///
    /// - Parameter decorator: A closure that's called with the instance, without a lock.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func decorator(_ decorator: @escaping @Sendable (_ instance: T) -> Void) -> Self {
        self.decorator { instance, _ in decorator(instance) }
    }

    /// Sets a decorator that's called for every resolved instance, new or cached.
    ///
    /// - Parameter decorator: A closure that's called with the instance and whether it's new, without a lock.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func decorator(_ decorator: @escaping @Sendable (_ instance: T, _ instantiated: Bool) -> Void) -> Self {
        registration.modify { options in
            options.decorator = decorator as (T, Bool) -> Void
            return false
        }
        return self
    }

    // MARK: - Contexts

    /// Overrides the factory in the given contexts.
    ///
    /// As in Factory, `preview`, `test`, and `debug` apply to debug builds and are ignored in release builds. If
    /// several contexts apply, an argument takes precedence over preview, test, simulator or device, and debug, in this
    /// order. An instance that's already cached isn't discarded.
    /// - Parameters:
    ///   - contexts: The contexts.
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
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
        // After `modify`, whose closure runs under the store's lock: reporting takes that lock and runs user code.
        for (modifier, new, former) in replaced { registration.reportReplaced(modifier, new, former) }
        var result = self
        result.registration.hasContext = true
        return result
    }

    /// Overrides the factory if the process has an argument.
    ///
    /// - Parameters:
    ///   - argument: The argument.
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onArg(
        _ argument: String, file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.arg(argument)], RegistrationSite(file, line), factory)
    }

    /// Overrides the factory if the process has one of several arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onArgs(
        _ arguments: [String], file: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.args(arguments)], RegistrationSite(file, line), factory)
    }

    /// Overrides the factory in Xcode previews.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onPreview(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.preview], RegistrationSite(file, line), factory)
    }

    /// Overrides the factory in tests.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onTest(file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T)
        -> Self
    {
        context([.test], RegistrationSite(file, line), factory)
    }

    /// Overrides the factory in debug builds.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onDebug(file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T)
        -> Self
    {
        context([.debug], RegistrationSite(file, line), factory)
    }

    /// Overrides the factory in the simulator.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onSimulator(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        context([.simulator], RegistrationSite(file, line), factory)
    }

    /// Overrides the factory outside the simulator.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func onDevice(file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T)
        -> Self
    {
        context([.device], RegistrationSite(file, line), factory)
    }

    // MARK: - Once and reset

    /// Applies the modifiers of a property only the first time it's read, so that later modifiers outside the property
    /// stay in effect.
    ///
    /// - Returns: The factory. Modifiers that are applied to it take effect.
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

    /// Resets this service in this container, or a part of it, to its original state.
    ///
    /// - Parameter options: What to reset.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func reset(_ options: FactoryResetOptions = .all) -> Self {
        guard options != .none else { return self }
        let (store, entry) = (registration.store, registration.entry)
        // Looked up before the reset, which removes the scope that determines where the singleton is cached.
        let singletons = store.singletons(of: entry)
        store.reset(entry, options)
        if options == .all || options == .scope { store.dropSingleton(of: entry, in: singletons) }
        return self
    }
}

extension FactoryModifying where P: Hashable {
    /// The factory, changed to cache an instance for each parameter. Parameters are compared with `==`.
    public var scopeOnParameters: Self {
        registration.modify { options in
            options.isScopedOnParameters = true
            return false
        }
        return self
    }
}
