import Claims
import GlassContainer
import PluginAPIs

await Claims.check { claim in
    let container = Container.mock
    let feedback: FeedbackAPI = container.get()
    claim("the mock is found by the interface", feedback is FeedbackAPIMock)
    claim("an interface may be written with its module", container.get(PluginAPIs.FeedbackAPI.self) === feedback)

    let analytics: Analytics = container.get()
    claim("a service of the mock container finds the mocks", (analytics as? AnalyticsManager)?.feedback === feedback)
    claim("an initializer without the container makes a service, too", container.get(FeedbackAPI.self) === feedback)

    let other = Container.mock
    claim("each reading is a container of its own", other !== container)
    claim("with instances of its own", other.get(FeedbackAPI.self) !== feedback)
}
