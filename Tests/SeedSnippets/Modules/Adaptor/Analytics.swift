// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import ThirdPartyAnalytics

// 003:212-227
public protocol Analytics {
    func event(loadtion: String, name: String)
}

extension Container {
    public var analytics: Factory<Analytics> { self { AnalyticsAdator() } }
}

private class AnalyticsAdator: Analytics {
    public func event(loadtion: String, name: String) {
        Recorder.record("\(loadtion): \(name)")
    }
}
