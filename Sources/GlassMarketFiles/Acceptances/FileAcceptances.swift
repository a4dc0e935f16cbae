import Foundation
package import GlassMarkets
package import GlassSchema

/// Tracks which `accept` entries in market files have matched a finding, to report unused and expired ones.
package struct FileAcceptances: Sendable {
    /// Today's date in UTC, as ISO 8601 writes it, with which the last days of acceptances are compared.
    package static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

    private let today: String
    /// The acceptances by rule. Markets that share a file have the same ones.
    private var byRule: [FindingCode: [MarketAcceptance]] = [:]
    private var known: Set<MarketAcceptance> = []
    private var used: Set<MarketAcceptance> = []

    /// Creates a tracker in which no acceptance has been used.
    package init(_ acceptances: [MarketAcceptance] = [], today: String) {
        self.today = today
        add(acceptances)
    }

    /// Adds the acceptances of a market's files.
    package mutating func add(_ acceptances: [MarketAcceptance]) {
        for acceptance in acceptances where known.insert(acceptance).inserted {
            byRule[acceptance.rule, default: []].append(acceptance)
        }
    }

    /// Whether a market file accepts a finding.
    package mutating func accepts(_ finding: Finding) -> Bool {
        guard let acceptances = byRule[finding.code] else { return false }
        let found = acceptances.filter { $0.covers(finding) }
        used.formUnion(found)
        return found.contains { !$0.isExpired(on: today) }
    }

    /// The findings about the acceptances themselves: those that have expired, and those that match nothing.
    ///
    /// - Parameters:
    ///   - isComplete: Whether all markets were examined, so that an acceptance without a finding is unused.
    ///   - unexamined: The rules that were not examined, whose acceptances may be used elsewhere.
    package func findings(isComplete: Bool, unexamined: Set<FindingCode> = []) -> [Finding] {
        known.compactMap { acceptance in
            let rule = acceptance.rule.rawValue
            let subject = "\(rule) \(acceptance.reason)"
            if acceptance.isExpired(on: today), let expires = acceptance.expires {
                return Finding(
                    .acceptExpired, severity: .warning, at: acceptance.position, path: acceptance.path,
                    subject: subject,
                    "the accept for \(rule) (\(acceptance.reason.quotedForMessage)) expired on \(expires)",
                    hint: "fix the finding and remove the accept, or extend its date")
            }
            guard isComplete, !used.contains(acceptance), !acceptance.rule.dependsOnHost,
                !unexamined.contains(acceptance.rule)
            else { return nil }
            return Finding(
                .acceptUnused, severity: .warning, at: acceptance.position, path: acceptance.path, subject: subject,
                "the accept for \(rule) (\(acceptance.reason.quotedForMessage)) matches no finding", hint: "remove it")
        }.sortedByPosition()
    }
}

extension FindingCode {
    /// Whether its findings depend on the environment of the process, so that an acceptance may be used on another
    /// machine.
    fileprivate var dependsOnHost: Bool { self == .secretUnset || self == .secretMalformed }
}
