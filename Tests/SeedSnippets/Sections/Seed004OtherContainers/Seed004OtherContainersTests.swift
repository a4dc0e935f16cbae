import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004OtherContainersTests {
    @MainActor @Test func theClaimsHold() {
        #expect(PaymentsContainer.shared.anotherService().optional == nil, "another container's service may be missing")
        let service = OptionalService()
        Container.shared.optionalService.register { service }
        #expect(PaymentsContainer.shared.anotherService().optional === service, "one that it has reaches across")
        #expect(PaymentsContainer().anotherService().optional === service, "from every container of the kind")
    }
}
