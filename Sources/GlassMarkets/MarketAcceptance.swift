package import GlassSchema

/// An `accept` in a market file: warnings of a rule about a value that the team tolerates, with the reason.
package struct MarketAcceptance: Sendable, Hashable {
    /// A range of a file.
    package struct Place: Sendable, Hashable {
        /// The first position.
        package private(set) var start: SourcePosition
        /// The last position, in the same file.
        package private(set) var end: SourcePosition

        /// Creates a range.
        package init(_ start: SourcePosition, _ end: SourcePosition) {
            self.start = min(start, end)
            self.end = max(start, end)
        }

        /// Extends the range to contain another one of the same file.
        package mutating func formUnion(_ other: Place) {
            start = min(start, other.start)
            end = max(end, other.end)
        }

        fileprivate func contains(_ position: SourcePosition) -> Bool {
            position.file == start.file && start <= position && position <= end
        }
    }

    /// The rule.
    package let rule: FindingCode
    /// Why the team tolerates the warnings.
    package let reason: String
    /// The last day on which it applies, such as `2027-05-31`; nil if it does not expire.
    package let expires: String?
    /// The position of the rule's name.
    package let position: SourcePosition
    /// The key whose value it is about.
    package let path: ConfigurationPath
    /// Where the value is written, with its key: a range in each file, because a value may come from an `include`.
    package let places: [Place]

    /// Creates an acceptance.
    package init(
        _ rule: FindingCode, reason: String, expires: String?, position: SourcePosition, path: ConfigurationPath,
        places: [Place]
    ) {
        self.rule = rule
        self.reason = reason
        self.expires = expires
        self.position = position
        self.path = path
        self.places = places
    }

    /// Whether its last day has passed.
    package func isExpired(on today: String) -> Bool { expires.map { $0 < today } ?? false }

    /// Whether it is about a rule's findings at a position, also after its last day.
    package func covers(_ rule: FindingCode, at position: SourcePosition?) -> Bool {
        guard rule == self.rule, let position else { return false }
        return places.contains { $0.contains(position) }
    }

    /// Whether it is about a finding, also after its last day. Errors cannot be accepted, and those who wrote a policy
    /// accept its findings beside it.
    package func covers(_ finding: Finding) -> Bool {
        finding.severity != .error && finding.policy == nil && covers(finding.code, at: finding.position)
    }
}
