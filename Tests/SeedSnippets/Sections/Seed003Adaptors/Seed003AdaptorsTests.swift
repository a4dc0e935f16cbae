import Adaptor
import GlassContainer
import GlassContainerTesting
import Testing
import ThirdPartyAnalytics

private final class SilentAnalytics: Analytics {
    func event(loadtion: String, name: String) {}
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003AdaptorsTests {
    @MainActor @Test func claimsHold() {
        let analytics: Analytics = Container.shared.analytics()
        analytics.event(loadtion: "cart", name: "opened")
        #expect(Recorder.events == ["cart: opened"], "the adaptor calls the library")

        Container.shared.analytics.register { SilentAnalytics() }
        Container.shared.analytics().event(loadtion: "cart", name: "closed")
        #expect(Recorder.events == ["cart: opened"], "a client of the protocol also works with another library")
    }
}
