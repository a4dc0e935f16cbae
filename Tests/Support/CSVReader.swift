/// Reads comma-separated values by the grammar of RFC 4180 §2.
package enum CSVReader {
    /// The rows with their cells.
    ///
    /// - Parameter text: The values.
    /// - Returns: The rows; text after the last line break is not a row.
    package static func rows(of text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell = ""
        var isQuoted = false
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                cell += "\""
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(cell)
                cell = ""
            case "\r" where !isQuoted && scalars.first == "\n":
                scalars.removeFirst()
                rows.append(row + [cell])
                (row, cell) = ([], "")
            default: cell.unicodeScalars.append(scalar)
            }
        }
        return rows
    }
}
