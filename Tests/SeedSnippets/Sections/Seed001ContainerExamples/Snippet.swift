// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

func registered() -> Container {
    // 001:22-23
    let container = Container()
    container.register(FeedbackAPI.self, FeedbackPluginAPI.init)
    return container
}

func retrieved(from container: Container) -> FeedbackAPI {
    // 001:30
    let feedbackAPI: FeedbackAPI = container.get()
    return feedbackAPI
}
