public import Foundation
package import GlassSchema

/// The user's session: from the first activity until there has been none for a while.
public protocol AnalyticsSessionProvider: AnyObject, Sendable {
    /// The session; a new one when the last one has timed out. Looking does not prolong it.
    var session: AnalyticsSessionInfo { get }

    /// Prolongs the session, or starts one when the last one has timed out.
    ///
    /// - Returns: The session.
    @discardableResult func recordActivity() -> AnalyticsSessionInfo

    /// Starts a new session, such as after signing out.
    ///
    /// - Returns: The new session.
    @discardableResult func startNewSession() -> AnalyticsSessionInfo
}

/// One session.
public struct AnalyticsSessionInfo: Sendable, Equatable {
    /// Tells sessions apart.
    public var id: String
    /// When it started, by the date of the device.
    public var start: Date
    /// The how manieth session of the process it is, from 1.
    public var number: Int

    /// Describes a session.
    ///
    /// - Parameters:
    ///   - id: Tells sessions apart.
    ///   - start: When it started.
    ///   - number: The how manieth session of the process it is.
    public init(id: String, start: Date, number: Int) {
        self.id = id
        self.start = start
        self.number = number
    }

    /// As a script sees it.
    var scriptValue: ScriptValue {
        ["id": .string(id), "start": .string(start.formatted(.analytics)), "number": .integer(number)]
    }
}

extension AnalyticsSessionProvider {
    /// The session, and prolonging or ending it.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("session", [], "The session: id, start and number.") { _ in self.session.scriptValue },
            ScriptMethod("recordActivity", [], "Prolongs the session.") { _ in self.recordActivity().scriptValue },
            ScriptMethod("startNewSession", [], "Starts a new session.") { _ in self.startNewSession().scriptValue },
        ]
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// How events write dates: UTC with milliseconds (RFC 3339).
    static var analytics: Self { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
