import CThreadHead
import GlassBase
import Synchronization

/// The actor that a factory is isolated to. If the factory runs elsewhere, that's reported with the service's name.
///
/// A closure that's formed on an actor may use the actor's state, and the factory's type doesn't show that. In a module
/// with default main-actor isolation, every closure is such a closure, and most of them use nothing of the actor.
/// Therefore, as in Factory, the factory runs anywhere, and debug builds report it: strict mode traps by default, the
/// test trait records an issue, and otherwise one line is written to standard error. Whether the factory uses the actor's state, and
/// so races with it, nobody can tell from outside. Reading a cached instance isn't checked. Release builds store no
/// actor and check nothing.
final class FactoryIsolation: Sendable {
    private let actor: any Actor
    /// Whether the line was written, so that a service that's created often doesn't fill the log.
    private let isLogged = Atomic(false)

    /// Returns nil for a factory without an actor, and in release builds.
    init?(_ actor: (any Actor)?) {
        #if DEBUG
            guard let actor else { return nil }
            self.actor = actor
        #else
            return nil
        #endif
    }

    /// Reports that the innermost running factory runs outside the actor, if it does. The report contains the service
    /// and the position of its factory.
    func check(_ site: RegistrationSite?) {
        if actor.isCurrent { return }
        let slot = ThreadSlot.current
        let path = slot.path
        let name = actor === MainActor.shared ? "the main actor" : "the actor \(type(of: actor))"
        let lines = ContainerError.misplacedLines(path: path, site: site, actor: name)
        if let watch = slot.watch, let id = path.last?.id {
            return watch.report(
                overruled: LiveDependency(id: id, site: site, reason: .misplaced(lines.joined(separator: "\n  "))))
        }
        guard !isLogged.exchange(true, ordering: .relaxed) else { return }
        // If standard error is closed, there's nobody to tell.
        _ = FileCalls.write("warning: \(lines.joined(separator: "; "))\n".utf8, to: 2)
    }
}

extension Actor {
    /// Whether the calling code runs on the actor; on the main actor, also if it runs on the main thread outside any
    /// task. `assumeIsolated` traps otherwise; this check never does.
    package nonisolated var isCurrent: Bool {
        // The runtime represents an executor as two words, and so does the standard library's wrapper type.
        let (identity, implementation) = unsafeBitCast(unownedExecutor, to: (UInt, UInt).self)
        return is_current_executor(identity, implementation)
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
