import GlassContainer
import Synchronization

/// Counts live instances, to prove that nothing is created twice or retained too long.
final class Counter: Sendable {
    private let made = Atomic<Int>(0)
    private let live = Atomic<Int>(0)

    var madeCount: Int { made.load(ordering: .sequentiallyConsistent) }
    var liveCount: Int { live.load(ordering: .sequentiallyConsistent) }

    func increment() {
        made.add(1, ordering: .sequentiallyConsistent)
        live.add(1, ordering: .sequentiallyConsistent)
    }

    func decrement() {
        live.subtract(1, ordering: .sequentiallyConsistent)
    }
}

/// The slots in which threads record what they saw.
final class Seen: Sendable {
    private let slots: [Slot]

    final class Slot: Sendable {
        let bits = Atomic<Int>(0)
    }

    init(_ count: Int) {
        slots = (0..<count).map { _ in Slot() }
    }

    func note(_ id: ObjectIdentifier, at index: Int) {
        slots[index].bits.store(Int(bitPattern: id), ordering: .releasing)
    }

    var distinct: Set<Int> { Set(slots.map { $0.bits.load(ordering: .acquiring) }) }
}

protocol Networking: Sendable { var id: ObjectIdentifier { get } }
/// Whether two services are distinct instances; both stay alive meanwhile, so their addresses are comparable.
func areDistinct(_ first: any Networking, _ second: any Networking) -> Bool {
    withExtendedLifetime((first, second)) { first.id != second.id }
}

protocol MediaNetworking: Sendable {}
protocol Analytics: Sendable {}
protocol Tracking: Sendable {}

final class LiveNetworking: Networking, MediaNetworking {
    let counter: Counter?

    init(_ counter: Counter? = nil) {
        self.counter = counter
        counter?.increment()
    }

    deinit {
        counter?.decrement()
    }

    var id: ObjectIdentifier { ObjectIdentifier(self) }
}

final class LiveAnalytics: Analytics, Tracking {
    let networking: any Networking

    init(container: Container) {
        networking = container.get()
    }
}

final class OtherNetworking: Networking {
    init(container: Container) {}
    init() {}

    var id: ObjectIdentifier { ObjectIdentifier(self) }
}

struct Broken: Error, CustomStringConvertible {
    let description = "no disk"
}

final class A: Sendable {}
final class B: Sendable {}
final class C: Sendable {}
