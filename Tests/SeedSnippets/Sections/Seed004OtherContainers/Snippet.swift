// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

// 004:121-125
extension PaymentsContainer {
    var anotherService: Factory<AnotherService> {
        self { AnotherService(using: Container.shared.optionalService()) }
    }
}
