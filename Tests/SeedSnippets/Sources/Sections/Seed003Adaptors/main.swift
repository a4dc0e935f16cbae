import Adaptor
import Claims
import GlassContainer
import ThirdPartyAnalytics

private final class SilentAnalytics: Analytics {
    func event(loadtion: String, name: String) {}
}

await Claims.check { claim in
    let analytics: Analytics = Container.shared.analytics()
    analytics.event(loadtion: "cart", name: "opened")
    claim("the adaptor talks to the library", Recorder.events == ["cart: opened"])

    Container.shared.analytics.register { SilentAnalytics() }
    Container.shared.analytics().event(loadtion: "cart", name: "closed")
    claim("a user of the protocol works with another library as well", Recorder.events == ["cart: opened"])
}
