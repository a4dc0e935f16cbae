import GlassContainer
import Synchronization
import TestSupport
import Testing

/// An instance of a service, with the version of the registration that created it.
private final class Instance: Sendable {
    /// The version of its registration.
    let version: Int
    /// Identifies the instance.
    let number: Int

    init(version: Int, _ count: borrowing Atomic<Int>) {
        self.version = version
        number = count.add(1, ordering: .relaxed).newValue
    }
}

private struct First: Sendable { let instance: Instance }
private struct Second: Sendable { let instance: Instance }

extension Container {
    fileprivate var third: Factory<Instance> { self { Instance(version: 0, History.count) }.cached }
}

private enum History {
    static let count = Atomic(0)
}

/// Every result of eight concurrent threads on a container must also be possible on one thread.
@Suite(.timeLimit(.minutes(5))) struct HistoryTests {
    private enum Key: CaseIterable { case type, otherType, name, property }

    private enum Operation: Sendable {
        case register(Key, version: Int)
        case get(Key, version: Int, number: Int)
        /// Drops the cached instance of every service.
        case drop
    }

    /// A container's guarantees for one cached service.
    private struct Model: Hashable {
        var version = 0
        /// The cached instance.
        var kept: Int?
        /// Instances cached earlier that a later read could still wrongly return.
        var spent: Set<Int> = []

        mutating func drop() {
            if let kept { spent.insert(kept) }
            kept = nil
        }
    }

    private static func register(_ key: Key, _ version: Int, in container: Container) {
        switch key {
        case .type: container.register(First.self) { First(instance: Instance(version: version, History.count)) }
        case .otherType: container.register(Second.self) { Second(instance: Instance(version: version, History.count)) }
        case .name:
            container.register(First.self, name: "n") { First(instance: Instance(version: version, History.count)) }
        case .property: container.third.register { Instance(version: version, History.count) }
        }
    }

    private static func get(_ key: Key, from container: Container) -> Instance {
        switch key {
        case .type: container.get(First.self).instance
        case .otherType: container.get(Second.self).instance
        case .name: container.get(First.self, name: "n").instance
        case .property: container.third()
        }
    }

    @Test func concurrentHistoryIsLinearizable() {
        for _ in 0..<rounds(all: 20, few: 1, races: true) {
            let seed = UInt64.random(in: .min ... .max)
            print("the history of a container: seed \(seed)")
            let container = Container()
            for key in Key.allCases { Self.register(key, 0, in: container) }
            let child = Container(parent: container)
            let versions = Atomic(0)
            let history = recordHistory(operations: 10_000, seed: seed) { _, random -> Operation in
                let key = Key.allCases.randomElement(using: &random) ?? .type
                switch Int.random(in: 0..<40, using: &random) {
                case 0:
                    container.manager.reset(scope: .cached)
                    return .drop
                case 1, 2:
                    let version = versions.add(1, ordering: .relaxed).newValue
                    Self.register(key, version, in: container)
                    return .register(key, version: version)
                default:
                    // A child shares its parent's cached instances, but has its own for properties.
                    let isOfChild = key != .property && Bool.random(using: &random)
                    let instance = Self.get(key, from: isOfChild ? child : container)
                    return .get(key, version: instance.version, number: instance.number)
                }
            }
            for key in Key.allCases {
                let own = history.filter { recorded in
                    switch recorded.operation {
                    case .register(key, _), .get(key, _, _), .drop: true
                    case .register, .get: false
                    }
                }
                var lastSeen: [Int: Int] = [:]
                for case (.get(_, _, let number), let end) in own.map({ ($0.operation, $0.end) }) {
                    lastSeen[number] = max(lastSeen[number] ?? 0, end)
                }
                let changes = own.filter {
                    if case .get = $0.operation { return false }
                    return true
                }
                let wrong = firstInexplicable(in: own, from: Model()) { model, recorded in
                    var model = model
                    if !model.spent.isEmpty {
                        model.spent = model.spent.filter { lastSeen[$0] ?? 0 > recorded.start }
                    }
                    switch recorded.operation {
                    case .register(_, let version):
                        model.version = version
                        model.drop()
                    case .drop:
                        model.drop()
                    case .get(_, _, let number) where model.kept == number:
                        break
                    case .get(_, let version, let number):
                        if model.version != version || model.spent.contains(number) { return nil }
                        // A build that a change overtakes is returned to its waiters, but not cached.
                        if changes.contains(where: { $0.start < recorded.end && recorded.start < $0.end }) {
                            return model
                        }
                        if model.kept != nil { return nil }
                        model.kept = number
                    }
                    return model
                }
                #expect(wrong.map { "\($0)" } == nil, "seed \(seed): no order of \(key) explains it")
            }
        }
    }
}
