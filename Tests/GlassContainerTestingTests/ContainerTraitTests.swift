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
    /// Each case finds nothing of the others, although they run in parallel.
    @Test(arguments: 0..<20) func eachTestHasItsOwnContainerAndSingletons(_ index: Int) {
        #expect(Container.shared.registrations.isEmpty)
        let clock = Container.shared.clock()
        let only = Container.shared.only()
        #expect(Container.shared.clock() === clock)
        #expect(Container.shared.only() === only)
        Container.shared.only.register { MockClock() }
        #expect(Container().only() is LiveClock)
    }

    @Test(.container { $0.clock.register { MockClock() } }) func aContainerIsPrepared() {
        #expect(Container.shared.clock() is MockClock)
    }

    @Test(.container(try prepared(fails: false))) func aContainerThatIsMadeForATestIsTheSharedOne() {
        #expect(Container.shared.clock() is MockClock)
    }

    /// The test whose container cannot be made fails, and its body does not run.
    @Test func whatMakingTheContainerThrowsIsTheTestsFailure() async throws {
        let trait: ContainerTrait<Container> = .container(try prepared(fails: true))
        let test = try #require(Test.current)
        await #expect(throws: NoContainer.self) {
            try await trait.provideScope(for: test, testCase: nil) {
                Issue.record("the test ran without its container")
            }
        }
    }

    @Test func aContainerOfATestIsNotTheProcess() async {
        let inner = Container.shared
        await withContainer(shared: Container.$shared, container: Container()) {
            #expect(Container.shared !== inner)
        }
        #expect(Container.shared === inner)
    }

    @Test(.other { $0.clock.register { MockClock() } }) func anyContainerCanHaveATrait() {
        #expect(OtherContainer.shared.clock() is MockClock)
    }

    @Test(.container.strict()(transform: { $0.clock.register { MockClock() } })) func aMockedServiceIsNoIssue() {
        #expect(Container.shared.clock() is MockClock)
    }

    @Test(.container.strict()) func aLiveServiceIsAnIssueWithItsName() {
        withKnownIssue {
            _ = Container.shared.clock()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("Clock (clock) is live (GlassContainerTestingTests/") }
        }
    }

    @Test(.container.strict(allowing: [(any Clock).self])) func anAllowedServiceMayBeLive() {
        #expect(Container.shared.clock() is LiveClock)
    }
}
