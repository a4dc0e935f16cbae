import GlassContainer
import GlassContainerTesting
import Testing

private protocol Clock: AnyObject, Sendable {}
private final class LiveClock: Clock {}
private final class MockClock: Clock {}

extension Container {
    fileprivate var clock: Factory<any Clock> { self { LiveClock() }.cached }
    fileprivate var only: Factory<any Clock> { self { LiveClock() }.singleton }
}

private struct NoContainer: Error {}

private func prepared(fails: Bool) throws -> Container {
    guard !fails else { throw NoContainer() }
    let container = Container()
    container.clock.register { MockClock() }
    return container
}

private final class OtherContainer: SharedContainer {
    @TaskLocal static var shared = OtherContainer()
    let manager = ContainerManager()

    var clock: Factory<any Clock> { self { LiveClock() }.cached }
}

extension Trait where Self == ContainerTrait<OtherContainer> {
    fileprivate static var other: Self { Self(shared: OtherContainer.$shared, container: OtherContainer()) }
}

@Suite(.container) struct ContainerTraitTests {
    /// The cases share nothing although they run in parallel.
    @Test(arguments: 0..<20) func eachTestHasItsOwnContainerAndSingletons(_ index: Int) {
        #expect(Container.shared.registrations.isEmpty)
        let clock = Container.shared.clock()
        let only = Container.shared.only()
        #expect(Container.shared.clock() === clock)
        #expect(Container.shared.only() === only)
        Container.shared.only.register { MockClock() }
        #expect(Container().only() is LiveClock)
    }

    @Test(.container { $0.clock.register { MockClock() } }) func containerIsPrepared() {
        #expect(Container.shared.clock() is MockClock)
    }

    @Test(.container(try prepared(fails: false))) func containerCreatedForTestIsShared() {
        #expect(Container.shared.clock() is MockClock)
    }

    /// If the container can't be created, the test fails and its body does not run.
    @Test func errorWhileCreatingContainerFailsTest() async throws {
        let trait: ContainerTrait<Container> = .container(try prepared(fails: true))
        let test = try #require(Test.current)
        await #expect(throws: NoContainer.self) {
            try await trait.provideScope(for: test, testCase: nil) {
                Issue.record("the test ran without its container")
            }
        }
    }

    @Test func containerOfTestIsNotTheProcessContainer() async {
        let inner = Container.shared
        await withContainer(shared: Container.$shared, container: Container()) {
            #expect(Container.shared !== inner)
        }
        #expect(Container.shared === inner)
    }

    @Test(.other { $0.clock.register { MockClock() } }) func traitAcceptsAnyContainer() {
        #expect(OtherContainer.shared.clock() is MockClock)
    }

    @Test(.container.strict()(transform: { $0.clock.register { MockClock() } })) func mockedServiceIsNotAnIssue() {
        #expect(Container.shared.clock() is MockClock)
    }

    @Test(.container.strict()) func liveServiceIsReportedByName() {
        withKnownIssue {
            _ = Container.shared.clock()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("Clock (clock) is live (GlassContainerTestingTests/") }
        }
    }

    @Test(.container.strict(allowing: [(any Clock).self])) func allowedServiceMayBeLive() {
        #expect(Container.shared.clock() is LiveClock)
    }
}

extension Container {
    fileprivate var debugged: Factory<any Clock> {
        self { LiveClock() }.onDebug(file: "App/Services.swift", line: 5) { LiveClock() }
    }
    fileprivate var tested: Factory<any Clock> {
        self(file: "App/Services.swift", line: 8) { LiveClock() }.onTest(file: "App/Services.swift", line: 8) {
            LiveClock()
        }
    }
    fileprivate var argued: ParameterFactory<Int, any Clock> {
        self { _ in LiveClock() }.onArg("argued", file: "App/Services.swift", line: 9) { _ in LiveClock() }
    }
    fileprivate var typed: Factory<any Clock> {
        registered().onTest(file: "App/Services.swift", line: 10) { LiveClock() }
    }
    fileprivate var once: Factory<any Clock> {
        self(file: "App/Services.swift", line: 11) { LiveClock() }.onTest(file: "App/Services.swift", line: 11) {
            LiveClock()
        }
        .once()
    }
}

#if DEBUG
    /// A registration in a test that a context of the property takes precedence over, as in Factory, is an issue of the
    /// test.
    @Suite(.container) struct OverruledTests {
        /// The lines of the issue that `body` reports.
        private func lines(_ body: () -> Void) -> [String] {
            let lines = Lines()
            withKnownIssue(isIntermittent: true) {
                body()
            } matching: { issue in
                lines.append(issue.comments.map(\.rawValue))
                return true
            }
            return lines.all
        }

        private final class Lines: @unchecked Sendable {
            // Only accessed by the test's thread.
            private(set) var all: [String] = []
            func append(_ lines: [String]) { all += lines }
        }

        @Test func registrationOverriddenByContextIsReportedWithBothPositions() {
            let told = lines {
                Container.shared.debugged.register(file: "Tests/A.swift", line: 3) { MockClock() }
                #expect(Container.shared.debugged() is LiveClock)
                _ = Container.shared.debugged()
            }
            #expect(
                told == [
                    """
                    the registration for Clock (debugged) at Tests/A.swift:3 has no effect: its onDebug at \
                    App/Services.swift:5 takes precedence
                      hint: register the mock with onTest, which precedes onDebug, or end the property with once() and \
                    register the mock with onDebug
                    """
                ])
        }

        @Test(.container.strict()) func overriddenRegistrationIsAlsoReportedInStrictMode() {
            let told = lines {
                Container.shared.tested.register(file: "Tests/A.swift", line: 3) { MockClock() }
                _ = Container.shared.tested()
            }
            #expect(
                told == [
                    """
                    the registration for Clock (tested) at Tests/A.swift:3 has no effect: its onTest at \
                    App/Services.swift:8 takes precedence
                      hint: end the property with once() and register the mock with onTest
                    """
                ])
        }

        @Test func contextSetAgainByPropertyIsReportedWithBothPositions() {
            let told = lines {
                Container.shared.tested.onTest(file: "Tests/A.swift", line: 3) { MockClock() }
                #expect(Container.shared.tested() is LiveClock)
            }
            #expect(
                told == [
                    """
                    the onTest of Clock (tested) at Tests/A.swift:3 has no effect: the property's own onTest at \
                    App/Services.swift:8 replaces it each time the property is read
                      hint: end the property with once()
                    """
                ])
        }

        @Test func overriddenParameterAndTypePropertiesAreReported() {
            FactoryContext.setArg("argued", forKey: "OverruledTests")
            Container.shared.register((any Clock).self, file: "Tests/A.swift", line: 4) { MockClock() }
            let told = lines {
                Container.shared.argued.register(file: "Tests/A.swift", line: 3) { _ in MockClock() }
                _ = Container.shared.argued(1)
                _ = Container.shared.typed()
            }
            #expect(told.count == 2)
            #expect(told.first?.hasPrefix("the registration for Clock (argued) at Tests/A.swift:3") == true)
            #expect(told.first?.contains(#"its onArg("argued") at App/Services.swift:9 takes precedence"#) == true)
            #expect(
                told.last?.hasPrefix(
                    "the registration for Clock at Tests/A.swift:4 has no effect: its onTest at App/Services.swift:10"
                )
                    == true)
        }

        /// In a child and from a parent: the property's context is the child's.
        @Test func overriddenRegistrationInParentIsReported() {
            let told = lines {
                Container.shared.tested.register(file: "Tests/A.swift", line: 3) { MockClock() }
                _ = Container(parent: Container.shared).tested()
            }
            #expect(told.count == 1)
        }

        @Test func effectiveRegistrationIsNotReported() {
            Container.shared.clock.register { MockClock() }
            #expect(Container.shared.clock() is MockClock)
            Container.shared.debugged.onTest { MockClock() }
            #expect(Container.shared.debugged() is MockClock)
            Container.shared.once.onTest(file: "Tests/A.swift", line: 3) { MockClock() }
            #expect(Container.shared.once() is MockClock)
            // Two positions outside a property; the last one wins.
            for line in [3, 4, 3] as [UInt] {
                Container.shared.clock.onTest(file: "GlassContainerTestingTests/ContainerTraitTests.swift", line: line)
                {
                    MockClock()
                }
            }
            #expect(Container.shared.clock() is MockClock)
            Container.shared.argued.register { _ in MockClock() }
            #expect(Container.shared.argued(1) is MockClock, "its launch argument is not set")
        }
    }
#endif

/// Each test changes its own context, even when tests run in parallel.
@Suite(.container) struct FactoryContextTests {
    @Test(arguments: 0..<20) func eachTestHasItsOwnContext(_ index: Int) async {
        #expect(FactoryContext.current.runtimeArguments["FactoryContextTests"] == nil)
        FactoryContext.setArg("argument \(index)", forKey: "FactoryContextTests")
        FactoryContext.current.isSimulator = index.isMultiple(of: 2)
        for _ in 0..<10 { await Task.yield() }
        #expect(FactoryContext.current.runtimeArguments["FactoryContextTests"] == "argument \(index)")
        #expect(FactoryContext.current.isSimulator == index.isMultiple(of: 2))
        #expect(await Task { FactoryContext.current.isSimulator }.value == index.isMultiple(of: 2))
        Container.shared.clock.onArg("argument \(index)") { MockClock() }.onArg("argument \(index + 1)") { LiveClock() }
        #expect(Container.shared.clock() is MockClock)
    }

    @Test func contextOfTestIsNotTheProcessContext() async {
        await withContainer(shared: Container.$shared, container: Container()) {
            FactoryContext.setArg("inner", forKey: "inner")
        }
        #expect(FactoryContext.current.runtimeArguments["inner"] == nil)
    }
}
