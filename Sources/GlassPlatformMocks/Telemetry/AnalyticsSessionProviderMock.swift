import GlassBase
package import Foundation
package import GlassPlatform

/// A session that never times out. Sessions are numbered, and their ids contain the number: `session-1`.
package final class AnalyticsSessionProviderMock: AnalyticsSessionProvider {
    private struct State {
        var number = 1
        var activities = 0
    }

    private let start: Date
    private let state = Lock(State())

    /// Creates a mock with a first session.
    package init(start: Date = Date(timeIntervalSince1970: 0)) {
        self.start = start
    }

    /// The number of recorded activities.
    package var activities: Int { state.withLock { $0.activities } }

    /// The session.
    package var session: AnalyticsSessionInfo { info(state.withLock { $0.number }) }

    /// Counts the activity.
    @discardableResult package func recordActivity() -> AnalyticsSessionInfo {
        let number = state.withLock { state in
            state.activities += 1
            return state.number
        }
        return info(number)
    }

    /// Starts the session with the next number.
    @discardableResult package func startNewSession() -> AnalyticsSessionInfo {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return info(number)
    }

    private func info(_ number: Int) -> AnalyticsSessionInfo {
        AnalyticsSessionInfo(id: "session-\(number)", start: start, number: number)
    }
}
