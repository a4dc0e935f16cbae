import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container.strict(allowing: [(any Greeting).self])) struct GreetingTests {
    @Test(.container { $0.clock.register { FixedClock() } }, arguments: ["Ada", "Alan"])
    func eachCaseHasItsOwnContainer(_ name: String) {
        #expect(Container.shared.registrations.count == 1)
        Container.shared.register((any Greeting).self) { EnglishGreeting() }
        #expect(Container.shared.greeting().greet(name).contains(name))
    }
}

extension Trait where Self == ContainerTrait<PaymentContainer> {
    static var payments: Self { Self(shared: PaymentContainer.$shared, container: PaymentContainer()) }
}

@Test(.payments { $0.ledger.register { Session(clock: SystemClock()) } })
func ledgerStartsWithItsClock() async {
    #expect(PaymentContainer.shared.ledger().begin == 1)
    await withContainer(shared: PaymentContainer.$shared, container: PaymentContainer()) {
        #expect(PaymentContainer.shared.ledger().begin == 0)
    }
}
