public import GlassSchema

/// Receives the events that the app reports.
public protocol AnalyticsTracking: AnyObject, Sendable {
    /// Tracks an event. When this returns, the event survives the end of the process. Never waits for the network.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``AnalyticsError`` if the event could not be stored. In all other cases, the event is safe.
    func track(_ event: AnalyticsEvent) throws(AnalyticsError)
}

/// An event in the app.
public struct AnalyticsEvent: Sendable, Equatable, Codable {
    /// The name, such as `emailOpened`.
    public var name: String
    /// The attributes that describe the circumstances.
    public var attributes: [String: ConfigurationScalar]

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - attributes: The attributes that describe the circumstances.
    public init(_ name: String, attributes: [String: ConfigurationScalar] = [:]) {
        self.name = name
        self.attributes = attributes
    }
}

extension AnalyticsTracking {
    /// The script method `track`.
    package var scriptMethods: [ScriptMethod] { [trackMethod] }

    /// The script method `track(name, attributes?)`. Numbers and booleans keep their types.
    var trackMethod: ScriptMethod {
        ScriptMethod("track", ["name", "attributes?"], "Tracks an event.", keeps: true) { arguments in
            let name = try arguments.string(0, "name")
            // This reports an attribute that is not a scalar.
            _ = try arguments.strings(1, "attributes")
            var attributes: [String: ConfigurationScalar] = [:]
            if case .map(let values) = arguments[1] {
                attributes = values.compactMapValues { $0.scalar }
            }
            try self.track(AnalyticsEvent(name, attributes: attributes))
            return .nil
        }
    }
}
