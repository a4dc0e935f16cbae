import GlassBase
import GlassMarkets
import GlassSchema

/// A matrix as a document for other programs: a Markdown table, or comma-separated values.
struct MatrixDocument {
    let markets: [String]
    let rows: [MarketMatrix.Row]
    /// Whether the cells show the values instead of their origins.
    let showsValues: Bool

    /// The table in Markdown (GFM), ending with a line break.
    var markdown: String {
        var lines = [
            Markdown.row((["key"] + markets).map(Markdown.text)),
            "|\(String(repeating: "---|", count: markets.count + 1))",
        ]
        for row in rows {
            let cells = row.cells.map { cell -> String in
                guard showsValues else { return Markdown.text(cell.state.name) }
                return cell.value.map { Markdown.code($0.summary) } ?? "*\(cell.state.name)*"
            }
            lines.append(Markdown.row([Markdown.code(row.path.description)] + cells))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The rows below a header. A removed or missing value is an empty cell, and an empty string is `""`.
    var csv: String {
        let head = CSV.row((["key"] + markets).map { .text($0) })
        return rows.reduce(into: head) { text, row in
            let cells = row.cells.map { showsValues ? $0.value?.csvCell ?? .text("") : .text($0.state.name) }
            text += CSV.row([.text(row.path.description)] + cells)
        }
    }
}

extension ConfigurationValue {
    /// The value in a cell: strings and numbers unchanged, anything else in the syntax of market files.
    fileprivate var csvCell: CSV.Cell {
        switch self {
        case .string(""): .text("\"\"")
        case .string(let text): .text(text)
        case .integer(let number): .number("\(number)")
        case .number(let number) where number.isFinite: .number("\(number)")
        default: .text(written)
        }
    }
}
