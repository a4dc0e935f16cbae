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
    @MainActor @Test func claimsHold() {
        var made = 0
        let container = Container()
        let form = Form(container: container)
        container.register(FieldValidator.self) {
            made += 1
            return NonEmpty()
        }
        #expect(made == 0, "creating the owner resolves nothing")
        #expect(
            form.accepts("text"), "the first use resolves the service, even if registered after the owner was created")
        #expect(!form.accepts("") && made == 1, "the next use has the same instance")
        #expect(form.usesValidator(container.get()), "it is the container's instance")
    }
}
