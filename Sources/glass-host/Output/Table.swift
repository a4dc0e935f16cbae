/// Rows under a head, in columns as wide as their widest cell.
///
/// On a terminal that is too narrow the widest columns but the first are cut, so that a row stays a line; elsewhere nothing is cut.
struct Table {
    private let head: [String]
    private var rows: [[String]] = []

    private static let gap = 2
    private static let narrowest = 8

    init(_ head: String...) {
        self.init(head: head)
    }

    init(head: [String]) {
        self.head = head
    }

    mutating func add(_ row: String...) {
        rows.append(row)
    }

    mutating func add(row: [String]) {
        rows.append(row)
    }

    /// The lines of the table without spaces at their ends.
    func text(_ console: Console) -> String {
        var widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        if let width = console.width { Self.narrow(&widths, to: width) }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                let shown = cell.count > width ? cell.prefix(max(0, width - 1)) + "…" : cell
                return shown + String(repeating: " ", count: width - shown.count)
            }
            var text = padded.joined(separator: String(repeating: " ", count: Self.gap))
            while text.last == " " { text.removeLast() }
            return text
        }
        return ([console.styled(line(head), .bold)] + rows.map(line)).joined(separator: "\n")
    }

    /// Takes from the widest column, one character at a time, until the row fits or every column is narrow. The first
    /// column says what a row is about and stays whole.
    private static func narrow(_ widths: inout [Int], to width: Int) {
        var surplus = widths.reduce(0, +) + gap * (widths.count - 1) - width
        while surplus > 0, let widest = widths.dropFirst().max(), widest > narrowest,
            let column = widths.dropFirst().firstIndex(of: widest)
        {
            widths[column] -= 1
            surplus -= 1
        }
    }
}
