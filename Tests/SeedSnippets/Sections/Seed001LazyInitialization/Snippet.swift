// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

final class Form {
    let container: Container

    init(container: Container) {
        self.container = container
    }

    // 001:88
    private lazy var fieldValidator: FieldValidator = container.get()

    func accepts(_ text: String) -> Bool { fieldValidator.accepts(text) }
    func usesValidator(_ validator: FieldValidator) -> Bool { fieldValidator === validator }
}
