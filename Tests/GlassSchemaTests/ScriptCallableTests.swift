@testable import GlassSchema
import Testing

private final class Greeter: ScriptCallable {
    let scriptTypeName = "Greeter"
    var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("greet", ["name", "times?"], "Greets.") { arguments in
                let times = arguments[1] == .nil ? 1 : try arguments.integer(1, "times")
                return .string(
                    Array(repeating: "hello \(try arguments.string(0, "name"))", count: times).joined(separator: ", "))
            },
            ScriptMethod(
                "wait", [], "Waits for its turn.",
                waiting: { _ in
                    await Task.yield()
                    return "done"
                }),
            ScriptMethod("count", ["texts"], "Counts.") { .integer(try $0.strings(0, "texts").count) },
        ]
    }
}

/// A service without identity.
private struct Adder: ScriptCallable {
    let amount: Int
    let scriptTypeName = "Adder"
    var scriptMethods: [ScriptMethod] {
        [ScriptMethod("plus", ["number"], "Adds.") { .integer(amount + (try $0.integer(0, "number"))) }]
    }
}

struct ScriptCallableTests {
    private let greet = Greeter().scriptMethods[0]
    private let count = Greeter().scriptMethods[2]

    @Test func argumentsAreReadByPositionAndType() async throws {
        #expect(try await greet(["Ana"]) == "hello Ana")
        #expect(try await greet(["Ana", 2.0]) == "hello Ana, hello Ana")
        #expect(try await count([["a": "x", "b": 1, "c": true]]) == 3)
        #expect(try await count([]) == 0)
    }

    @Test func structureCanBeCalled() async throws {
        let service: any ScriptCallable = Adder(amount: 2)
        #expect(try await service.scriptMethods[0]([3]) == 5)
        let greeter = Greeter()
        #expect(ScriptValue.object(greeter) == .object(greeter))
        #expect(ScriptValue.object(service) != .object(service))
    }

    @Test func methodMaySuspend() async throws {
        #expect(try await Greeter().scriptMethods[1]([]) == "done")
    }

    @Test(
        arguments: [
            ([3], "greet: expected a string for name, got 3"),
            ([], "greet: expected a string for name, got nothing"),
            (["Ana", 2.5], "greet: expected an integer for times, got 2.5"),
            (["Ana", "2"], "greet: expected an integer for times, got \"2\""),
        ] as [([ScriptValue], String)])
    func invalidArgumentIsNamed(arguments: [ScriptValue], text: String) async {
        let error = await #expect(throws: ScriptArgumentError.self) { try await greet(arguments) }
        #expect(error?.description == text)
    }

    @Test func invalidEntryOfStringTableIsNamed() async {
        let error = await #expect(throws: ScriptArgumentError.self) { try await count([["a": ["x"]]]) }
        #expect(error?.description == "count: expected a string for texts.a, got a list")
    }

    @Test func configurationValueHidesSecretsFromScripts() {
        let value = ConfigurationValue.map(values: ["key": .secret(Secret(name: "K").resolved { _ in "hunter2" })])
        #expect(ScriptValue(value) == ["key": "<secret K>"])
    }
}
