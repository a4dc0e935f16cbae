public import GlassSchema

/// A mock that a test controls: `glass.mock(market, "Networking"):answer("GET", "v2/items", { status = 503 })`.
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
    /// The methods with which a test controls and queries the mock.
    var mockMethods: [ScriptMethod] { get }
}
