public import GlassSchema

/// Takes the events that the app reports.
public protocol AnalyticsTracking: ScriptCallable {
    /// Takes an event; when this returns, the event survives the end of the process. Never waits for the network.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``AnalyticsError`` when the event could not be kept; it is lost to the caller's knowledge only then.
    func track(_ event: AnalyticsEvent) throws(AnalyticsError)
}

/// Something that happened in the app.
public struct AnalyticsEvent: Sendable, Equatable, Codable {
    /// What happened, such as `emailOpened`.
    public var name: String
    /// The circumstances.
    public var attributes: [String: ConfigurationScalar]

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: What happened.
    ///   - attributes: The circumstances.
    public init(_ name: String, attributes: [String: ConfigurationScalar] = [:]) {
        self.name = name
        self.attributes = attributes
    }
}

/// Why an event could not be taken.
public enum AnalyticsError: Error {
    /// It could not be kept. The cause says why.
    case notKept(cause: any Error)
}

extension AnalyticsTracking {
    /// `AnalyticsTracking`.
    public var scriptTypeName: String { "AnalyticsTracking" }

    /// `track`.
    public var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("track", ["name", "attributes?"], "Takes an event.") { arguments in
                let attributes = try arguments.strings(1, "attributes").mapValues { ConfigurationScalar.string($0) }
                try self.track(AnalyticsEvent(try arguments.string(0, "name"), attributes: attributes))
                return .nil
            }
        ]
    }
}
