/// A finding of `Container.validate(requiring:)`, with the position to fix.
public struct ValidationFinding: Sendable, Hashable, CustomStringConvertible {
    /// The kind of finding.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A required type isn't registered.
        case missing
        /// A type is registered twice in one container; the last registration wins.
        case duplicate
        /// A service requires itself, directly or through others.
        case cyclic
        /// A cached service holds a service with a shorter lifetime.
        case captive
        /// A registered value does not work here, such as a host whose state folder belongs to another user.
        case unusable
    }

    /// The kind of finding.
    public let kind: Kind
    /// The keys involved: the service that's missing or registered twice, the cycle, or the holder and the captive
    /// service.
    public let services: [ServiceID]
    /// The position of the finding.
    public let site: RegistrationSite
    /// A description of the finding.
    public let message: String
    /// A suggested fix, if any.
    public let hint: String?

    /// The finding as `App/Setup.swift:12: error: …`, followed by a line with the hint, if any.
    public var description: String {
        "\(site): error: \(message)" + (hint.map { "\n  hint: \($0)" } ?? "")
    }
}
