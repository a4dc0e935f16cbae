import GlassBase

/// The state of an app's preconditions, shared by all deep linkers that replace each other.
///
/// A deep linker that shares its predecessor's registry needs no copy of the state. Changes made through one deep
/// linker apply to all of them immediately, so that a reload cannot undo a sign-out that happens meanwhile.
/// Preconditions with a handler are not in the registry: each deep linker calls its own handlers.
public final class PreconditionRegistry: Sendable {
    private struct State {
        var satisfied: Set<String> = []
        var routers: [WeakRouter] = []
    }

    /// A weak reference, so that the registry doesn't keep routers alive.
    private struct WeakRouter {
        weak var router: DeepLinkRouter?
    }

    /// May be acquired while a router's lock is held, never the other way round: that would allow a deadlock.
    private let state = Lock(State())

    /// Creates a registry in which no precondition is satisfied.
    public init() {}

    /// The names of the satisfied preconditions.
    var satisfied: Set<String> { state.withLock { $0.satisfied } }

    /// Registers a router that is notified when preconditions become satisfied.
    func attach(_ router: DeepLinkRouter) {
        let others: [DeepLinkRouter] = state.withLock { state in
            let others = state.routers.compactMap(\.router).filter { $0 !== router }
            state.routers = (others + [router]).map { WeakRouter(router: $0) }
            return others
        }
        // Release the routers outside the lock: this may be the last reference to one, and a router that is released
        // calls hooks.
        withExtendedLifetime(others) {}
    }

    /// Sets whether a precondition is satisfied, and makes every router run the links that waited for it.
    func set(_ name: String, isSatisfied: Bool) {
        let notified: [DeepLinkRouter] = state.withLock { state in
            guard isSatisfied else {
                state.satisfied.remove(name)
                return []
            }
            return state.satisfied.insert(name).inserted ? state.routers.compactMap(\.router) : []
        }
        // Outside the lock, because this runs handlers and hooks. Another thread may have reset the precondition by
        // now; the links then continue to wait.
        for router in notified { router.routeWaitingLinks() }
    }
}
