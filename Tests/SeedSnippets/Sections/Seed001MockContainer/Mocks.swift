import GlassContainer
import PluginAPIs

protocol Analytics: AnyObject {}

final class AnalyticsManager: Analytics {
    let feedback: FeedbackAPI

    init(container: Container) {
        feedback = container.get()
    }
}

final class FeedbackAPIMock: FeedbackAPI {}
