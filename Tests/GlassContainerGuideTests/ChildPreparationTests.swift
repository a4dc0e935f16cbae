public import GlassContainer
import Testing

/// The effect of a container's `autoRegister` in the current task; the conformance itself applies to the whole process.
///
/// A structure rather than the function itself: an optimizing Swift 6.3.1 binds a task-local function with a null type.
private struct Preparation: Sendable {
    @TaskLocal static var current: Preparation?

    let body: @Sendable (Container) -> Void
}

extension Container: AutoRegistering {
    /// Runs the current task's preparation.
    public func autoRegister() { Preparation.current?.body(self) }
}

extension Container {
    fileprivate var name: Factory<String> { self { "own" } }
    fileprivate var keptName: Factory<String> { self { "own" }.cached }
    fileprivate var salutation: ParameterFactory<String, String> { self { "Hi \($0)" } }
}

/// A child sees what its parent registers in `autoRegister`, however early it is read.
@Suite struct ChildPreparationTests {
    private func withOverrides(_ body: () -> Void) {
        let preparation = Preparation { container in
            container.name.register { "registered" }
            container.keptName.register { "registered" }
            container.salutation.register { "Hello \($0)" }
        }
        Preparation.$current.withValue(preparation, operation: body)
    }

    @Test func propertyReadFirstInChildIsTheParents() {
        withOverrides {
            #expect(Container(parent: Container()).name() == "registered")
            #expect(Container(parent: Container()).keptName() == "registered")
            #expect(Container(parent: Container()).salutation("Ann") == "Hello Ann")
        }
    }

    @Test func grandchildPreparesOutermostParent() {
        withOverrides {
            #expect(Container(parent: Container(parent: Container())).name() == "registered")
        }
    }

    @Test func childReadsPropertyAgainAfterParentsReset() {
        let parent = Container()
        let child = Container(parent: parent)
        #expect(child.name() == "own")
        #expect(child.name() == "own")
        withOverrides {
            parent.manager.reset(options: .registration)
            #expect(child.name() == "registered")
        }
    }

    /// A container that follows another under its own lock prepares it beforehand, so that no app code runs under the
    /// lock.
    @Test func followingPreparedContainerRunsNoAppCode() {
        let (container, market) = (Container(), Container())
        withOverrides {
            market.prepareForFollowing()
            #expect(market.name() == "registered")
            market.reset()
        }
        let runs = Preparation { _ in Issue.record("autoRegister ran while the container was followed") }
        Preparation.$current.withValue(runs) { _ = container.follow(market, isPrepared: true) }
        withOverrides { #expect(container.name() == "registered", "it runs when a service is read") }
    }
}
