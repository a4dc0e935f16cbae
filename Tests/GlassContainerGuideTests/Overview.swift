import GlassContainer
import Testing

protocol Greeting { func greet(_ name: String) -> String }
protocol Doorman { func welcome(_ name: String) -> String }

struct EnglishGreeting: Greeting {
    func greet(_ name: String) -> String { "Hello, \(name)!" }
}

final class HotelDoorman: Doorman {
    private let greeting: any Greeting

    init(container: Container) {
        greeting = container.get()
    }

    func welcome(_ name: String) -> String { greeting.greet(name) }
}

extension Container {
    var doorman: Factory<any Doorman> { registered() }
}

@Suite struct OverviewTests {
    @Test func examplePrintsDocumentedOutput() {
        var printed: [String] = []
        func print(_ item: some Any) { printed.append("\(item)") }

        let container = Container()
        container.register((any Greeting).self, requires: []) { EnglishGreeting() }
        container.register((any Doorman).self, requires: [(any Greeting).self], HotelDoorman.init)

        print(container.validate(requiring: [(any Doorman).self]))  // valid
        print(container.doorman().welcome("Ada"))  // Hello, Ada!
        #expect(printed == ["valid", "Hello, Ada!"])
    }
}
