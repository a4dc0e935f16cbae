public import GlassSchema

/// Takes the events that the app reports.
public protocol AnalyticsTracking: AnyObject, Sendable {
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

extension AnalyticsTracking {
    /// `track`.
    package var scriptMethods: [ScriptMethod] { [trackMethod] }

    /// `track(name, attributes?)`: numbers and booleans stay what they are.
    var trackMethod: ScriptMethod {
        ScriptMethod("track", ["name", "attributes?"], "Takes an event.", keeps: true) { arguments in
            let name = try arguments.string(0, "name")
            // Says which attribute is no scalar.
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

extension ScriptValue {
    /// The value as a scalar; nil for nothing, lists, tables and objects.
    var scalar: ConfigurationScalar? {
        switch self {
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .nil, .list, .map, .object: nil
        }
    }

    /// A scalar as a script sees it.
    init(_ scalar: ConfigurationScalar) {
        switch scalar {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        }
    }
}
