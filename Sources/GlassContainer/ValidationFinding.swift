/// One thing that `Container.validate(requiring:)` found wrong, with the place to fix it.
public struct ValidationFinding: Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A required type is not registered.
        case missing
        /// A type is registered twice in one container; the last one counts.
        case duplicate
        /// A service requires itself, over others or at once.
        case cyclic
        /// A kept service holds one that goes before it does.
        case captive
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// The keys involved: what is missing or registered twice, the cycle, or the holder and what it holds.
    public let services: [ServiceID]
    /// Where the fault stands.
    public let site: RegistrationSite
    /// What is wrong.
    public let message: String
    /// What to do, if there is something to say.
    public let hint: String?

    /// The finding as `App/Setup.swift:12: error: …`, and a second line with the hint.
    public var description: String {
        "\(site): error: \(message)" + (hint.map { "\n  hint: \($0)" } ?? "")
    }
}
