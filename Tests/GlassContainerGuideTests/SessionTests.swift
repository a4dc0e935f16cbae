import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container) struct SessionTests {
    @Test(.container { $0.clock.register { FixedClock() } })
    func sessionBegins() {
        #expect(Container.shared.session().begin == 0)
    }
}
