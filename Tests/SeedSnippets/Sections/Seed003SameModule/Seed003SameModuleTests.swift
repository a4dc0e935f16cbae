import GlassContainer
import GlassContainerTesting
import Networking
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003SameModuleTests {
    @MainActor @Test func claimsHold() async throws {
        let network: Networking = Container.shared.network()
        let text: String = try await network.load()
        #expect(text == "loaded", "another module gets an instance, and sees only the protocol")
        do {
            let number: Int = try await network.load()
            #expect(number < 0, "the private implementation runs")
        } catch {
            #expect(error is Unloadable, "the private implementation throws")
        }
        let factory: Factory<Networking> = Container.shared.network
        #expect(type(of: factory) == Factory<any Networking>.self, "the property promises the protocol")
        let first = Container.shared.network() as AnyObject
        let second = Container.shared.network() as AnyObject
        // Swift 6.3.1 crashes on this comparison in the macro's argument.
        let isNew = first !== second
        #expect(isNew, "each resolution creates a new instance")
    }
}
