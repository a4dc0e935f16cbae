import GlassBase
import GlassMarketFiles
import GlassMarkets

/// A matrix as text: with words if they fit the width, otherwise with letters and a legend. Keys are shortened in the
/// middle, and markets that do not fit continue in another table below, as do those of another abstract base.
struct MatrixTable {
    let markets: [DisplayText]
    let rows: [(key: DisplayText, states: [MarketMatrix.State])]
    /// The abstract base of each market; nil for a market that extends none.
    let groups: [String?]
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
        let columns = Dictionary(grouping: markets.indices) { groups[$0] }.values
        let widest = columns.map { $0.reduce(0) { $0 + 2 + letters[$1] } }.max() ?? 0
        let keyWidth = min(longestKey, max(Self.shortestKey, width - widest))
        for column in markets.indices {
            let isOther = column > 0 && groups[column] != groups[column - 1]
            if isOther || keyWidth + used + 2 + letters[column] > width, used > 0 {
                blocks.append([])
                used = 0
            }
            blocks[blocks.count - 1].append(column)
            used += 2 + letters[column]
        }
        let isGrouped = groups.contains { $0 != nil }
        let tables = blocks.map { block in
            let table = lines(block, keyWidth, letters) { $0.letter }
            guard isGrouped, let first = block.first else { return table }
            return Self.title(of: groups[first]).styled(.dim) + "\n" + table
        }
        return tables.joined(separator: "\n\n") + "\n" + legend(width).styled(.dim)
    }

    private static func title(of group: String?) -> DisplayText {
        group.map { "markets that extend \($0)" } ?? "other markets"
    }

    /// The width below which a table of the values of so many markets is unreadable: the columns would be truncated to
    /// a few characters.
    static func narrowestValues(_ markets: Int) -> Int { markets > 6 ? 16 + 10 * markets : 0 }

    /// A key with its distinct values, each with the markets that have it, for more markets than columns fit.
    static func values(of row: MarketMatrix.Row, in matrix: MarketMatrix, _ width: Int) -> DisplayText {
        var values: [(text: DisplayText, markets: [String])] = []
        for (market, cell) in zip(matrix.markets, row.cells) {
            let text = cell.value.map { "\($0.summary)" as DisplayText } ?? "\(cell.state.name)"
            if let index = values.firstIndex(where: { $0.text == text }) {
                values[index].markets.append(market)
            } else {
                values.append((text, [market]))
            }
        }
        let lines = values.map { value -> DisplayText in
            let markets = value.markets.count == matrix.markets.count ? "all" : value.markets.joined(separator: ", ")
            let line: DisplayText = "  \(value.text.cut(to: max(16, width / 2)))  \(markets)"
            return line.wrapped(to: width, indent: 4)
        }
        let key: DisplayText = "\(row.path)"
        return ([key.shortened(to: width).styled(.bold)] + lines).joined(separator: "\n")
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
