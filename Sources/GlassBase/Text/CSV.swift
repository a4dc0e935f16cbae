/// Comma-separated values (RFC 4180) that are safe to open in a spreadsheet.
package enum CSV {
    /// A row of a table.
    ///
    /// A cell that a spreadsheet would interpret as a formula, because it begins with `=`, `+`, `-`, `@`, a tab or a
    /// line break (OWASP, CSV Injection), gets an apostrophe in front. So does a cell that begins with an apostrophe,
    /// so that removing the first apostrophe always restores the text. Invisible characters are escaped.
    package static func row(_ cells: [Cell]) -> String {
        cells.map(\.written).joined(separator: ",") + "\r\n"
    }

    /// The content of a cell.
    package enum Cell: Sendable, Hashable {
        /// Untrusted text.
        case text(String)
        /// A number. Its sign does not make it a formula.
        case number(String)

        fileprivate var written: String {
            switch self {
            case .number(let text): return text
            case .text(let text):
                // Checked before escaping, which makes `\t` and `\n` begin with a backslash.
                let isFormula = text.unicodeScalars.first.map { "=+-@'\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
                let shown = (isFormula ? "'" : "") + DisplayText(text).plain
                guard shown.unicodeScalars.contains(where: { ",\"".unicodeScalars.contains($0) }) else { return shown }
                return "\"\(shown.replacingQuotes)\""
            }
        }
    }
}

extension String {
    /// The text with each double quote doubled (§2.7).
    fileprivate var replacingQuotes: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" { result += "\"" }
            result.unicodeScalars.append(scalar)
        }
    }
}
