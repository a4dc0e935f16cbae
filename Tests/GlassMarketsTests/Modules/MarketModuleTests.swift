import GlassContainer
import GlassDeepLinking
@testable import GlassMarkets
import GlassSchema
import Testing

/// The contents of combined modules.
struct MarketModuleTests {
    @Test func includingCombinesContentsUnderFirstName() {
        let other = MarketModule(
            "other", secretPrefixes: ["OTHER_"],
            services: [Service((any Other).self, "Something else.") { _ in Something() }],
            preconditions: [Precondition("signedIn", "Someone is signed in.")])
        let both = MarketModule.base.including(other)
        #expect(both.name == "base")
        #expect(both.services.map(\.name) == ["Clock", "Counter", "Other", "Unrelated"])
        #expect(both.preconditions.map(\.name) == ["ready", "signedIn"])
        #expect(both.handlers.map(\.name) == ["openBadge"])
        #expect(both.secretPrefixes == ["OTHER_"])
        #expect(MarketModule.base.services.count == 3)
    }

    @Test func sharedSecretPrefixIsListedOnce() {
        let (a, b) = (MarketModule("a", secretPrefixes: ["X_"]), MarketModule("b", secretPrefixes: ["X_", "Y_"]))
        #expect(a.including(b).secretPrefixes == ["X_", "Y_"])
    }

    @Test func overriddenServiceIsUsedByOtherServices() {
        let module = MarketModule.base.overriding(services: [.clock("mock")])
        #expect(module.services.map(\.name) == MarketModule.base.services.map(\.name))
        let counter = Container(module: module).get((any Counter).self) as? PointsCounter
        #expect(counter?.clock.name == "mock")
    }

    @Test func overriddenRoutableReplacesSameID() {
        let module = MarketModule.base.overriding(routables: [OwnFlyers.self])
        #expect(module.features.map(\.paths) == [["own/flyers"]])
    }

    @Test func routableAndAsyncRoutableReplaceEachOther() {
        let slow = MarketModule.base.overriding(asyncRoutables: [SlowFlyers.self])
        #expect(slow.routables.isEmpty)
        #expect(slow.features.map(\.paths) == [["slow/flyers"]])
        let back = slow.overriding(routables: [Flyers.self])
        #expect(back.asyncRoutables.isEmpty)
        #expect(back.features.map(\.paths) == [["flyers"]])
    }

    @Test func lastOverrideOfSameIDWins() {
        let module = MarketModule.base.overriding(routables: [OwnFlyers.self, Flyers.self])
        #expect(module.features.map(\.paths) == [["flyers"]])
    }

    @Test func keepingIncludesRequiredServices() {
        let module = MarketModule.base.keeping((any Counter).self)
        #expect(module.services.map(\.name) == ["Clock", "Counter"])
        #expect(module.sections.count == 1)
        #expect(module.features.map(\.id) == ["flyers"])
        #expect(MarketModule.base.keeping().services.isEmpty)
    }

    @Test func keepingFollowsCyclicRequirements() {
        let module = MarketModule(
            "circle",
            services: [
                Service((any Clock).self, requires: [(any Counter).self], "A.") { _ in NamedClock(name: "") },
                Service((any Counter).self, requires: [(any Clock).self], "B.") { c in
                    PointsCounter(perDollar: 1, clock: c.get())
                },
            ])
        #expect(module.keeping((any Clock).self).services.count == 2)
    }

    @Test func serviceIsFoundByName() {
        #expect(MarketModule.base.service(named: "Counter")?.requires.count == 2)
        #expect(MarketModule.base.service(named: "Nobody") == nil)
    }

    // MARK: Without a market

    @Test func containerOfModuleHasServicesAndDefaultSections() {
        let container = Container(module: .base)
        #expect(container.get((any Counter).self).perDollar == 2)
        #expect(container.get(Points.self) == Points())
        #expect(container.get(MarketDefinition.self).id.isEmpty)
        #expect(container.get(DeepLinkConfiguration.self) == DeepLinkConfiguration())
    }

    @Test func containerOfModuleIsComplete() {
        let report = Container(module: .base).validate(requiring: MarketModule.base.serviceTypes)
        #expect(report.findings.isEmpty, "\(report)")
    }

    @Test func serviceIsCreatedOncePerContainer() {
        let made = Counted()
        let module = MarketModule(
            "counting",
            services: [
                Service((any Clock).self, "The time.") { _ in
                    made.add()
                    return NamedClock(name: "")
                }
            ])
        let container = Container(module: module)
        #expect(made.count == 0)
        _ = (container.get((any Clock).self), container.get((any Clock).self))
        #expect(made.count == 1)
        _ = Container(module: module).get((any Clock).self)
        #expect(made.count == 2)
    }
}
