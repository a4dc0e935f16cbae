import Benchmark
import Foundation
import GlassContainer
import Support

/// The simplest container that keeps a service: a mutex, a dictionary, and a box of the right type.
private final class FloorContainer: @unchecked Sendable {
    // `boxes` is written before the measurement and read under the lock.
    class Box {}

    final class TypedBox<Value>: Box {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let lock = NSLock()
    private var boxes: [ObjectIdentifier: Box] = [:]

    func set<Value>(_ type: Value.Type, _ value: Value) {
        boxes[ObjectIdentifier(type)] = TypedBox(value)
    }

    @inline(never)
    func get<Value>(_ type: Value.Type) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        guard let box = boxes[ObjectIdentifier(type)] else { return nil }
        return unsafeDowncast(box, to: TypedBox<Value>.self).value
    }
}

protocol Service: AnyObject, Sendable {
    func use()
}

final class LiveService: Service {
    func use() {}
}

extension Container {
    var keptService: Factory<any Service> { self { LiveService() }.cached }
    var newService: Factory<any Service> { self { LiveService() } }
}

let benchmarks: @Sendable () -> Void = {
    let floor = FloorContainer()
    floor.set((any Service).self, LiveService())
    let container = Container()
    container.register((any Service).self) { LiveService() }
    let make: @Sendable () -> any Service = { LiveService() }

    work("container-get", batch: 10_000) { count in
        for _ in 0..<count { blackHole(floor.get((any Service).self)) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.get((any Service).self)) }
    }
    work("container-property", batch: 10_000) { count in
        for _ in 0..<count { blackHole(floor.get((any Service).self)) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.keptService()) }
    }
    work("container-unique", batch: 10_000) { count in
        for _ in 0..<count { blackHole(make()) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.newService()) }
    }
}
