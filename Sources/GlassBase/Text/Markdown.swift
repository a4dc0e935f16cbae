/// The parts of a Markdown document, with text that cannot be mistaken for markup (CommonMark, and the tables of GFM).
package enum Markdown {
    /// Inline text, such as a heading or a table cell.
    package static func text(_ text: String) -> String {
        var result = ""
        if let first = text.first, "-+=".contains(first) { result = "\\" }
        var last: [Unicode.Scalar] = []
        for scalar in DisplayText(text).plain.unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "&", "|", "~", "!", "#", "@": result += "\\"
            // Addresses become links without any markup: `https://`, `www.`.
            case "/" where last.last == ":", "." where last.count == 3 && last.allSatisfy({ $0 == "w" || $0 == "W" }):
                result += "\\"
            default: break
            }
            result.unicodeScalars.append(scalar)
            last = last.suffix(2) + [scalar]
        }
        return result
    }

    /// Inline code, such as in a table cell.
    package static func code(_ text: String) -> String {
        let text = DisplayText(text).plain
        // By scalars here and below: only Swift considers a backtick or a bar with a combining accent a different
        // character.
        let runs = text.unicodeScalars.split { $0 != "`" }
        let fence = String(repeating: "`", count: (runs.map(\.count).max() ?? 0) + 1)
        // A parser removes one space from each end if both have one.
        let (first, last) = (text.unicodeScalars.first, text.unicodeScalars.last)
        let needsSpace = text.isEmpty || first == "`" || last == "`" || first == " " && last == " "
        let space = needsSpace || fence.count > 1 ? " " : ""
        return fence + space + bars(text) + space + fence
    }

    /// A row of a table.
    package static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    /// The program's own markup for a cell: only bars are escaped, and line breaks become spaces.
    package static func cell(markup: String) -> String {
        bars(String(String.UnicodeScalarView(markup.unicodeScalars.map { $0 == "\n" ? " " : $0 })))
    }

    private static func bars(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "|" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}
