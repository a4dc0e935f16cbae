import GlassContainer
@testable import GlassMarketFiles
import GlassMarkets
import Observation
import MarketTesting
import Testing
import GlassAuthoring

/// `Container.shared` follows the active market. That is a property of the process, so each test runs in its own.
struct MarketActivationTests {
    @Test func sharedFollowsActiveMarketAndReloads() async {
        await #expect(processExitsWith: .success) {
            let fixture = try SmallMarket.fixture(version: 1)
            let log = DisposalLog()
            let store = MarketStore(SmallMarket.loader(of: fixture, log: log))
            #expect(Container.shared.getIfRegistered(Probe.self) == nil, "no service before a market is active")
            store.reload("t")
            #expect(Container.shared.getIfRegistered(Probe.self) == nil, "loading does not bind a market")
            #expect(store.active == nil)

            try store.activate("t")
            #expect(store.active?.id == "t")
            #expect(Container.shared.get(Probe.self).version == "v1")
            let seenElsewhere = await Task.detached { Container.shared.get(Probe.self).version }.value
            #expect(seenElsewhere == "v1")

            var events = store.events().makeAsyncIterator()
            let bound = try #require(store.market("t"))
            try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
            store.reload("t")
            _ = await events.next()
            #expect(Container.shared.get(Probe.self).version == "v2", "when a reload is reported, it is complete")
            bound.withShared { #expect(Container.shared.get(Probe.self).version == "v1") }

            try fixture.write("return {", to: "t.lua")
            store.reload("t")
            #expect(Container.shared.get(Probe.self).version == "v2", "a rejected file changes nothing")

            store.retire("t")
            #expect(store.active == nil)
            #expect(Container.shared.getIfRegistered(Probe.self) == nil)
        }
    }

    @Test func injectedPropertiesKeepOrFollowAsDocumented() async {
        await #expect(processExitsWith: .success) {
            let fixture = try SmallMarket.fixture(version: 1)
            let store = MarketStore(SmallMarket.loader(of: fixture))
            try store.activate("t")
            let view = ProbeView()
            #expect(view.injected.version == "v1" && view.dynamic.version == "v1")
            let badge = Container.shared.badge()
            #expect(Container.shared.badge() === badge)

            try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
            store.reload("t")
            #expect(view.injected.version == "v1", "an injected value stays")
            #expect(view.dynamic.version == "v2", "a value that is read each time follows")
            #expect(view.lazy.version == "v2", "a value that is first read now is the new one")
            #expect(Container.shared.badge() !== badge, "an instance cached by a property is dropped with its market")
            #expect(Container.shared.badge().probe.version == "v2")
        }
    }

    @Test func registrationsOfAppTakePrecedence() async {
        await #expect(processExitsWith: .success) {
            let fixture = try SmallMarket.fixture(version: 1)
            let store = MarketStore(SmallMarket.loader(of: fixture))
            try store.activate("t")
            Container.shared.register(Part.self) { _ in Part(version: "own", log: DisposalLog()) }
            #expect(Container.shared.get(Part.self).version == "own")
            #expect(Container.shared.get(Probe.self).part.version == "v1", "it does not apply inside the market")
            try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
            store.reload("t")
            #expect(Container.shared.get(Part.self).version == "own")
            Container.shared.reset()
            #expect(Container.shared.get(Part.self).version == "v2", "a reset does not end the following")
        }
    }

    @Test func marketThatCannotBeLoadedKeepsActiveOne() async {
        await #expect(processExitsWith: .success) {
            let fixture = try SmallMarket.fixture(version: 1)
            let store = MarketStore(SmallMarket.loader(of: fixture))
            try store.activate("t")
            try fixture.write("return { id = \"b\" }", to: "b.lua")
            #expect(throws: MarketError.self) { try store.activate("b") }
            #expect(store.active?.id == "t" && Container.shared.get(Probe.self).version == "v1")
        }
    }

    @Test func activeMarketIsObservable() async {
        await #expect(processExitsWith: .success) {
            let fixture = try SmallMarket.fixture(version: 1)
            let store = MarketStore(SmallMarket.loader(of: fixture))
            let changes = Lines()
            func observe() {
                withObservationTracking {
                    _ = store.active
                } onChange: {
                    changes.append("change")
                }
            }
            observe()
            try store.activate("t")
            #expect(changes.all.count == 1)
            observe()
            try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
            store.reload("t")
            #expect(changes.all.count == 2)
            observe()
            store.retire("t")
            #expect(changes.all.count == 3)
        }
    }

    @Test func containerStaysIntactWhileReferenced() async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let log = DisposalLog()
        let store = MarketStore(SmallMarket.loader(of: fixture, log: log))
        store.reload("t")
        var container = store.market("t")?.container
        _ = container?.get(Probe.self)
        store.retire("t")
        // The market is released, but its container is not: a view model that retains it still works.
        #expect(store.retiredCount == 1)
        #expect(container?.get(Probe.self).version == "v1" && log.names == [])
        container = nil
        await store.waitForRetiredMarkets()
        #expect(log.names == ["probe v1", "part v1"])
    }

    @Test func marketWithoutStoreIsDisposedOf() async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let log = DisposalLog()
        do { _ = try SmallMarket.loader(of: fixture, log: log).load("t").container.get(Probe.self) }
        for _ in 0..<5_000 where log.names.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(log.names == ["probe v1", "part v1"])
    }
}

extension Container {
    fileprivate var probe: Factory<Probe> { registered() }
    fileprivate var badge: Factory<Badge> { self { Badge(probe: self.probe()) }.cached }
}

private final class Badge: Sendable {
    let probe: Probe
    init(probe: Probe) { self.probe = probe }
}

private final class ProbeView {
    @Injected(\.probe) var injected
    @LazyInjected(\.probe) var lazy
    @DynamicInjected(\.probe) var dynamic
}
