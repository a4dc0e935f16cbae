import GlassBase
package import GlassPlatform

/// Keeps the events it is given.
package final class AnalyticsTrackingMock: AnalyticsTracking {
    private let taken = Lock<[AnalyticsEvent]>([])

    /// Creates a mock without events.
    package init() {}

    /// The events so far, oldest first.
    package var events: [AnalyticsEvent] { taken.withLock { $0 } }

    /// Keeps the event.
    package func track(_ event: AnalyticsEvent) { taken.withLock { $0.append(event) } }
}
