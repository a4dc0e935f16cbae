public import GlassSchema

/// A mock that a test tells what to do: `glass.mock(market, "Networking"):answer("GET", "v2/items", { status = 503 })`.
///
/// ```swift
/// extension LoyaltyMock: ScriptedMock {
///     var mockMethods: [ScriptMethod] {
///         [ScriptMethod("setPoints", ["points"], "How many points there are.") { arguments in
///             self.points = try arguments.integer(0, "points")
///             return .nil
///         }]
///     }
/// }
/// ```
public protocol ScriptedMock: AnyObject, Sendable {
    /// What a test can tell the mock, and ask it.
    var mockMethods: [ScriptMethod] { get }
}
