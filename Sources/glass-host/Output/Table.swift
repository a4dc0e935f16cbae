/// Rows under a head, in columns as wide as their widest cell.
struct Table {
    private let head: [String]
    private var rows: [[String]] = []

    init(_ head: String...) {
        self.head = head
    }

    mutating func add(_ row: String...) {
        rows.append(row)
    }

    /// The lines of the table without spaces at their ends.
    func text(_ console: Console) -> String {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            var text = padded.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            return text
        }
        return ([console.styled(line(head), .bold)] + rows.map(line)).joined(separator: "\n")
    }
}
