import GlassBase

/// What an app has said about its preconditions: one board for all deep linkers that take each other's place.
///
/// A deep linker that has the board of the one before it needs no copy of what holds. What is satisfied or reset by way of
/// any of them holds for all of them at once, so that a sign-out during a reload is not undone by the reload. Preconditions
/// with a handler are not on the board: each deep linker asks its own.
public final class PreconditionRegistry: Sendable {
    private struct State {
        var satisfied: Set<String> = []
        var routers: [WeakRouter] = []
    }

    /// A router goes when nobody else holds it.
    private struct WeakRouter {
        weak var router: DeepLinkRouter?
    }

    /// Taken inside a router's lock, and never the other way round.
    private let state = Lock(State())

    /// Creates a board on which nothing holds.
    public init() {}

    /// The names of those that hold.
    var satisfied: Set<String> { state.withLock { $0.satisfied } }

    /// Has a router told when something holds.
    func attach(_ router: DeepLinkRouter) {
        let others: [DeepLinkRouter] = state.withLock { state in
            let others = state.routers.compactMap(\.router).filter { $0 !== router }
            state.routers = (others + [router]).map { WeakRouter(router: $0) }
            return others
        }
        // Released here: this may be the last reference to one, and a router that goes calls hooks.
        withExtendedLifetime(others) {}
    }

    /// Sets whether a precondition holds, and has every router run the links that waited for it.
    func set(_ name: String, isSatisfied: Bool) {
        let told: [DeepLinkRouter] = state.withLock { state in
            guard isSatisfied else {
                state.satisfied.remove(name)
                return []
            }
            return state.satisfied.insert(name).inserted ? state.routers.compactMap(\.router) : []
        }
        // Without the lock: handlers and hooks run there. Another thread may have reset the precondition by now, and then the
        // links go on waiting.
        for router in told { router.routeWaitingLinks() }
    }
}
