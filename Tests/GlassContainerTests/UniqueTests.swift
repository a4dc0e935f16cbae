import GlassContainer
import TestSupport
import Testing

private final class Made: Sendable {
    let number: Int

    init(_ number: Int = 0) {
        self.number = number
    }

    init(container: Container) {
        number = container.get()
    }
}

/// A service that is larger than one word and not a class.
private struct Large: Sendable, Equatable {
    var values = (1, 2, 3)
    var text = "large"

    static func == (first: Large, second: Large) -> Bool { first.values == second.values && first.text == second.text }
}

/// Unique services, from factories that capture values and ones that don't: these are called without checking who
/// retains them.
@Suite struct UniqueTests {
    private let container = Container()

    init() {
        container.register(Int.self) { 7 }
    }

    private func number<Service>(_ type: Service.Type, _ number: (Service) -> Int) -> [Int] {
        (0..<4).map { _ in number(container.get(type)) }
    }

    @Test func everyShapeOfFactoryIsCalled() {
        let three = Made(3)
        container.register(Made.self, scope: .unique) { Made(1) }
        #expect(number(Made.self, \.number) == [1, 1, 1, 1])
        container.register(Made.self, scope: .unique) { _ in Made(2) }
        #expect(number(Made.self, \.number) == [2, 2, 2, 2])
        container.register(Made.self, scope: .unique) { three }
        #expect(number(Made.self, \.number) == [3, 3, 3, 3])
        container.register(Made.self, scope: .unique) { [three] _ in Made(three.number + 1) }
        #expect(number(Made.self, \.number) == [4, 4, 4, 4])
        container.register(Made.self, scope: .unique, Made.init)
        #expect(number(Made.self, \.number) == [7, 7, 7, 7])
        container.registerProvidingChild(Made.self, scope: .unique) { child in
            child.register(Int.self) { 8 }
            return Made(container: child)
        }
        #expect(number(Made.self, \.number) == [8, 8, 8, 8])
    }

    @Test func everyShapeOfServiceIsReturned() {
        container.register(Large.self, scope: .unique) { Large() }
        container.register((@Sendable () -> Int).self, scope: .unique) { { 9 } }
        container.register((Int, String).self, scope: .unique) { _ in (1, "one") }
        container.register(Void.self, scope: .unique) {}
        container.register((any Networking).self, scope: .unique) { LiveNetworking() }
        container.register([String].self, scope: .unique) { c in ["\(c.get(Int.self))"] }
        for _ in 0..<3 {
            #expect(container.get(Large.self) == Large())
            #expect(container.get((@Sendable () -> Int).self)() == 9)
            #expect(container.get((Int, String).self) == (1, "one"))
            container.get(Void.self)
            #expect(container.get((any Networking).self) is LiveNetworking)
            #expect(container.get([String].self) == ["7"])
        }
    }

    @Test func errorOfUniqueFactoryTrapsWithPath() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            let isBroken = Counter()
            container.register(Int.self, scope: .unique) { 1 }
            container.register(Made.self, scope: .unique) { c in
                if isBroken.madeCount > 0 { throw Broken() }
                return Made(c.get())
            }
            container.register(Large.self, scope: .unique) { throw Broken() }
            _ = container.get(Made.self)
            isBroken.increment()
            _ = container.get(Made.self)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the factory of Made threw: no disk"))
    }

    @Test func lastRegistrationIsCalled() {
        let container = container
        let zero = Counter()
        onThreads(4) { thread in
            for round in 0..<2_000 {
                switch (thread, round % 4) {
                case (0, 0): container.register(Made.self, scope: .unique) { Made(1) }
                case (0, 1): container.register(Made.self, scope: .unique) { [zero] in Made(zero.madeCount + 2) }
                case (0, 2): container.register(Made.self, scope: .unique) { _ in Made(3) }
                case (0, _): container.register(Made.self, scope: .unique) { [zero] _ in Made(zero.madeCount + 4) }
                default:
                    guard let made = container.getIfRegistered(Made.self) else { continue }
                    precondition((1...4).contains(made.number))
                    precondition((1...4).contains(container.get(Made.self).number))
                }
            }
        }
        #expect(container.get(Made.self).number == 4)
    }
}
