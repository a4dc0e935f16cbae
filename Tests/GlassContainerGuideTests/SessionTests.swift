import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container) struct SessionTests {
    @Test(.container { $0.clock.register { FixedClock() } })
    func aSessionBegins() {
        #expect(Container.shared.session().begin == 0)
    }
}
