public import Foundation
package import GlassSchema

/// The user's session, which lasts from the first activity until there has been none for some time.
public protocol AnalyticsSessionProvider: AnyObject, Sendable {
    /// The session. It is a new one if the last one has timed out. Reading it does not extend it.
    var session: AnalyticsSessionInfo { get }

    /// Extends the session, or starts one if the last one has timed out.
    ///
    /// - Returns: The session.
    @discardableResult func recordActivity() -> AnalyticsSessionInfo

    /// Starts a new session, for example after the user signs out.
    ///
    /// - Returns: The new session.
    @discardableResult func startNewSession() -> AnalyticsSessionInfo
}

/// A session.
public struct AnalyticsSessionInfo: Sendable, Equatable {
    /// The identifier of the session.
    public var id: String
    /// The start time, according to the device's clock.
    public var start: Date
    /// The number of the session in the process, from 1.
    public var number: Int

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - id: The identifier of the session.
    ///   - start: The start time.
    ///   - number: The number of the session in the process.
    public init(id: String, start: Date, number: Int) {
        self.id = id
        self.start = start
        self.number = number
    }

    /// The session in the form for scripts.
    var scriptValue: ScriptValue {
        ["id": .string(id), "start": .string(start.formatted(.analytics)), "number": .integer(number)]
    }
}

extension AnalyticsSessionProvider {
    /// The script methods that read, extend, and restart the session.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("session", [], "The session: id, start and number.") { _ in self.session.scriptValue },
            ScriptMethod("recordActivity", [], "Extends the session.") { _ in self.recordActivity().scriptValue },
            ScriptMethod("startNewSession", [], "Starts a new session.") { _ in self.startNewSession().scriptValue },
        ]
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// The date format of events: UTC with milliseconds (RFC 3339).
    static var analytics: Self { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
