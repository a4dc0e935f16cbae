// swift-format-ignore-file
// The snippets stand as they are printed.
import GlassContainer

// 004:121-125
extension PaymentsContainer {
    var anotherService: Factory<AnotherService> {
        self { AnotherService(using: Container.shared.optionalService()) }
    }
}
