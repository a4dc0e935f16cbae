import GlassBase
package import GlassPlatform

/// Records the tracked events.
package final class AnalyticsTrackingMock: AnalyticsTracking {
    private let taken = Lock<[AnalyticsEvent]>([])

    /// Creates a mock without events.
    package init() {}

    /// The events so far, oldest first.
    package var events: [AnalyticsEvent] { taken.withLock { $0 } }

    /// Records the event.
    package func track(_ event: AnalyticsEvent) { taken.withLock { $0.append(event) } }
}
