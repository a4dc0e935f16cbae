package import Foundation
import GlassBase
import GlassMarkets
package import GlassSchema

/// The clock of a host's services. It follows the system's clock, and tests can advance it.
package final class HostClock: Sendable {
    private let shift = Lock(Duration.zero)

    /// The maximum shift in seconds: ten years of 365 days.
    private static let furthest = 3.1536e8

    /// Creates a clock that follows the system's.
    package init() {}

    /// The current date.
    package var date: Date { Date().addingTimeInterval(shift.withLock { $0 }.inSeconds) }

    /// The instant that determines whether waiting links have expired.
    package var instant: ContinuousClock.Instant { ContinuousClock.now + shift.withLock { $0 } }

    /// The same clock for telemetry, except that waiting uses the system's clock.
    package var telemetry: TelemetryClock {
        TelemetryClock(
            now: { self.date }, uptime: { TelemetryClock.system.uptime() + self.shift.withLock { $0 } },
            sleep: TelemetryClock.system.sleep)
    }

    /// Shifts the clock. Returns `false` if the total shift would exceed the maximum.
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
    /// The script methods `advance` and `now`.
    package var mockMethods: [ScriptMethod] {
        [
            ScriptMethod("advance", ["seconds"], "Advances the clock: sessions time out, and waiting links expire.") {
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
