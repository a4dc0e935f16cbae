import GlassContainer
import GlassContainerTesting
import Testing

protocol FieldValidator: AnyObject {
    func accepts(_ text: String) -> Bool
}

final class NonEmpty: FieldValidator {
    func accepts(_ text: String) -> Bool { !text.isEmpty }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed001LazyInitializationTests {
    @MainActor @Test func theClaimsHold() {
        var made = 0
        let container = Container()
        let form = Form(container: container)
        container.register(FieldValidator.self) {
            made += 1
            return NonEmpty()
        }
        #expect(made == 0, "making the owner resolves nothing")
        #expect(form.accepts("text"), "the first use resolves, even what was registered after the owner was made")
        #expect(!form.accepts("") && made == 1, "the next use has the same")
        #expect(form.usesValidator(container.get()), "it is the container's instance")
    }
}
