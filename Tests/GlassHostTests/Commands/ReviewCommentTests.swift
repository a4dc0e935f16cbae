import Foundation
import GlassBase
import GlassAuthoring
import GlassSchema
import Testing

@testable import GlassHost

/// The comment of a pull request.
struct ReviewCommentTests {
    private static func review(_ changes: [Change], notices: [String] = []) -> Review {
        Review(
            base: Review.Side(name: "main", commit: "0123456789abcdef"), head: Review.Side(name: "the working tree"),
            changes: changes, unchanged: ["us"], notices: notices)
    }

    private static func change(
        _ rule: ChangeRule = .linkLost, _ market: String = "ca", _ summary: String = "a link opens nothing",
        at line: Int = 4
    ) -> Change {
        Change(
            rule, market: market, summary, before: SourcePosition(file: "markets/ca.lua", line: 3),
            after: SourcePosition(file: "markets/ca.lua", line: line), witness: "walmart.ca://a|b")
    }

    @Test func commentHasTableAndSectionPerMarket() {
        var accepted = Self.change(.handleChanged, "ca", "a function differs")
        accepted.accepted = Change.Acceptance(reason: "agreed", expires: "2026-12-31")
        var reaching = Self.change(.keyUnset, "mx", "the key is gone")
        reaching.alsoIn = ["pe", "cl"]
        let text = ReviewComment(
            Self.review([Self.change(), accepted, reaching], notices: ["links/*.txt is not there"])
        ).text
        #expect(
            text == """
                <!-- glass-host review -->
                ### Markets: 1 breaking, 1 risky, 1 accepted

                main (`0123456789ab`) → the working tree

                | market | breaking | risky | notes | accepted |
                |---|--:|--:|--:|--:|
                | ca | 1 | 0 | 0 | 1 |
                | mx | 0 | 1 | 0 | 0 |

                - links/\\*.txt is not there

                <details open><summary><code>ca</code>: 1 breaking, 1 accepted</summary>

                | | rule | change | position | link |
                |---|---|---|---|---|
                | **breaking** | link.lost | a link opens nothing | `markets/ca.lua:3` → `markets/ca.lua:4` | `walmart.ca://a\\|b` |
                | accepted | handle.changed | a function differs: accepted until 2026-12-31: agreed | `markets/ca.lua:3` → `markets/ca.lua:4` | `walmart.ca://a\\|b` |

                </details>

                <details><summary><code>mx</code>: 1 risky</summary>

                | | rule | change | position | link |
                |---|---|---|---|---|
                | risky | key.unset | the key is gone (also in pe, cl) | `markets/ca.lua:3` → `markets/ca.lua:4` | `walmart.ca://a\\|b` |

                </details>


                """)
    }

    @Test func unchangedMarketsAreMentioned() {
        let text = ReviewComment(Self.review([])).text
        #expect(text.hasPrefix("<!-- glass-host review -->\n### Markets: nothing changed\n"))
        #expect(!text.contains("<details"))
    }

    @Test func longCommentIsTruncatedWithCount() {
        let changes = (0..<3000).map { Self.change(.linkLost, "m\($0 % 3)", "link \($0) opens nothing") }
        let text = ReviewComment(Self.review(changes)).text
        #expect(text.utf16.count <= 60_200)
        #expect(text.utf16.count > 55_000)
        let rows = text.split(separator: "\n").count { $0.hasPrefix("| **breaking**") }
        #expect(
            text.hasSuffix("… and \(3000 - rows) breaking more in 3 markets: `glass-host review` lists them all.\n"))
        #expect(text.matches(of: /<details/).count == text.matches(of: /<\/details>/).count)
        #expect(text.contains("| m2 | 1000 | 0 | 0 | 0 |"))
    }

    /// Whatever the names and texts contain, the comment stays within GitHub's limit, with one line per row, no markup
    /// and no mentions.
    @Test(arguments: [
        "\u{1B}[31m\u{202E}\u{E0041}", "|`<b>&\"'\\@me #1 ~x~ *y*", "--><script>alert(1)</script>", "\n\n# x\n|a|b|\n",
        "</summary></details>", "😀", "``` ", "é\u{301}", "\u{0}",
    ])
    func anyInputStaysWithinLimit(piece: String) {
        let text = String(repeating: piece, count: 3000)
        var change = Change(
            rule: text, severity: .breaking, market: text, path: ConfigurationPath([.key(text)]), text,
            before: SourcePosition(file: text, line: 3), after: SourcePosition(file: text, line: .max), witness: text)
        change.alsoIn = Array(repeating: text, count: 100)
        change.accepted = Change.Acceptance(reason: text, expires: text)
        var open = change
        open.accepted = nil
        var changes: [Change] = []
        for index in 0..<60 {
            var other = index % 2 == 0 ? change : open
            other.market = "\(index)\(text)"
            other.fingerprint = "\(index)"
            changes.append(other)
        }
        let review = Review(
            base: Review.Side(name: text, commit: text), head: Review.Side(name: text, commit: text), changes: changes,
            notices: Array(repeating: text, count: 100))
        let comment = ReviewComment(review).text
        #expect(comment.utf16.count <= 65_536)
        #expect(!comment.unicodeScalars.contains { $0.needsEscape && $0 != "\n" })
        for line in comment.split(separator: "\n") {
            let starts = ["<!-- glass-host review -->", "### ", "|", "- ", "<details", "</details>", "…"]
            // The line with the two sides starts with a name.
            #expect(starts.contains { line.hasPrefix($0) } || line.contains(" → "), "\(line.prefix(100))")
        }
        // In a code span it is plain text.
        for row in comment.split(separator: "\n") where row.hasPrefix("|") {
            for cell in row.components(separatedBy: " | ") where !cell.hasPrefix("`") {
                #expect(!cell.contains("<script>") && !cell.contains("<b>"), "\(cell.prefix(100))")
            }
        }
        #expect(
            comment.matches(of: /<details/).count
                == comment.matches(of: /^<\/details>$/.anchorsMatchLineEndings()).count)
    }
}
