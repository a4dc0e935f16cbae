import GlassMarkets

/// The text of a matrix: words where they fit the width, else a letter for each with a legend; keys are shortened in
/// the middle, and markets that do not fit beside each other come below each other.
struct MatrixTable {
    let markets: [String]
    let rows: [(key: String, states: [MarketMatrix.State])]
    /// How wide the text may be; nil for no limit.
    let width: Int?

    /// Keys are not shortened below this.
    private static let shortestKey = 24

    func text(_ console: Console) -> String {
        let longestKey = max(3, rows.map(\.key.count).max() ?? 0)
        let words = markets.indices.map { column in
            ([markets[column]] + rows.map { $0.states[column].name }).map(\.count).max() ?? 0
        }
        let needed = longestKey + words.reduce(0) { $0 + 2 + $1 }
        guard let width, needed > width else { return lines(markets.indices, longestKey, words, console) { $0.name } }
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
        let tables = blocks.map { lines($0, keyWidth, letters, console) { $0.letter } }
        return tables.joined(separator: "\n\n") + "\n" + console.styled(legend(width), .dim)
    }

    private func lines(
        _ columns: some Collection<Int>, _ keyWidth: Int, _ widths: [Int], _ console: Console,
        _ form: (MarketMatrix.State) -> String
    ) -> String {
        let head = columns.map { markets[$0].padded(to: widths[$0]) }
        let first = console.styled((["KEY".padded(to: keyWidth)] + head).joined(separator: "  ").trimmed, .bold)
        let others = rows.map { row in
            let cells = columns.map { column in
                let cell = form(row.states[column]).padded(to: widths[column])
                switch row.states[column] {
                case .missing: return console.styled(cell, .red)
                case .overridden: return console.styled(cell, .green)
                case .repeated, .removed: return console.styled(cell, .yellow)
                case .declared, .inherited: return cell
                }
            }
            return ([row.key.shortened(to: keyWidth).padded(to: keyWidth)] + cells).joined(separator: "  ").trimmed
        }
        return ([first] + others).joined(separator: "\n")
    }

    private func legend(_ width: Int) -> String {
        let states: [MarketMatrix.State] = [
            .declared, .inherited(from: ""), .overridden, .repeated, .removed, .missing,
        ]
        var lines = [""]
        for text in states.map({ "\($0.letter) \($0.name)" }) {
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
    fileprivate var letter: String {
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

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with its middle left out, so that it is at most as long as a width.
    fileprivate func shortened(to width: Int) -> String {
        guard count > width, width > 1 else { return self }
        let tail = (width - 1) * 2 / 3
        return prefix(width - 1 - tail) + "…" + suffix(tail)
    }

    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
