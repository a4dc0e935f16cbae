import Foundation
public import GlassMarkets
import GlassSchema

/// The reason why an analytics operation failed.
public enum AnalyticsError: Error {
    /// An event could not be stored. The cause contains the reason, and nothing has changed.
    case notKept(cause: any Error)
    /// An event exceeds the limit of the outbox.
    case tooLarge(event: String, bytes: Int, limit: Int)
    /// A sink did not accept the waiting events. They are kept and sent later.
    case notDelivered(sink: String, cause: any Error)
    /// The outbox cannot be read.
    case unavailable(cause: any Error)
    /// The service was shut down with its container.
    case shutDown
}

extension AnalyticsError: DescriptiveError {
    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .notKept(let cause):
            "the analytics event was not stored: \(cause); track it again once the cause is resolved"
        case .tooLarge(let event, let bytes, let limit):
            "the analytics event \(event.quotedForMessage) has \(bytes) bytes, but the limit is \(limit); "
                + "send fewer or shorter attributes"
        case .notDelivered(let sink, let cause):
            "the analytics sink \(sink.quotedForMessage) did not accept the waiting events: \(cause); "
                + "they are kept and sent later"
        case .unavailable(let cause):
            "the analytics outbox cannot be read: \(cause)"
        case .shutDown:
            "analytics was shut down with its container; track events earlier"
        }
    }
}
