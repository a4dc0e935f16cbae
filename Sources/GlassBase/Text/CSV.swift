/// Comma-separated values (RFC 4180) that a spreadsheet can open without doing what they say.
package enum CSV {
    /// A row of a table.
    ///
    /// A cell that a spreadsheet would take for a formula, because it begins with `=`, `+`, `-`, `@`, a tab or a line break
    /// (OWASP, CSV Injection), begins with an apostrophe instead, and so does one that begins with an apostrophe: who takes
    /// the first apostrophe away has the text. What cannot be seen is written out.
    package static func row(_ cells: [Cell]) -> String {
        cells.map(\.written).joined(separator: ",") + "\r\n"
    }

    /// What stands in a cell.
    package enum Cell: Sendable, Hashable {
        /// Text of whoever wrote it.
        case text(String)
        /// A number, whose sign is no formula.
        case number(String)

        fileprivate var written: String {
            switch self {
            case .number(let text): return text
            case .text(let text):
                // Before it is made visible: `\t` and `\n` begin with a backslash then.
                let isFormula = text.unicodeScalars.first.map { "=+-@'\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
                let shown = (isFormula ? "'" : "") + DisplayText(text).plain
                guard shown.unicodeScalars.contains(where: { ",\"".unicodeScalars.contains($0) }) else { return shown }
                return "\"\(shown.replacingQuotes)\""
            }
        }
    }
}

extension String {
    /// The text with each double quote twice (§2.7).
    fileprivate var replacingQuotes: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" { result += "\"" }
            result.unicodeScalars.append(scalar)
        }
    }
}
