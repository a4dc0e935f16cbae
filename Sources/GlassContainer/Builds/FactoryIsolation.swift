import CThreadHead

/// The actor that a factory is isolated to. If the factory runs elsewhere, the program traps with the service's name.
///
/// A closure that's formed on an actor may use the actor's state, and the factory's type doesn't show that. In a module
/// with default main-actor isolation, every closure is such a closure. Therefore, debug builds check the actor whenever
/// a factory runs. Reading a cached instance isn't checked. Release builds store no actor and check nothing.
struct FactoryIsolation: Sendable {
    private let actor: any Actor

    /// Returns nil for a factory without an actor, and in release builds.
    init?(_ actor: (any Actor)?) {
        #if DEBUG
            guard let actor else { return nil }
            self.actor = actor
        #else
            return nil
        #endif
    }

    /// Traps unless it's called on the actor. The message contains the service and the position of its factory.
    func check(_ site: RegistrationSite?) {
        // The runtime represents an executor as two words, and so does the standard library's wrapper type. Not
        // `preconditionIsolated`, because its message doesn't contain the service.
        let (identity, implementation) = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
        if is_current_executor(identity, implementation) { return }
        let name = actor === MainActor.shared ? "the main actor" : "the actor \(type(of: actor))"
        ContainerError.misplaced(path: ThreadSlot.path, site: site, actor: name).stop()
    }
}

/// A factory without the isolation in its type. `FactoryIsolation` stores the actor.
///
/// A function that carries its isolation is called like any other, so the bits are the same; the standard library's
/// `assumeIsolated` relies on that, too. The struct prevents the wrapper that a cast of the function alone would add.
struct PlainFactory<Input, Service> {
    private struct Isolated {
        let factory: @isolated(any) (Input) throws -> Service
    }

    let factory: (Input) throws -> Service

    init(_ factory: @escaping @isolated(any) (Input) throws -> Service) {
        self = unsafeBitCast(Isolated(factory: factory), to: Self.self)
    }
}

/// Like `PlainFactory`, for a factory without input.
struct PlainVoidFactory<Service> {
    private struct Isolated {
        let factory: @isolated(any) () throws -> Service
    }

    let factory: () throws -> Service

    init(_ factory: @escaping @isolated(any) () throws -> Service) {
        self = unsafeBitCast(Isolated(factory: factory), to: Self.self)
    }
}
