public import GlassContainer
public import GlassSchema

/// Counts points.
public protocol LoyaltyAPI: AnyObject, ScriptCallable {
    /// The points for an amount.
    func points(forCents cents: Int) -> Int
    /// The tier of a member with this number of points; `nil` below the lowest.
    func tier(forPoints points: Int) -> String?
    /// The member's points according to the partner.
    func balance() async throws -> Int
}

extension LoyaltyAPI {
    /// The name of the service in script errors.
    public var scriptTypeName: String { "LoyaltyAPI" }
    /// The methods for scripts.
    public var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("points", ["cents"], "The points for an amount.") { [self] arguments in
                .integer(points(forCents: try arguments.integer(0, "cents")))
            },
            ScriptMethod("tier", ["points"], "The tier of a member with so many points.") { [self] arguments in
                tier(forPoints: try arguments.integer(0, "points")).map { .string($0) } ?? .nil
            },
            ScriptMethod(
                "balance", [], "The points that the partner has for the member.",
                waiting: { [self] _ in .integer(try await balance()) }),
        ]
    }
}

/// Contacts the partner that stores the points.
public protocol LoyaltyTransport: Sendable {
    /// The member's points.
    func balance() async throws -> Int
}

extension Container {
    /// Counts points.
    public var loyalty: Factory<any LoyaltyAPI> { registered() }
}
