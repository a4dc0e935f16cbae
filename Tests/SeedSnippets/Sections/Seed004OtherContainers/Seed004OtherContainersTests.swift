import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004OtherContainersTests {
    @MainActor @Test func claimsHold() {
        #expect(
            PaymentsContainer.shared.anotherService().optional == nil, "a service of another container may be missing")
        let service = OptionalService()
        Container.shared.optionalService.register { service }
        #expect(
            PaymentsContainer.shared.anotherService().optional === service,
            "a registered service of another container is resolved")
        #expect(
            PaymentsContainer().anotherService().optional === service, "it is resolved from every container of the type"
        )
    }
}
