import GlassBase
import GlassMarketFiles
import GlassAuthoring

/// A review as text: by market, the most severe changes first, followed by a line with the counts.
struct ReviewText {
    private let review: Review
    private let console: Console

    /// Prepares a review to be printed.
    init(_ review: Review, _ console: Console) {
        self.review = review
        self.console = console
    }

    /// Prints the review.
    func print() {
        var market: String?
        for change in review.changes where !console.isQuiet || change.severity > .note {
            if change.market != market {
                console.result("\(change.market, .bold)")
                market = change.market
            }
            console.result(
                "  \(change.severity.rawValue, style(of: change)) \(change.rule): \(change.summary)", wrappedBy: 6)
            for line in details(of: change) { console.result("\("      " + line, .dim)") }
        }
        for notice in review.notices { console.result("note: \(notice)", wrappedBy: 6) }
        if console.isQuiet { return }
        if console.isVerbose, !review.unchanged.isEmpty {
            console.result("not changed themselves: \(review.unchanged.joined(separator: ", "))", wrappedBy: 6)
        }
        console.result("\(summary)")
    }

    private func style(of change: Change) -> DisplayText.Style {
        if change.accepted != nil { return .dim }
        return switch change.severity {
        case .breaking: .red
        case .risky: .yellow
        case .note: .dim
        }
    }

    /// The positions, the other markets, and with `--verbose` the fingerprint.
    private func details(of change: Change) -> [String] {
        let places = [change.before, change.after].compactMap { $0.map { "\($0)" } }
        let isSame = places.count == 2 && places[0] == places[1]
        var line = places.isEmpty ? [] : [isSame ? places[0] : places.joined(separator: " → ")]
        if !change.alsoIn.isEmpty { line.append("also \(change.alsoIn.listed)") }
        var lines = line.isEmpty ? [] : [line.joined(separator: ", ")]
        if let recorded = change.recorded { lines.append("recorded at \(recorded)") }
        if let accepted = change.accepted {
            lines.append("accepted: \(accepted.reason)" + (accepted.expires.map { ", until \($0)" } ?? ""))
        }
        if console.isVerbose { lines.append("fingerprint \(change.fingerprint)") }
        return lines
    }

    private var summary: String {
        let accepted = review.changes.count { $0.accepted != nil }
        let counts = [
            "\(review.count(.breaking)) breaking", "\(review.count(.risky)) risky",
            "\(review.count(.note)) note\(review.count(.note) == 1 ? "" : "s")",
            accepted > 0 ? "\(accepted) accepted" : nil,
        ].compactMap(\.self).joined(separator: ", ")
        return "\(review.base.name) → \(review.head.name): \(counts)"
    }
}
