import Foundation
public import GlassMarkets
import GlassSchema

/// Why analytics could not do what it was asked for.
public enum AnalyticsError: Error {
    /// An event could not be kept. The cause says why; nothing has changed.
    case notKept(cause: any Error)
    /// An event is larger than the outbox takes.
    case tooLarge(event: String, bytes: Int, limit: Int)
    /// A sink did not take what is waiting for it. The events are kept and sent later.
    case notDelivered(sink: String, cause: any Error)
    /// The outbox cannot be read.
    case unavailable(cause: any Error)
    /// The service was shut down with its container.
    case shutDown
}

extension AnalyticsError: DescriptiveError {
    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .notKept(let cause):
            "the analytics event was not kept: \(cause); track it again when the cause is gone"
        case .tooLarge(let event, let bytes, let limit):
            "the analytics event \(event.quotedForMessage) has \(bytes) bytes, the limit is \(limit): "
                + "send fewer or shorter attributes"
        case .notDelivered(let sink, let cause):
            "the analytics sink \(sink.quotedForMessage) did not take what is waiting: \(cause); "
                + "the events are kept and sent later"
        case .unavailable(let cause):
            "the analytics outbox cannot be read: \(cause)"
        case .shutDown:
            "analytics was shut down with its container: track events before that"
        }
    }
}
