package import GlassBase

/// Rows below a header, in columns as wide as their widest cell.
///
/// If the width is limited and too small, the widest columns are truncated, so that each row stays on one line: first
/// the other columns, and then the first, which identifies the row. Otherwise, nothing is truncated, and a cell that
/// exceeds the maximum width of a column overflows its row.
package struct Table {
    private let head: [DisplayText]
    private var rows: [[DisplayText]] = []

    private static let gap = 2
    private static let widest = 1024
    /// The minimum widths of the first column and of the others, in the order in which columns are narrowed.
    private static let steps: [(isFirst: Bool, width: Int)] = [(false, 8), (true, 24), (false, 3), (true, 3)]

    /// Creates a table with a header.
    package init(_ head: DisplayText...) {
        self.init(head)
    }

    init(_ head: [DisplayText]) {
        self.head = head
    }

    /// Adds a row.
    package mutating func add(_ row: DisplayText...) {
        add(row)
    }

    /// Adds a row with as many cells as the header.
    package mutating func add(_ row: [DisplayText]) {
        rows.append(row)
    }

    /// The width of each column without a limit.
    private var widths: [Int] {
        head.indices.map { column in
            // A huge cell must not pad every row to its width.
            min(Self.widest, ([head] + rows).map { $0[column].count }.max() ?? 0)
        }
    }

    /// Whether nothing is truncated at a width.
    func fits(_ width: Int) -> Bool { widths.reduce(0, +) + Self.gap * (widths.count - 1) <= width }

    /// The lines of the table, without trailing spaces.
    package func text(_ console: Console) -> DisplayText {
        var widths = widths
        let limit = console.width
        if let limit { Self.narrow(&widths, to: limit) }
        func line(_ cells: [DisplayText]) -> DisplayText {
            let padded = zip(cells, widths).map { cell, width in
                (limit == nil ? cell : cell.cut(to: width)).padded(to: width)
            }
            return padded.joined(separator: DisplayText(String(repeating: " ", count: Self.gap))).trimmed
        }
        return ([line(head).styled(.bold)] + rows.map(line)).joined(separator: "\n")
    }

    /// Narrows the widest column, one character at a time, until the row fits or every column has its minimum width.
    private static func narrow(_ widths: inout [Int], to width: Int) {
        var surplus = widths.reduce(0, +) + gap * (widths.count - 1) - width
        for step in steps {
            let columns = step.isFirst ? widths.indices.prefix(1) : widths.indices.dropFirst()
            while surplus > 0, let column = columns.max(by: { widths[$0] < widths[$1] }), widths[column] > step.width {
                widths[column] -= 1
                surplus -= 1
            }
        }
    }
}
