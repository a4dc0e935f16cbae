public import Foundation
public import GlassMarkets
public import GlassSchema

/// Takes batches of events somewhere.
///
/// One batch at a time, in order. A batch that was not acknowledged comes again with the same key and the same events; a
/// sink, or who it talks to, drops a key that it has already seen.
public protocol AnalyticsSink: Sendable {
    /// Tells the sinks of an outbox apart, across processes and starts of the app.
    var name: String { get }

    /// Delivers a batch. Returning is the acknowledgement: the batch never comes again.
    ///
    /// - Parameter batch: The batch.
    /// - Throws: ``AnalyticsSinkError/refused(reason:)`` when it would be refused again and again; anything else means
    ///   that it is worth another try.
    func send(_ batch: AnalyticsBatch) async throws
}

/// Events on their way.
public struct AnalyticsBatch: Sendable, Equatable {
    /// Stays the same however often the batch is sent.
    public var key: String
    /// How many events were dropped, because the outbox was full, since the last batch that was acknowledged.
    public var dropped: Int
    /// The events as JSON objects, oldest first.
    public var events: [Data]

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - key: Stays the same however often the batch is sent.
    ///   - dropped: How many events were dropped before it.
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

/// Why a sink did not take a batch.
public enum AnalyticsSinkError: Error {
    /// Not now. The pause is what the receiver asks for.
    case unavailable(reason: String, retryAfter: Duration? = nil, cause: (any Error)? = nil)
    /// Never: something in the batch is wrong. The outbox finds the event and rejects it alone.
    case refused(reason: String)
}

extension AnalyticsSinkError: DescriptiveError {
    /// What happened, with the cause.
    public var description: String {
        switch self {
        case .unavailable(let reason, _, let cause): cause.map { "\(reason): \($0)" } ?? reason
        case .refused(let reason): reason
        }
    }
}

/// How the host names a sink before there is one.
public struct AnalyticsSinkDefinition: Sendable {
    /// What a sink is made from.
    public struct Input: Sendable {
        /// What the market's URL sessions start from.
        public let urlSession: any URLSessionConfigurationAPI
        /// The key that the market's event collector wants to see.
        public let writeKey: Secret?
        /// The market's services.
        let environment: any EnvironmentAPI
    }

    /// The sink's name.
    package let name: String
    /// Makes the sink. It must not keep the input's services.
    let make: @Sendable (Input) -> any AnalyticsSink
    /// How events are put together for it; nil leaves it to the host.
    var batching: AnalyticsBatching?

    /// Names a sink of the host's own.
    ///
    /// - Parameters:
    ///   - name: Tells the sinks of an outbox apart, across processes and starts of the app.
    ///   - make: Makes the sink, whose name must be the same. It must not keep the input's services.
    public init(name: String, make: @escaping @Sendable (Input) -> any AnalyticsSink) {
        self.name = name
        self.make = make
    }
}
