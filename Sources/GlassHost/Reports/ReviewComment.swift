import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSchema

/// A review as a pull request comment, in Markdown.
///
/// The first line is an invisible marker by which a program finds and replaces the comment instead of adding another
/// one. GitHub accepts at most 65,536 characters; this stops at 60,000 and says how many changes are omitted.
struct ReviewComment {
    /// The marker in the first line.
    static let mark = "<!-- glass-host review -->"
    /// The length after which no more changes are added.
    static let length = 60_000

    /// The comment, ending with a line break.
    let text: String

    // Limits for the names and texts of markets, so that neither the header nor a single change exceeds what GitHub
    // accepts beyond `length`. Escapes can double their length.
    private static let maximumNameLength = 100
    private static let maximumTextLength = 600
    private static let maximumMarkets = 50
    private static let maximumNames = 10
    private static let maximumNotices = 10

    /// Writes the comment of a review.
    init(_ review: Review) {
        let markets = Dictionary(grouping: review.changes, by: \.market).sorted { $0.key < $1.key }
        var text = Self.head(of: review, markets)
        var length = text.utf16.count
        var left: [Change] = []
        for (market, changes) in markets {
            let start = Self.start(of: market, changes)
            var section = ""
            for change in changes {
                let row = Self.row(of: change) + "\n"
                // After the first omitted change, omit all others, too: the text at the end counts them.
                guard left.isEmpty, length + start.utf16.count + section.utf16.count + row.utf16.count < Self.length
                else {
                    left.append(change)
                    continue
                }
                section += row
            }
            guard !section.isEmpty else { continue }
            text += start + section + "\n</details>\n\n"
            length = text.utf16.count
        }
        if !left.isEmpty {
            let markets = Set(left.map(\.market)).count
            text +=
                "… and \(Self.counts(of: left)) more in \(markets) \(markets == 1 ? "market" : "markets"): "
                + "`glass-host review` lists them all.\n"
        }
        self.text = text
    }

    private static func head(of review: Review, _ markets: [(key: String, value: [Change])]) -> String {
        var lines = [
            mark, "### Markets: \(review.changes.isEmpty ? "nothing changed" : counts(of: review.changes))", "",
        ]
        lines.append("\(name(of: review.base)) → \(name(of: review.head))")
        lines.append("")
        if !markets.isEmpty {
            lines += [Markdown.row(["market", "breaking", "risky", "notes", "accepted"]), "|---|--:|--:|--:|--:|"]
            for (market, changes) in markets.prefix(maximumMarkets) {
                let open = changes.filter { $0.accepted == nil }
                let counts = Change.Severity.allCases.map { severity in
                    "\(open.count { $0.severity == severity })"
                }
                lines.append(Markdown.row([cell(market)] + counts + ["\(changes.count - open.count)"]))
            }
            if markets.count > maximumMarkets { lines += ["", "… and \(markets.count - maximumMarkets) more markets"] }
            lines.append("")
        }
        for notice in review.notices.prefix(maximumNotices) { lines.append("- \(cell(notice, maximumTextLength))") }
        if review.notices.count > maximumNotices {
            lines.append("- … and \(review.notices.count - maximumNotices) more")
        }
        if !review.notices.isEmpty { lines.append("") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func start(of market: String, _ changes: [Change]) -> String {
        // Up to the blank line, this is HTML, in which backslashes escape nothing. A name in code does not mention a
        // user.
        let name = "<code>\(market.shortened(maximumNameLength).xmlText)</code>"
        // Breaking changes are visible without a click.
        let isOpen = changes.contains { $0.accepted == nil && $0.severity == .breaking }
        return """
            <details\(isOpen ? " open" : "")><summary>\(name): \(counts(of: changes))</summary>

            | | rule | change | position | link |
            |---|---|---|---|---|

            """
    }

    private static func row(of change: Change) -> String {
        var text = cell(change.summary, maximumTextLength)
        if !change.alsoIn.isEmpty {
            let names = change.alsoIn.prefix(maximumNames).map { cell($0) }.joined(separator: ", ")
            let more = change.alsoIn.count - maximumNames
            text += " (also in \(names)\(more > 0 ? " and \(more) more" : ""))"
        }
        var word = change.severity == .breaking ? "**breaking**" : change.severity.rawValue
        if let accepted = change.accepted {
            word = "accepted"
            text += ": \(cell(accepted.sentence, maximumTextLength))"
        }
        let places = [change.before, change.after].compactMap(\.self).map { position in
            Markdown.code("\(position.file.shortened(maximumNameLength)):\(position.line)")
        }
        return Markdown.row([
            word, cell(change.rule, 2 * maximumNameLength), text, places.joined(separator: " → "),
            change.witness.map { Markdown.code($0.shortened(maximumTextLength)) } ?? "",
        ])
    }

    private static func name(of side: Review.Side) -> String {
        let commit = side.commit.map { " (\(Markdown.code(String($0.prefix(12)))))" } ?? ""
        return cell(side.name) + commit
    }

    /// `2 breaking, 1 risky`; accepted changes are counted separately.
    private static func counts(of changes: [Change]) -> String {
        var counts = Change.Severity.allCases.map { severity in
            (
                changes.count { $0.severity == severity && $0.accepted == nil },
                severity == .note ? "notes" : severity.rawValue
            )
        }
        counts.append((changes.count { $0.accepted != nil }, "accepted"))
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 && $0.1 == "notes" ? "note" : $0.1)" }
            .joined(separator: ", ")
    }

    private static func cell(_ text: String, _ length: Int = maximumNameLength) -> String {
        Markdown.text(text.shortened(length))
    }
}

extension String {
    /// The text with invisible characters escaped, and truncated if it is long. The length is in UTF-16 code units, of
    /// which each character has at least one.
    fileprivate func shortened(_ length: Int) -> String {
        // Escaping makes text only longer, so the rest of a long text need not be examined.
        let start = utf16.count > length ? String(decoding: utf16.prefix(length + 1), as: UTF16.self) : self
        let visible = DisplayText(start).plain
        guard visible.utf16.count > length else { return visible }
        var end = visible.utf16.index(visible.utf16.startIndex, offsetBy: length)
        while end.samePosition(in: visible.unicodeScalars) == nil { end = visible.utf16.index(before: end) }
        return visible[..<end] + "…"
    }
}
