import Foundation
import GlassBase

/// The remote configuration.
final class RemoteValues: Sendable {
    /// The source of the configuration.
    enum Choice {
        /// A text, which need not be valid for an app.
        case fixed(String)
        /// A different one each second.
        case changing
    }

    private let choice = Lock(Choice.fixed(#"{"retry":{"default":{"maxRetries":5},"checkout":{"maxRetries":1}}}"#))

    /// The current text.
    var now: String {
        switch choice.withLock({ $0 }) {
        case .fixed(let text): text
        case .changing: Self.text(at: Int(Date().timeIntervalSince1970))
        }
    }

    /// Sets the configuration from now on.
    func set(_ choice: Choice) { self.choice.withLock { $0 = choice } }

    /// Every key in turn; one in seven is not allowed remotely.
    private static func text(at second: Int) -> String {
        if second % 7 == 0 { return #"{"platform":{"environment":{"default":"staging"}}}"# }
        return """
            {"platform":{"urlSession":{"maximumConnectionsPerHost":\(second % 6 + 1),"requestTimeoutSeconds":\(second % 5 + 5)},\
            "networking":{"retry":{"maxRetries":\(second % 3 + 3),"jitter":0.\(second % 10)},"tracking":\(second % 2 == 0),\
            "trackingSampleRate":0.\(second % 9 + 1),"media":{"maximumConcurrentDownloads":\(second % 4 + 1)}}},\
            "retry":{"checkout":{"maxRetries":1}}}
            """
    }
}
