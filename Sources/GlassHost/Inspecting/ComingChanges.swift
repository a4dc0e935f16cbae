import Foundation
import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// What changes in a market in the next 90 days if nobody edits it: its overlays, flags, and paths.
///
/// Each moment is evaluated: the market at that time is compared with the market before.
struct ComingChanges {
    /// The changes at a moment.
    struct Change: Sendable {
        let date: ContextDate
        /// A sentence for each change, in a fixed order.
        let lines: [String]

        var json: JSONObject { ["date": "\(date)", "lines": lines] }
    }

    /// The changes in their order, at most ``maximum``.
    private(set) var changes: [Change] = []

    private static let seconds: Int64 = 90 * 86_400
    /// More moments than a card can show. Each needs the market once more.
    static let maximum = 12

    /// - Parameter now: The time from which the days count.
    init(of market: Market, after now: ContextDate, zone: String? = nil) {
        guard let situations = market.origin.situations else { return }
        let end = ContextDate(secondsSince1970: now.secondsSince1970 + Self.seconds)
        var (date, before) = (now, Facts(market, now, zone))
        while changes.count < Self.maximum, let next = situations.nextChange(after: date), next <= end {
            date = next
            var context = market.situation.live
            context["date"] = .date(next)
            // A market that cannot be built in a situation has an error on its card.
            guard let then = try? market.with(context) else { continue }
            let facts = Facts(then, next, zone)
            let lines = facts.changes(since: before)
            if !lines.isEmpty { changes.append(Change(date: next, lines: lines)) }
            before = facts
        }
    }

    /// What a card says about a market at a time.
    private struct Facts {
        let overlays: [String]
        let flags: [(name: String, value: String)]
        /// The rules of flags with dates, and whether their conditions hold.
        let rules: [(name: String, text: String, condition: Condition, holds: Bool)]
        let paths: Set<String>
        let now: ContextDate

        init(_ market: Market, _ now: ContextDate, _ zone: String?) {
            self.now = now
            overlays = market.overlaysInUse
            let reports = market.flagReports([], now: now)
            flags = reports.map { ($0.flag.name, FlagSentence($0).value) }
            rules = reports.filter(\.flag.definition.enabled).flatMap { report in
                report.flag.rules.filter { !$0.condition.attributes.isDisjoint(with: ["date", "localDate"]) }.map {
                    rule in
                    (
                        "\(report.flag.name), rule \(rule.name)", FlagSentence(report, zone: zone).text(of: rule),
                        rule.condition, rule.condition.holds(in: market.situation.live)
                    )
                }
            }
            paths = Set(market.routes.map { "\($0.pattern) (\($0.routable))" })
        }

        func changes(since before: Facts) -> [String] {
            let begun = overlays.filter { !before.overlays.contains($0) }.map { "The overlay \($0) begins." }
            let ended = before.overlays.filter { !overlays.contains($0) }.map { "The overlay \($0) ends." }
            let values = flags.compactMap { flag -> String? in
                guard let old = before.flags.first(where: { $0.name == flag.name }) else { return nil }
                return old.value == flag.value
                    ? nil : "The flag \(flag.name) changes from \(old.value) to \(flag.value)."
            }
            let dated = rules.compactMap { rule -> String? in
                guard rule.condition.nextChange(after: before.now) == now,
                    let old = before.rules.first(where: { $0.name == rule.name })
                else { return nil }
                switch (old.holds, rule.holds) {
                case (false, true): return "The flag \(rule.name) begins: \(rule.text)."
                case (true, false): return "The flag \(rule.name) ends: \(rule.text)."
                // Other attributes decide, too.
                default: return "The flag \(rule.name) reaches a date: \(rule.text)."
                }
            }
            let opened = paths.subtracting(before.paths).sorted().map { "The path \($0) opens." }
            let closed = before.paths.subtracting(paths).sorted().map { "The path \($0) no longer opens." }
            return begun + ended + values + dated + opened + closed
        }
    }
}
