import GlassContainer
import TestSupport
import Testing

extension Container {
    @TaskLocal fileprivate static var counter: Counter?
    fileprivate var fresh: Factory<any Networking> { self { LiveNetworking(Container.counter) } }
    fileprivate var weakly: Factory<LiveNetworking> { self { LiveNetworking(Container.counter) } }
    fileprivate var ring: Factory<any Networking> {
        self {
            _ = Ring.current?.lazy
            return LiveNetworking()
        }
    }
    fileprivate var first: Factory<any Networking> {
        self {
            Crossing.current?.bothMake.arrive()
            _ = Crossing.current?.second
            return LiveNetworking()
        }
    }
    fileprivate var second: Factory<any Networking> {
        self {
            Crossing.current?.bothMake.arrive()
            _ = Crossing.current?.first
            return LiveNetworking()
        }
    }
    fileprivate var keptFirst: Factory<any Networking> {
        self {
            Crossing.current?.bothMake.arrive()
            _ = Crossing.current?.kept
            return LiveNetworking()
        }.cached
    }
}

private final class Model: @unchecked Sendable {
    // The threads of these tests only read, which is safe concurrently.
    @LazyInjected(\.fresh) var lazy
    @WeakLazyInjected(\.weakly) var weakly
}

private final class Ring: @unchecked Sendable {
    // See `Model`.
    @TaskLocal static var current: Ring?
    @LazyInjected(\.ring) var lazy
}

/// Two properties whose services depend on each other.
private final class Crossing: @unchecked Sendable {
    // See `Model`.
    @TaskLocal static var current: Crossing?
    let bothMake = Gate(2)
    @LazyInjected(\.first) var first
    @LazyInjected(\.second) var second
    @LazyInjected(\.keptFirst) var kept
}

/// First reads of lazily resolved properties, by several threads at once.
@Suite(.timeLimit(.minutes(5)), .serialized) struct FirstReadTests {
    static let rounds = 500

    @Test func lazyPropertyIsResolvedOnceOnConcurrentFirstReads() {
        for _ in 0..<Self.rounds {
            let (container, counter, model) = (Container(), Counter(), Model())
            let ids = Seen(8)
            onThreads(8) { index in
                Container.$shared.withValue(container) {
                    Container.$counter.withValue(counter) { ids.note(model.lazy.id, at: index) }
                }
            }
            #expect(counter.madeCount == 1)
            #expect(ids.distinct == [Int(bitPattern: model.lazy.id)])
        }
    }

    @Test func weakLazyPropertyIsResolvedOnceOnConcurrentFirstReads() {
        for _ in 0..<Self.rounds {
            let (container, counter, model) = (Container(), Counter(), Model())
            let ids = Seen(8)
            let allHold = Gate(8)
            onThreads(8) { index in
                Container.$shared.withValue(container) {
                    Container.$counter.withValue(counter) {
                        let service = model.weakly
                        if let service { ids.note(service.id, at: index) }
                        allHold.arrive()
                        withExtendedLifetime(service) {}
                    }
                }
            }
            #expect(counter.madeCount == 1)
            #expect(ids.distinct.count == 1)
            #expect(counter.liveCount == 0)
            #expect(model.weakly == nil)
        }
    }

    @Test func copyIsIndependentOnceSet() {
        Container.$shared.withValue(Container()) {
            let (special, model) = (LiveNetworking(), Model())
            let first = model.lazy
            var copy = model.$lazy
            copy.wrappedValue = special
            #expect(copy.wrappedValue.id == special.id)
            #expect(model.lazy.id == first.id)
            copy = model.$lazy
            copy.resolve()
            #expect(copy.wrappedValue.id != first.id)
            #expect(model.lazy.id == first.id)
        }
    }

    @Test func serviceReadingTheLazyPropertyItIsBuiltForIsACycle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Container.$shared.withValue(Container()) {
                let ring = Ring()
                Ring.$current.withValue(ring) { _ = ring.lazy }
            }
        }
        #expect(text(result).contains("the factory of Networking (ring) resolves Networking (ring) itself"))
    }

    @Test func threadsWaitingForEachOthersLazyPropertiesAreACycle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (container, crossing) = (Container(), Crossing())
            onThreads(2) { index in
                Container.$shared.withValue(container) {
                    Crossing.$current.withValue(crossing) {
                        _ = index == 0 ? crossing.first : crossing.second
                    }
                }
            }
        }
        let text = text(result)
        let paths = ["Networking (first) → Networking (second)", "Networking (second) → Networking (first)"]
        #expect(paths.contains { text.contains($0) }, "\(text)")
    }

    @Test func threadsWaitingForLazyPropertyAndItsServiceAreACycle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (container, crossing) = (Container(), Crossing())
            onThreads(2) { index in
                Container.$shared.withValue(container) {
                    Crossing.$current.withValue(crossing) {
                        if index == 0 {
                            _ = container.keptFirst()
                        } else {
                            crossing.bothMake.arrive()
                            _ = crossing.kept
                        }
                    }
                }
            }
        }
        #expect(text(result).contains("Networking (keptFirst)"))
    }

    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
