package import Foundation
import GlassBase
import GlassMarkets
package import GlassSchema

/// The time of a host's services, which a test may set: it is the system's until then.
package final class HostClock: Sendable {
    private let shift = Lock(Duration.zero)

    /// The furthest that the clock can be moved, in seconds: ten years of 365 days.
    private static let furthest = 3.1536e8

    /// Creates a clock that goes as the system's.
    package init() {}

    /// The date.
    package var date: Date { Date().addingTimeInterval(shift.withLock { $0 }.inSeconds) }

    /// The time by which waiting links expire.
    package var instant: ContinuousClock.Instant { ContinuousClock.now + shift.withLock { $0 } }

    /// The same clock for telemetry. What waits does so by the system's clock.
    package var telemetry: TelemetryClock {
        TelemetryClock(
            now: { self.date }, uptime: { TelemetryClock.system.uptime() + self.shift.withLock { $0 } },
            sleep: TelemetryClock.system.sleep)
    }

    /// Moves the clock.
    package func advance(by duration: Duration) -> Bool {
        shift.withLock { shift in
            let moved = shift + duration
            guard abs(moved.inSeconds) <= Self.furthest else { return false }
            shift = moved
            return true
        }
    }
}

extension HostClock: ScriptedMock {
    /// `advance`, and `now`.
    package var mockMethods: [ScriptMethod] {
        [
            ScriptMethod("advance", ["seconds"], "Moves the clock on: sessions time out, and waiting links expire.") {
                arguments in
                let seconds = try arguments.number(0, "seconds")
                guard seconds.magnitude <= Self.furthest, self.advance(by: .seconds(seconds)) else {
                    throw ScriptArgumentError(
                        method: "advance", parameter: "seconds", expected: "at most ten years", found: "\(seconds)")
                }
                return .nil
            },
            ScriptMethod("now", [], "The date in seconds since 1970.") { _ in
                .number(self.date.timeIntervalSince1970)
            },
        ]
    }
}
