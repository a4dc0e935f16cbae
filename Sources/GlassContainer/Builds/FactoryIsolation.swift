import CThreadHead

/// The actor that a factory belongs to, so that a factory which runs elsewhere is stopped by name.
///
/// A closure that is formed on an actor, as each one is on the main actor in a module whose default isolation that is, may
/// touch what belongs to the actor, and the types of factories do not say so. So debug builds ask when a factory runs:
/// reading what is kept costs nothing. Release builds keep no actor and ask nothing.
struct FactoryIsolation: Sendable {
    private let actor: any Actor

    /// Nil for a factory that belongs to no actor, and in release builds.
    init?(_ actor: (any Actor)?) {
        #if DEBUG
            guard let actor else { return nil }
            self.actor = actor
        #else
            return nil
        #endif
    }

    /// Stops the program, with the service that is being built and the place of its factory, unless this runs on the actor.
    func check(_ site: RegistrationSite?) {
        // The runtime passes an executor as two words, and so is the type that the standard library wraps it in.
        let (identity, implementation) = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
        if is_current_executor(identity, implementation) { return }
        let name = actor === MainActor.shared ? "the main actor" : "the actor \(type(of: actor))"
        ContainerError.misplaced(path: ThreadSlot.path, site: site, actor: name).stop()
    }
}

/// A factory with its type's isolation taken away; `FactoryIsolation` has it.
///
/// A function that carries its isolation is called like any other, so the bits are the same; the standard library's
/// `assumeIsolated` relies on that too. In a struct, because a function that is cast by itself is wrapped for it.
struct PlainFactory<Input, Service> {
    private struct Isolated {
        let factory: @isolated(any) (Input) throws -> Service
    }

    let factory: (Input) throws -> Service

    init(_ factory: @escaping @isolated(any) (Input) throws -> Service) {
        self = unsafeBitCast(Isolated(factory: factory), to: Self.self)
    }
}

/// The same for a factory that takes nothing.
struct PlainVoidFactory<Service> {
    private struct Isolated {
        let factory: @isolated(any) () throws -> Service
    }

    let factory: () throws -> Service

    init(_ factory: @escaping @isolated(any) () throws -> Service) {
        self = unsafeBitCast(Isolated(factory: factory), to: Self.self)
    }
}
