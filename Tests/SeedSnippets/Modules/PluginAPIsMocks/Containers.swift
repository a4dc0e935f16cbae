// swift-format-ignore-file
// Declarations of seed 001 that the library also has, in a module of an app that uses the library.
public import GlassContainer
public import GlassPlatform
import PluginAPIs

// 001:45-59
public extension Container {
    static let walmartApp: Container = Container()


    var analytics: Analytics {
        self.get()
    }

    var networking: Networking {
        self.get()
    }
}

// 001:71-80
@available(*, deprecated)  // `AnalyticsManager` is
public extension Container {
    static var mock: Container {
        let container = Container()

        container.register(Analytics.self, AnalyticsManager.init)
        container.register(PluginAPIs.FeedbackAPI.self, FeedbackAPIMock.init)

        return container
    }
}

final class FeedbackAPIMock: FeedbackAPI {}
