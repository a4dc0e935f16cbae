import GlassContainer
import GlassDeepLinking
import GlassSchema
import Testing

@testable import GlassMarkets

/// Modules that declare a name twice, and declarations that trap because they cannot be used, with the position of each
/// declaration.
struct ModuleContradictionTests {
    private static func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    private static let here = "GlassMarketsTests/ModuleContradictionTests.swift"

    @Test func duplicateSectionIsReported() throws {
        let module = MarketModule.base.including(MarketModule("other", sections: [OtherPoints.self], line: 7))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        let text = error.description
        #expect(text.contains("both base (GlassMarketsTests/ModuleFixtures.swift:"), "\(text)")
        #expect(text.contains("and other (\(Self.here):7) declare the section points; rename one, or use overriding"))
    }

    @Test func duplicateRoutableIsReported() throws {
        let module = MarketModule.base.including(MarketModule("other", asyncRoutables: [SlowFlyers.self], line: 7))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(error.description.contains("and other (\(Self.here):7) declare the routable flyers;"))
    }

    @Test func duplicateServiceIsReported() throws {
        let clock = Service((any Clock).self, "The time.", line: 7) { _ in NamedClock(name: "") }
        let module = MarketModule.base.including(MarketModule("other", services: [clock]))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(error.description.contains("and other (\(Self.here):7) declare the service Clock;"))
    }

    @Test func duplicatePreconditionIsReported() throws {
        let ready = Precondition("ready", "x", line: 7)
        let module = MarketModule.base.including(MarketModule("other", preconditions: [ready]))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(error.description.contains("and other (\(Self.here):7) declare the precondition ready;"))
    }

    @Test func duplicateHandlerIsReported() throws {
        let handler = LinkHandler("openBadge", "x", line: 7) { _, _, _ in true }
        let module = MarketModule.base.including(MarketModule("other", handlers: [handler]))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(error.description.contains("and other (\(Self.here):7) declare the handler openBadge;"))
    }

    @Test func duplicateDeclarationInOneModuleIsReported() throws {
        let module = MarketModule("one", routables: [Flyers.self, OwnFlyers.self], line: 7)
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(
            error.description.contains(
                "both one (\(Self.here):7) and one (\(Self.here):7) declare the routable"))
    }

    @Test func sameContradictionIsReportedInEachRun() throws {
        let names = (1...30).map { "p\($0 + 10)" }
        let (a, b) = (
            MarketModule("a", preconditions: names.map { Precondition($0, "x") }),
            MarketModule("b", preconditions: names.reversed().map { Precondition($0, "x") })
        )
        let module = a.including(b)
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(error.description.contains("declare the precondition p11;"))
    }

    @Test func moduleCannotBeIncludedTwice() throws {
        let feature = MarketModule("feature", preconditions: [Precondition("x", "x")])
        let module = MarketModule.base.including(feature).including(feature)
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        #expect(error.description.contains("declare the precondition x;"))
    }

    /// Sixty modules of one app with the same names: each clash is listed once, and the first declaration counts.
    @Test func everyClashIsListed() throws {
        let modules = (1...60).map { index in
            MarketModule(
                "m\(index)", preconditions: [Precondition("ready", "x"), Precondition("own\(index)", "x")],
                handlers: [LinkHandler("open\(index % 30)", "x") { _, _, _ in true }])
        }
        let module = modules.reduce(MarketModule.base) { $0.including($1) }
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        // base declares `ready`; each handler is declared by two modules.
        #expect(error.descriptions.count == 60 + 30)
        #expect(Set(error.descriptions).count == 90)
        #expect(error.descriptions.first?.hasPrefix("both base (") == true)
        #expect(module.preconditions.count { $0.name == "ready" } == 1)
        #expect(module.preconditions.count { $0.name.hasPrefix("own") } == 60)
        #expect(module.handlers.count { $0.name.hasPrefix("open") } == MarketModule.base.handlers.count + 30)
        try MarketModule.base.validate()
    }

    @Test func marketKeyNamesMatchDeclaredKeys() {
        #expect(MarketDefinition.keyNames == MarketDefinition.keys.map(\.declaration.name))
    }

    @Test(arguments: ["id", "name", "extends", "locales", "currency", "deepLinking", "preconditions", "routables"])
    func marketKeysAreReserved(key: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
            Keyed.key = key
            _ = MarketModule("m", sections: [Keyed.self])
        }
        #expect(Self.said(result).contains("declares the section \(key), a key that every market has or will have"))
    }

    @Test(arguments: ["conditions", "overlays", "vary", "flags"])
    func keysForFutureUseAreReserved(key: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
            Keyed.key = key
            _ = MarketModule("m", sections: [Keyed.self])
        }
        #expect(Self.said(result).contains("declares the section \(key), a key that every market has or will have"))
    }

    @Test func nameThatMarketsCannotSpellTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule("m", preconditions: [Precondition("signed-in", "x")])
        }
        #expect(Self.said(result).contains("declares the precondition \"signed-in\"; expected "))
    }

    @Test(arguments: ["paths", "customPaths", "waitForPreconditions", "show", "handler", "handle", "deprecated"])
    func customKeyThatEveryRoutableHasTraps(key: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
            Keyed.key = key
            _ = MarketSchema(MarketModule("m", routables: [KeyedRoutable.self]))
        }
        #expect(
            Self.said(result).contains("KeyedRoutable declares the key \(key), which every routable has; rename it"))
    }

    // MARK: Overriding and keeping

    @Test func overridingMissingServiceTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule("m", services: [.counter]).overriding(services: [.clock("x")])
        }
        let text = Self.said(result)
        #expect(text.contains("overrides the service Clock, which m does not have"), "\(text)")
        #expect(text.contains("GlassMarketsTests/ModuleFixtures.swift:"))
    }

    @Test func overridingMissingRoutableTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule("m", routables: [KeyedRoutable.self])
                .overriding(routables: [OwnFlyers.self], line: 7)
        }
        #expect(
            Self.said(result).contains(
                "\(Self.here):7: OwnFlyers overrides the routable flyers, which m does not have; did you mean flyer?"))
    }

    @Test func overridingMissingPreconditionTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.base.overriding(preconditions: [Precondition("read", "x", line: 7)])
        }
        #expect(
            Self.said(result).contains(
                "\(Self.here):7 overrides the precondition read, which base does not have; did you mean ready?"))
    }

    @Test func keepingMissingServiceTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule("m", services: [.counter]).keeping((any Clock).self, line: 7)
        }
        #expect(Self.said(result).contains("\(Self.here):7: m has no service Clock to keep"))
    }
}

/// A section and a routable key whose name a test sets in the process of its exit test.
struct Keyed: MarketSection {
    // Written once, by the only test in the process.
    nonisolated(unsafe) static var key = "keyed"
    static let summary = "Something."
    static var keys: [ConfigurationKey<Self>] { [.init(key, \.value, .integer(0...1), "Something.")] }
    var value = 0
}

struct KeyedRoutable: MarketRoutable {
    static let feature = Feature(id: "flyer", paths: ["flyer"], "A flyer.")
    init(container: Container, configuration: Keyed) {}
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}
