import Foundation
import GlassBase
package import GlassSchema

/// How bad it is what a policy denies.
package enum PolicySeverity: String, Sendable, Hashable, CaseIterable {
    /// It may not stay: `check` and `review` end with 1.
    case breaking
    /// Somebody has to look.
    case risky
    /// Something to know; nobody has to do anything.
    case note

    /// The same of a finding.
    package var ofFinding: Finding.Severity {
        switch self {
        case .breaking: .error
        case .risky: .warning
        case .note: .note
        }
    }
}

/// One rule of a project's own, as a file of its policies declares it.
package struct Policy: Sendable, Hashable {
    /// What a policy judges.
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        /// A market as it is, in `check` and in `review`.
        case market = "check"
        /// A change of markets, in `review`.
        case change = "review"
    }

    /// What it is called, which output shows as the rule. No other policy and no rule of this program has the name.
    package let name: String
    /// How bad it is what it denies.
    package let severity: PolicySeverity
    /// What it judges.
    package let subject: Subject
    /// Where it is declared.
    package let position: SourcePosition
    /// The file that declares it, by its path below the folder of the policies.
    let file: String
}

/// That somebody decided to live with something for a while, as a file of policies says it.
package struct PolicyAcceptance: Sendable, Hashable {
    /// Which finding or change it is.
    package let fingerprint: String
    /// Why.
    package let reason: String
    /// The last day on which it holds, as `2026-12-31`.
    package let expires: String
    /// What it is about; nil for both.
    package let subject: Policy.Subject?
    /// Where it is written.
    package let position: SourcePosition

    /// Whether its last day is over.
    package func isExpired(on today: String) -> Bool { expires < today }
}

/// A day as ISO 8601 writes it, `2026-12-31`: such texts are in the order of the days.
package enum PolicyDate {
    /// The day on which an `accept` holds or does not, in UTC.
    package static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

    /// Whether a text is a day that there is.
    static func isValid(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }
}
