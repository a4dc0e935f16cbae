// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import PluginAPIs

// 001:71-80
public extension Container {
    static var mock: Container {
        let container = Container()

        container.register(Analytics.self, AnalyticsManager.init)
        container.register(PluginAPIs.FeedbackAPI.self, FeedbackAPIMock.init)

        return container
    }
}
