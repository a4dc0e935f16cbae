import GlassContainer

final class PaymentsContainer: SharedContainer {
    static let shared = PaymentsContainer()
    let manager = ContainerManager()
}

final class OptionalService: Sendable {}

final class AnotherService: Sendable {
    let optional: OptionalService?

    init(using optional: OptionalService?) {
        self.optional = optional
    }
}

extension Container {
    var optionalService: Factory<OptionalService?> { self { nil }.cached }
}
