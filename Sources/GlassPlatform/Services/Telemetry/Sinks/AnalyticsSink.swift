public import Foundation
public import GlassMarkets
public import GlassSchema

/// A destination for batches of events.
///
/// It gets one batch at a time, in order. A batch that was not acknowledged is sent again with the same key and the
/// same events; the sink, or its receiver, discards a key that it has already seen.
public protocol AnalyticsSink: Sendable {
    /// The name that identifies the sink of an outbox, across processes and launches of the app.
    var name: String { get }

    /// Delivers a batch. Returning acknowledges the batch, which is then never sent again.
    ///
    /// - Parameter batch: The batch.
    /// - Throws: ``AnalyticsSinkError/refused(reason:)`` if the batch would be refused each time. After any other
    ///   error, the batch is sent again.
    func send(_ batch: AnalyticsBatch) async throws
}

/// A batch of events that is being sent.
public struct AnalyticsBatch: Sendable, Equatable {
    /// The key of the batch, which stays the same each time it is sent.
    public var key: String
    /// The number of events that were dropped since the last acknowledged batch, because the outbox was full.
    public var dropped: Int
    /// The events as JSON objects, oldest first.
    public var events: [Data]

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - key: The key of the batch, which stays the same each time it is sent.
    ///   - dropped: The number of events that were dropped before it.
    ///   - events: The events as JSON objects, oldest first.
    public init(key: String, dropped: Int = 0, events: [Data]) {
        self.key = key
        self.dropped = dropped
        self.events = events
    }

    /// The batch as one JSON object: `{"schema":1,"batch":"…","dropped":0,"events":[…]}`. O(bytes).
    public var json: Data {
        var data = Data(#"{"schema":1,"batch":"\#(key)","dropped":\#(dropped),"events":["#.utf8)
        for (index, event) in events.enumerated() {
            if index > 0 { data.append(UInt8(ascii: ",")) }
            data.append(event)
        }
        data.append(contentsOf: "]}".utf8)
        return data
    }
}

/// The reason why a sink did not accept a batch.
public enum AnalyticsSinkError: Error {
    /// The sink cannot accept it now. The delay is what the receiver requests.
    case unavailable(reason: String, retryAfter: Duration? = nil, cause: (any Error)? = nil)
    /// The sink will never accept it, because it contains an invalid event. The outbox finds that event and rejects
    /// only it.
    case refused(reason: String)
}

extension AnalyticsSinkError: DescriptiveError {
    /// The reason, and its cause, if known.
    public var description: String {
        switch self {
        case .unavailable(let reason, _, let cause): cause.map { "\(reason): \($0)" } ?? reason
        case .refused(let reason): reason
        }
    }
}

/// The host's definition of a sink that has not been created yet.
public struct AnalyticsSinkDefinition: Sendable {
    /// The input for creating a sink.
    public struct Input: Sendable {
        /// The configurations of the market's URL sessions.
        public let urlSession: any URLSessionConfigurationAPI
        /// The key that the market's event collector requires.
        public let writeKey: Secret?
        /// The market's services.
        let environment: any EnvironmentAPI
    }

    /// The sink's name.
    package let name: String
    /// Creates the sink, which must not retain the input's services.
    let make: @Sendable (Input) -> any AnalyticsSink
    /// The batching of events for the sink; `nil` uses the host's.
    var batching: AnalyticsBatching?

    /// Creates the definition of a custom sink.
    ///
    /// - Parameters:
    ///   - name: The name that identifies the sink of an outbox, across processes and launches of the app.
    ///   - make: Creates the sink, which must have the same name and must not retain the input's services.
    public init(name: String, make: @escaping @Sendable (Input) -> any AnalyticsSink) {
        self.name = name
        self.make = make
    }
}
