public import GlassContainer
import Testing

/// What `autoRegister` of a container does in the task at hand: the conformance holds for the process.
private enum Preparation {
    @TaskLocal static var body: (@Sendable (Container) -> Void)?
}

extension Container: AutoRegistering {
    /// What the task's preparation does.
    public func autoRegister() { Preparation.body?(self) }
}

extension Container {
    fileprivate var name: Factory<String> { self { "own" } }
    fileprivate var keptName: Factory<String> { self { "own" }.cached }
    fileprivate var salutation: ParameterFactory<String, String> { self { "Hi \($0)" } }
}

/// A child sees what its parent registers in `autoRegister`, however early it looks.
@Suite struct ChildPreparationTests {
    private func withOverrides(_ body: () async throws -> Void) async rethrows {
        try await Preparation.$body.withValue({ container in
            container.name.register { "registered" }
            container.keptName.register { "registered" }
            container.salutation.register { "Hello \($0)" }
        }) { try await body() }
    }

    @Test func aPropertyReadInAChildFirstIsTheParents() async {
        await withOverrides {
            #expect(Container(parent: Container()).name() == "registered")
            #expect(Container(parent: Container()).keptName() == "registered")
            #expect(Container(parent: Container()).salutation("Ann") == "Hello Ann")
        }
    }

    @Test func aGrandchildPreparesTheOutermostParent() async {
        await withOverrides {
            #expect(Container(parent: Container(parent: Container())).name() == "registered")
        }
    }

    @Test func aPropertyThatAChildHasReadIsSeenAnewAfterTheParentsReset() async {
        let parent = Container()
        let child = Container(parent: parent)
        #expect(child.name() == "own")
        #expect(child.name() == "own")
        await withOverrides {
            parent.manager.reset(options: .registration)
            #expect(child.name() == "registered")
        }
    }
}
