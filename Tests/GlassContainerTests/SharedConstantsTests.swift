import GlassContainer
import TestSupport
import Testing

/// Checks the assumptions on which the proofs of `FactoryRegistration` and `Scope` rely. Run these under
/// ThreadSanitizer: it detects an unordered access even when the results are right.
@Suite(.timeLimit(.minutes(1))) struct SharedConstantsTests {
    private static let rounds = 500

    /// The factories of a container without other references.
    private struct Factories: Sendable {
        let plain: Factory<LiveNetworking>
        let numbered: ParameterFactory<Int, LiveNetworking>

        init(_ counter: Counter) {
            let container = Container()
            plain = container { LiveNetworking(counter) }
            numbered = container { _ in LiveNetworking(counter) }
        }
    }

    @Test func factoriesKeepContainerAliveOnEveryThread() {
        let counter = Counter()
        do {
            let factories = Factories(counter)
            onThreads(4) { thread in
                for round in 0..<Self.rounds {
                    switch thread {
                    case 0:
                        factories.plain.register { LiveNetworking(counter) }
                        factories.numbered.register { _ in LiveNetworking(counter) }
                    case 1:
                        factories.plain.scope([Scope.cached, .shared, .unique, .graph][round % 4])
                        factories.numbered.timeToLive(round % 2 == 0 ? 0 : 100).scopeOnParameters.cached
                            .onTest { _ in LiveNetworking(counter) }
                    case 2:
                        factories.plain.once().cached.reset()
                        _ = factories.numbered(round % 3).id
                    default:
                        _ = factories.plain().id
                        _ = factories.plain.registration
                    }
                }
            }
            _ = factories.plain.once().cached()
            #expect(counter.liveCount > 0)
        }
        // The container, which only the factories referenced, was released with them, along with its cached instances.
        #expect(counter.liveCount == 0)
    }

    @Test func scopesAreUsableOnEveryThread() {
        let container = Container()
        let visits = Scope.Cached()
        let weakly = Scope.Shared()
        onThreads(4) { thread in
            for round in 0..<Self.rounds {
                let scopes = [Scope.cached, .shared, .unique, .graph, visits, weakly, Scope.singleton]
                let names = scopes.map(\.description)
                precondition(names == ["cached", "shared", "unique", "graph", "cached", "shared", "singleton"])
                switch thread {
                case 0:
                    container.register(A.self, scope: scopes[round % 6]) { A() }
                    container.manager.reset(scope: scopes[round % 6])
                case 1:
                    container.manager.defaultScope = scopes[round % 6]
                case 2:
                    Scope.$singleton.withValue(Scope.singleton.clone()) {
                        container.only().use()
                        Scope.singleton.reset()
                    }
                default:
                    _ = container.getIfRegistered(A.self)
                    container.only().use()
                }
            }
        }
    }
}

private final class Only: Sendable {
    func use() {}
}

extension Container {
    fileprivate var only: Factory<Only> { self { Only() }.singleton }
}
