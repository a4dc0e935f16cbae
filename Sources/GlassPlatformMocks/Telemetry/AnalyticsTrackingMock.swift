import GlassBase
public import GlassPlatform

/// Keeps the events it is given.
public final class AnalyticsTrackingMock: AnalyticsTracking {
    private let taken = Lock<[AnalyticsEvent]>([])

    /// Creates a mock without events.
    public init() {}

    /// The events so far, oldest first.
    public var events: [AnalyticsEvent] { taken.withLock { $0 } }

    /// Keeps the event.
    ///
    /// - Parameter event: The event.
    public func track(_ event: AnalyticsEvent) { taken.withLock { $0.append(event) } }
}
