import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The line of a file that a diagnostic is about, with a caret under the column.
///
/// The line comes with the diagnostic, as it was read; no file is opened to show it.
struct SourceExcerpt {
    /// The line, tabs expanded and a sign for each character that cannot be seen, so that it can be printed anywhere.
    let text: String
    /// How many characters of ``text`` stand before the column; nil when only the line is known.
    let offset: Int?
    private let line: Int

    private static let tabWidth = 4

    /// The line of a finding; nil when it is about no line of a file that was read.
    init?(_ finding: Finding) {
        guard let position = finding.position, let line = finding.line else { return nil }
        self.init(line, number: position.line)
    }

    /// The line of a script's error; nil when it has no place.
    init?(_ failure: ScriptFailure) {
        guard let place = failure.place, let line = failure.line else { return nil }
        self.init(line, number: place.line)
    }

    private init(_ source: SourceLine, number: Int) {
        var text = ""
        var offset: Int?
        // The line is a short one, cut around the column, so counting its characters again and again is cheap.
        let scalars = source.text.unicodeScalars
        for (index, scalar) in scalars.enumerated() {
            if index + 1 == source.column { offset = text.count }
            switch scalar {
            case "\t": text += String(repeating: " ", count: Self.tabWidth - text.count % Self.tabWidth)
            case _ where scalar.needsEscape: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        // A column right behind the last character is where something is missing.
        if source.column == scalars.count + 1 { offset = text.count }
        self.text = text
        self.offset = offset
        line = number
    }

    /// The excerpt as two lines for a terminal.
    func lines(width: Int) -> DisplayText {
        let number = "\(line)"
        let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
        let room = max(20, width - gutter.count - 3)
        var shown = Substring(text)
        var caret = offset
        if text.count > room {
            let start = max(0, min((offset ?? 0) - room / 2, text.count - room))
            shown = text.dropFirst(start).prefix(room)
            caret = offset.map { $0 - start }
        }
        let first: DisplayText = "\(gutter) | \(shown)"
        guard let caret else { return first }
        return "\(first)\n\(String(repeating: " ", count: gutter.count)) | \(String(repeating: " ", count: caret))^"
    }
}
