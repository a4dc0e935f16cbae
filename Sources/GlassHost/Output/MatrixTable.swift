import GlassBase
import GlassMarketFiles
import GlassMarkets

/// A matrix as text: with words if they fit the width, otherwise with letters and a legend. Keys are shortened in the
/// middle, and markets that do not fit continue in another table below.
struct MatrixTable {
    let markets: [DisplayText]
    let rows: [(key: DisplayText, states: [MarketMatrix.State])]
    /// The maximum width; nil for no limit.
    let width: Int?

    /// The minimum width of a shortened key.
    private static let shortestKey = 24

    var text: DisplayText {
        let longestKey = max(3, rows.map(\.key.count).max() ?? 0)
        let words = markets.indices.map { column in
            ([markets[column].count] + rows.map { $0.states[column].name.count }).max() ?? 0
        }
        let needed = longestKey + words.reduce(0) { $0 + 2 + $1 }
        guard let width, needed > width else { return lines(markets.indices, longestKey, words) { "\($0.name)" } }
        let letters = markets.map { max(1, $0.count) }
        var blocks: [[Int]] = [[]]
        var used = 0
        let keyWidth = min(longestKey, max(Self.shortestKey, width - letters.reduce(0) { $0 + 2 + $1 }))
        for column in markets.indices {
            if keyWidth + used + 2 + letters[column] > width, used > 0 {
                blocks.append([])
                used = 0
            }
            blocks[blocks.count - 1].append(column)
            used += 2 + letters[column]
        }
        let tables = blocks.map { lines($0, keyWidth, letters) { $0.letter } }
        return tables.joined(separator: "\n\n") + "\n" + legend(width).styled(.dim)
    }

    private func lines(
        _ columns: some Collection<Int>, _ keyWidth: Int, _ widths: [Int],
        _ form: (MarketMatrix.State) -> DisplayText
    ) -> DisplayText {
        let head = columns.map { markets[$0].padded(to: widths[$0]) }
        let first = ([DisplayText("KEY").padded(to: keyWidth)] + head).joined(separator: "  ").trimmed.styled(.bold)
        let others = rows.map { row in
            let cells = columns.map { column in
                let cell = form(row.states[column]).padded(to: widths[column])
                switch row.states[column] {
                case .missing: return cell.styled(.red)
                case .overridden: return cell.styled(.green)
                case .repeated, .removed: return cell.styled(.yellow)
                case .declared, .inherited: return cell
                }
            }
            return ([row.key.shortened(to: keyWidth).padded(to: keyWidth)] + cells).joined(separator: "  ").trimmed
        }
        return ([first] + others).joined(separator: "\n")
    }

    private func legend(_ width: Int) -> DisplayText {
        let states: [MarketMatrix.State] = [
            .declared, .inherited(from: ""), .overridden, .repeated, .removed, .missing,
        ]
        var lines: [DisplayText] = [""]
        for text in states.map({ "\($0.letter) \($0.name)" as DisplayText }) {
            if lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] = text
            } else if lines[lines.count - 1].count + 2 + text.count <= width {
                lines[lines.count - 1] += "  " + text
            } else {
                lines.append(text)
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension MarketMatrix.State {
    fileprivate var letter: DisplayText {
        switch self {
        case .declared: "D"
        case .inherited: "·"
        case .overridden: "O"
        case .repeated: "="
        case .removed: "-"
        case .missing: "!"
        }
    }
}
