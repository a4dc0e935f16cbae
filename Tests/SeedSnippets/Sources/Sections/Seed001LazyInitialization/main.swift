import Claims
import GlassContainer

protocol FieldValidator: AnyObject {
    func accepts(_ text: String) -> Bool
}

final class NonEmpty: FieldValidator {
    func accepts(_ text: String) -> Bool { !text.isEmpty }
}

await Claims.check { claim in
    var made = 0
    let container = Container()
    let form = Form(container: container)
    container.register(FieldValidator.self) {
        made += 1
        return NonEmpty()
    }
    claim("making the owner resolves nothing", made == 0)
    claim("the first use resolves, even what was registered after the owner was made", form.accepts("text"))
    claim("the next use has the same", !form.accepts("") && made == 1)
    claim("it is the container's instance", form.usesValidator(container.get()))
}
