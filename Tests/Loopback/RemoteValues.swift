import Foundation
import GlassBase

/// What the remote configuration says.
final class RemoteValues: Sendable {
    /// Where it comes from.
    enum Choice {
        /// A text, which need not be one that an app takes.
        case fixed(String)
        /// Another one each second.
        case changing
    }

    private let choice = Lock(Choice.fixed(#"{"retry":{"default":{"maxRetries":5},"checkout":{"maxRetries":1}}}"#))

    /// The text now.
    var now: String {
        switch choice.withLock({ $0 }) {
        case .fixed(let text): text
        case .changing: Self.text(at: Int(Date().timeIntervalSince1970))
        }
    }

    /// Says something else from now on.
    func set(_ choice: Choice) { self.choice.withLock { $0 = choice } }

    /// Every key in turn; one of seven is one that no app takes.
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
