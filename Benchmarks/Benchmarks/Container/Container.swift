import Benchmark
import Foundation
import GlassContainer
import GlassMarketFiles
import GlassMarkets
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

/// What only the active market registers.
protocol MarketService: AnyObject, Sendable {
    func use()
}

final class LiveMarketService: MarketService {
    func use() {}
}

/// A market that is active from the first measurement that asks for it: until then nothing follows it.
private enum ActiveMarket {
    static let store: MarketStore = {
        let module = MarketModule(
            "benchmark",
            services: [
                GlassMarkets.Service((any MarketService).self, "A service.") { _ in LiveMarketService() }
            ])
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // what stays behind is the system's to clean up
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(
                """
                return { id = "b", name = "B", locales = { "en-US" }, currency = "USD",
                  deepLinking = { schemes = { "b" } }, routables = {} }
                """.utf8
            ).write(to: folder.appending(path: "b.lua"))
            let store = MarketStore(MarketLoader(module, folder: MarketFolder(path: folder.path)))
            try store.activate("b")
            return store
        } catch {
            fatalError("the market of the benchmark cannot be loaded: \(error)")
        }
    }()
}

extension Container {
    var keptService: Factory<any Service> { self { LiveService() }.cached }
    var onlyService: Factory<any Service> { self { LiveService() }.singleton }
    var sharedService: Factory<any Service> { self { LiveService() }.shared }
    var newService: Factory<any Service> { self { LiveService() } }
}

/// A closure that no compiler can see through, as a factory that was registered elsewhere.
private final class Opaque: @unchecked Sendable {
    // Written once, by `init`.
    private let body: () -> any Service

    init(_ body: @escaping () -> any Service) {
        self.body = body
    }

    @inline(never)
    func callAsFunction() -> any Service { body() }
}

let benchmarks: @Sendable () -> Void = {
    let floor = FloorContainer()
    floor.set((any Service).self, LiveService())
    let container = Container()
    container.register((any Service).self) { LiveService() }
    let transient = Container()
    transient.register((any Service).self, scope: .unique) { LiveService() }
    let make = Opaque { LiveService() }
    let existing = LiveService()
    let kept = Opaque { existing }

    work("container-get", batch: 1_000) { count in
        for _ in 0..<count { blackHole(floor.get((any Service).self)) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.get((any Service).self)) }
    }
    work("container-property", batch: 1_000) { count in
        for _ in 0..<count { blackHole(floor.get((any Service).self)) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.keptService()) }
    }
    work("container-singleton", batch: 1_000) { count in
        for _ in 0..<count { blackHole(floor.get((any Service).self)) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.onlyService()) }
    }
    work("container-define", batch: 1_000) { count in
        for _ in 0..<count { blackHole(kept()) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.newService) }
    }
    work("container-unique", batch: 1_000) { count in
        for _ in 0..<count { blackHole(make()) }
    } ours: { count in
        for _ in 0..<count { blackHole(container.newService()) }
    }
    work("container-unique-get", batch: 1_000) { count in
        for _ in 0..<count { blackHole(make()) }
    } ours: { count in
        for _ in 0..<count { blackHole(transient.get((any Service).self)) }
    }
    let child = Container(parent: container)
    work("container-child", batch: 1_000) { count in
        for _ in 0..<count { blackHole(kept()) }
    } ours: { count in
        for _ in 0..<count { blackHole(child.get((any Service).self)) }
    }
    let held = container.sharedService()
    work("container-weak", batch: 1_000) { count in
        for _ in 0..<count { blackHole(kept()) }
    } ours: { count in
        withExtendedLifetime(held) {
            for _ in 0..<count { blackHole(container.sharedService()) }
        }
    }
    Container.shared.register((any Service).self) { LiveService() }
    work("container-shared-get", batch: 1_000) { count in
        for _ in 0..<count { blackHole(kept()) }
    } ours: { count in
        for _ in 0..<count { blackHole(Container.shared.get((any Service).self)) }
    }
    work("container-shared-unique", batch: 1_000) { count in
        for _ in 0..<count { blackHole(make()) }
    } ours: { count in
        for _ in 0..<count { blackHole(Container.shared.newService()) }
    }
    work("container-follow-get", batch: 1_000) { count in
        for _ in 0..<count { blackHole(kept()) }
    } ours: { count in
        withExtendedLifetime(ActiveMarket.store) {
            for _ in 0..<count { blackHole(Container.shared.get((any MarketService).self)) }
        }
    }
    work("container-follow-unique", batch: 1_000) { count in
        for _ in 0..<count { blackHole(make()) }
    } ours: { count in
        withExtendedLifetime(ActiveMarket.store) {
            for _ in 0..<count { blackHole(Container.shared.newService()) }
        }
    }
}
