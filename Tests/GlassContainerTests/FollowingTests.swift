import GlassBase
import GlassContainer
import Synchronization
import TestSupport
import Testing

/// Records which container created it.
private final class Label: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// Created from a label that is resolved where the sign is registered.
private final class Sign: Sendable {
    let label: Label

    init(container: Container) {
        label = container.get()
    }
}

extension Container {
    fileprivate var label: Factory<Label> { registered() }
    fileprivate var sign: Factory<Label> { self { Label("sign of \(self.get(Label.self).text)") }.cached }
    fileprivate var weakSign: Factory<Label> { self { Label("weak sign of \(self.get(Label.self).text)") }.shared }
    fileprivate var visit: Factory<Label> { self { Label("visit of \(self.get(Label.self).text)") }.scope(.visit) }
    fileprivate var onlySign: Factory<Label> { self { Label("only sign of \(self.get(Label.self).text)") }.singleton }
    fileprivate var newLabel: Factory<Label> { self { Label("defined") } }
    fileprivate var numbered: ParameterFactory<Int, Label> { self { Label("defined \($0)") } }
}

extension Scope {
    fileprivate static let visit = Cached()
}

private final class OtherContainer: SharedContainer {
    @TaskLocal static var shared = OtherContainer()
    let manager = ContainerManager()
    var label: Factory<Label> { self { Label("other") }.cached }
}

private final class Screen {
    @Injected(\.label) var injected
    @LazyInjected(\.label) var lazy
    @DynamicInjected(\.label) var dynamic
}

private func market(_ text: String) -> Container {
    let market = Container()
    market.register(Label.self) { Label(text) }
    market.register(Label.self, name: "new", scope: .unique) { Label(text) }
    market.register(Label.self, name: "weak", scope: .shared) { Label(text) }
    market.register(Sign.self, Sign.init)
    return market
}

@Suite struct FollowingTests {
    /// Stands in for a process's `Container.shared`.
    private let root = Container()
    private let canada = market("ca")
    private let mexico = market("mx")

    @Test func containerFollowingNoneHasOnlyItsOwnServices() {
        #expect(root.parent == nil)
        #expect(root.getIfRegistered(Label.self) == nil)
        root.follow(canada)
        root.follow(nil)
        #expect(root.parent == nil)
        #expect(!root.isRegistered(Label.self))
        #expect(throws: ContainerError.self) { try root.require(Label.self) }
    }

    @Test func followerResolvesFollowedServices() throws {
        root.follow(canada)
        #expect(root.parent === canada)
        #expect(root.isRegistered(Label.self, name: "new"))
        let label: Label = root.get()
        #expect(label === canada.get(Label.self))
        #expect(label === root.get(Label.self))
        #expect(try root.require(Label.self) === label)
        #expect(root.getIfRegistered(Label.self) === label)
        #expect(root.label() === label)
        #expect(root.get(Label.self, name: "new").text == "ca")
        let weakly = root.get(Label.self, name: "weak")
        #expect(root.get(Label.self, name: "weak") === weakly)
        #expect(root.all(of: Label.self).map(\.text) == ["ca", "ca", "ca"])
        #expect(try root.require(named: "Label", as: Label.self) === label)
        #expect(Container(parent: root).get(Label.self) === label)
    }

    @Test func followedFactoriesReceiveFollowedContainer() {
        root.register(Label.self) { Label("app") }
        root.follow(canada)
        #expect(root.get(Label.self).text == "app")
        #expect(root.get(Sign.self).label.text == "ca")
        #expect(canada.get(Label.self).text == "ca")
        root.follow(mexico)
        #expect(root.get(Label.self).text == "app")
        #expect(root.get(Sign.self).label.text == "mx")
    }

    @Test func uniqueServiceIsCreatedByItsContainerEachTime() {
        func register(_ container: Container) {
            container.register(A.self, scope: .unique) { _ in A() }
            container.register(ObjectIdentifier.self, scope: .unique) { ObjectIdentifier($0) }
        }
        register(canada)
        register(mexico)
        let child = Container(parent: root)
        for market in [canada, mexico] {
            root.follow(market)
            for reader in [root, child, root, child] {
                #expect(reader.get(ObjectIdentifier.self) == ObjectIdentifier(market))
            }
            withExtendedLifetime(root.get(A.self)) { first in #expect(root.get(A.self) !== first) }
        }
        root.register(ObjectIdentifier.self, scope: .unique) { ObjectIdentifier($0) }
        #expect(child.get(ObjectIdentifier.self) == ObjectIdentifier(root))
        root.manager.trace = true
        root.manager.logger = { _ in }
        #expect(child.get(ObjectIdentifier.self) == ObjectIdentifier(root))
    }

    @Test func laterReadsSeeNewlyFollowedContainer() {
        root.follow(canada)
        #expect(root.get(Label.self).text == "ca")
        #expect(root.get(Sign.self).label.text == "ca")
        root.follow(mexico)
        #expect(root.parent === mexico)
        #expect(root.get(Label.self).text == "mx")
        #expect(root.get(Label.self, name: "new").text == "mx")
        #expect(root.get(Sign.self).label.text == "mx")
        #expect(root.label().text == "mx")
    }

    @Test func followedInstancesSurviveChange() {
        root.follow(canada)
        let label = root.get(Label.self)
        root.follow(mexico)
        root.follow(canada)
        #expect(root.get(Label.self) === label)
    }

    @Test func taskBoundContainerIsUnaffectedByChange() async {
        root.follow(canada)
        await Container.$shared.withValue(canada) {
            root.follow(mexico)
            #expect(Container.shared.get(Label.self).text == "ca")
            async let child = Container.shared.get(Label.self).text
            let task = Task { Container.shared.get(Label.self).text }
            #expect(await [child, task.value] == ["ca", "ca"])
        }
        Container.$shared.withValue(root) {
            #expect(Container.shared.get(Label.self).text == "mx")
            root.follow(canada)
            #expect(Container.shared.get(Label.self).text == "ca")
        }
    }

    @Test func resolvedWrappersKeepValuesAfterChange() {
        root.follow(canada)
        Container.$shared.withValue(root) {
            let read = Screen()
            let unread = Screen()
            _ = read.lazy
            root.follow(mexico)
            #expect([read.injected.text, read.lazy.text, read.dynamic.text] == ["ca", "ca", "mx"])
            #expect([unread.injected.text, unread.lazy.text, unread.dynamic.text] == ["ca", "mx", "mx"])
            #expect(dependency(\.label).text == "mx")
        }
    }

    @Test func cachedInstancesAreDroppedOnChange() {
        root.register(Label.self, name: "own") { Label("own of \($0.get(Label.self).text)") }
        root.follow(canada)
        let weakly = root.weakSign()
        #expect(root.sign().text == "sign of ca")
        #expect(root.sign() === root.sign())
        #expect(root.visit().text == "visit of ca")
        #expect(root.get(Label.self, name: "own").text == "own of ca")
        root.follow(mexico)
        #expect(weakly.text == "weak sign of ca")
        #expect(root.weakSign().text == "weak sign of mx")
        #expect(root.sign().text == "sign of mx")
        #expect(root.visit().text == "visit of mx")
        #expect(root.get(Label.self, name: "own").text == "own of mx")
    }

    @Test func pushedStateIsNotRestoredAfterChange() {
        root.follow(canada)
        _ = root.sign()
        root.manager.push()
        root.label.register { Label("pushed") }
        root.follow(mexico)
        root.manager.pop()
        #expect(root.label().text == "mx")
        #expect(root.sign().text == "sign of mx")
    }

    @Test func singletonsAndOtherContainersSurviveChange() {
        Scope.$singleton.withValue(Scope.Singleton()) {
            root.follow(canada)
            let (single, other) = (root.onlySign(), OtherContainer.shared.label())
            root.follow(mexico)
            #expect(root.onlySign() === single)
            #expect(OtherContainer.shared.label() === other)
        }
    }

    @Test func overrideInFollowedContainerAppliesToFollower() {
        func texts() -> [String] { [root.newLabel().text, root.numbered(1).text] }
        mexico.newLabel.register { Label("mx") }
        mexico.numbered.register { Label("mx \($0)") }
        root.follow(canada)
        for _ in 0..<3 { #expect(texts() == ["defined", "defined 1"]) }
        root.follow(mexico)
        for _ in 0..<3 { #expect(texts() == ["mx", "mx 1"]) }
        root.follow(canada)
        for _ in 0..<3 { #expect(texts() == ["defined", "defined 1"]) }
        root.follow(nil)
        #expect(root.newLabel().text == "defined")
    }

    @Test func laterOverrideAppliesToFollowerThatReadDefinition() {
        root.follow(canada)
        let child = Container(parent: root)
        for _ in 0..<3 { #expect([root.newLabel().text, child.newLabel().text] == ["defined", "defined"]) }
        canada.newLabel.register { Label("later") }
        #expect([root.newLabel().text, child.newLabel().text] == ["later", "later"])
        canada.newLabel.reset()
        for _ in 0..<3 { #expect([root.newLabel().text, child.newLabel().text] == ["defined", "defined"]) }
        canada.manager.push()
        canada.newLabel.register { Label("pushed") }
        #expect(root.newLabel().text == "pushed")
        canada.manager.pop()
        #expect(root.newLabel().text == "defined")
        root.newLabel.register { Label("own") }
        #expect([root.newLabel().text, child.newLabel().text] == ["own", "own"])
        root.newLabel.reset()
        root.newLabel.context(.device, .simulator) { Label("context") }
        #expect([root.newLabel().text, child.newLabel().text] == ["context", "defined"])
    }

    @Test func inspectionCoversBothContainers() {
        let lines = Lock<[String]>([])
        root.register(A.self, requires: [Label.self, B.self]) { _ in A() }
        root.follow(canada)
        #expect(root.registrations.map(\.isInherited) == [false, true, true, true, true])
        #expect(root.validate().findings.map(\.message) == ["A requires B, which is not registered"])
        _ = root.get(Sign.self)
        #expect(root.graph.edges.map(\.description) == ["Sign → Label"])
        #expect(Set(root.graph.nodes.map(\.id.displayName)) == ["A", "Label", "Sign"])
        root.manager.logger = { line in lines.withLock { $0.append(line) } }
        root.manager.trace = true
        _ = root.get(Label.self)
        #expect(lines.withLock { $0 }.map { $0.prefix(27) } == ["0: Container.get<Label> = C"])
        root.manager.trace = false
        let seen = Lock<[String]>([])
        root.manager.strict { live in seen.withLock { $0.append("\(live.id)") } }
        _ = root.get(Label.self)
        #expect(seen.withLock { $0 } == ["Label"])
    }

    @Test func followerThatWasShutDownResolvesNothing() async throws {
        root.follow(canada)
        _ = root.get(Label.self)
        await root.shutdown()
        #expect(throws: ContainerError.self) { try root.require(Label.self) }
        root.reset()
        #expect(root.get(Label.self).text == "ca")
    }

    @Test func followedContainerIsReleasedOnChangeAndWithFollower() {
        weak var first: Container?
        weak var second: Container?
        do {
            let follower = Container()
            do {
                let container = Container()
                first = container
                follower.follow(container)
            }
            #expect(first != nil)
            do {
                let container = Container()
                second = container
                follower.follow(container)
            }
            #expect(first == nil && second != nil)
        }
        #expect(second == nil)
    }

    @Test func childCannotFollow() async {
        await #expect(processExitsWith: .failure) { Container(parent: Container()).follow(Container()) }
    }

    @Test func containerCannotFollowItself() async {
        await #expect(processExitsWith: .failure) {
            let container = Container()
            container.follow(Container(parent: container))
        }
    }
}
