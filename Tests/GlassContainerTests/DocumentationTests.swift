import GlassContainer
import Testing

private protocol Greeting {
    func greet(_ name: String) -> String
}

private protocol Doorman {
    func welcome(_ name: String) -> String
}

private struct EnglishGreeting: Greeting {
    func greet(_ name: String) -> String { "Hello, \(name)!" }
}

private final class HotelDoorman: Doorman {
    private let greeting: any Greeting

    init(container: Container) {
        greeting = container.get()
    }

    func welcome(_ name: String) -> String { greeting.greet(name) }
}

extension Container {
    fileprivate var doorman: Factory<any Doorman> { registered() }
}

@Suite struct DocumentationTests {
    @Test func theExampleOfTheCatalogRuns() {
        let container = Container()
        container.register((any Greeting).self, requires: []) { EnglishGreeting() }
        container.register((any Doorman).self, requires: [(any Greeting).self], HotelDoorman.init)
        #expect(container.validate(requiring: [(any Doorman).self]).description == "valid")
        #expect(container.doorman().welcome("Ada") == "Hello, Ada!")
    }

    @Test func aServiceIDPrintsItsTypeNameAndProperty() {
        #expect(ServiceID((any Greeting).self).description == "Greeting")
        #expect(ServiceID([Int].self, name: "limits").description == "Array<Int> named \"limits\"")
    }
}
