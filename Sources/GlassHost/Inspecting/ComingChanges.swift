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
    struct Change {
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
    init(of market: Market, after now: ContextDate) {
        guard let situations = market.origin.situations else { return }
        let end = ContextDate(secondsSince1970: now.secondsSince1970 + Self.seconds)
        var (date, before) = (now, Facts(market, now))
        while changes.count < Self.maximum, let next = situations.nextChange(after: date), next <= end {
            date = next
            var context = market.situation.live
            context["date"] = .date(next)
            // A market that cannot be built in a situation has an error on its card.
            guard let then = try? market.with(context) else { continue }
            let facts = Facts(then, next)
            let lines = facts.changes(since: before)
            if !lines.isEmpty { changes.append(Change(date: next, lines: lines)) }
            before = facts
        }
    }

    /// What a card says about a market at a time.
    private struct Facts {
        let overlays: [String]
        let flags: [(name: String, value: String, rules: [String])]
        let paths: Set<String>

        init(_ market: Market, _ now: ContextDate) {
            overlays = market.overlaysInUse
            flags = market.flagReports([], now: now).map { report in
                let sentence = FlagSentence(report)
                return (report.flag.name, sentence.value, sentence.rules)
            }
            paths = Set(market.routes.map { "\($0.pattern) (\($0.routable))" })
        }

        func changes(since before: Facts) -> [String] {
            let begun = overlays.filter { !before.overlays.contains($0) }.map { "The overlay \($0) begins." }
            let ended = before.overlays.filter { !overlays.contains($0) }.map { "The overlay \($0) ends." }
            let values = flags.compactMap { flag -> String? in
                guard let old = before.flags.first(where: { $0.name == flag.name }) else { return nil }
                if old.value != flag.value {
                    return "The flag \(flag.name) changes from \(old.value) to \(flag.value)."
                }
                return old.rules == flag.rules
                    ? nil : "The flag \(flag.name) has other rules: \(flag.rules.joined(separator: "; "))."
            }
            let opened = paths.subtracting(before.paths).sorted().map { "The path \($0) opens." }
            let closed = before.paths.subtracting(paths).sorted().map { "The path \($0) no longer opens." }
            return begun + ended + values + opened + closed
        }
    }
}
