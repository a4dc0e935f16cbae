import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The source line of a finding, with a caret under the column.
///
/// The line is part of the finding, as it was read; no file is opened to show it.
struct SourceExcerpt {
    /// The line, with tabs expanded and invisible characters replaced, so that it can be printed anywhere.
    let text: String
    /// The number of characters of ``text`` before the column; nil if only the line is known.
    let offset: Int?
    private let line: Int

    private static let tabWidth = 4

    /// Creates the excerpt for a finding; nil if the finding has no source line.
    init?(_ finding: Finding) {
        guard let position = finding.position, let line = finding.line else { return nil }
        self.init(line, number: position.line)
    }

    /// Creates the excerpt for a script's error; nil if the error has no position.
    init?(_ failure: ScriptFailure) {
        guard let place = failure.place, let line = failure.line else { return nil }
        self.init(line, number: place.line)
    }

    private init(_ source: SourceLine, number: Int) {
        var text = ""
        var offset: Int?
        // The line is short, because it was cut around the column, so counting its characters repeatedly is cheap.
        let scalars = source.text.unicodeScalars
        for (index, scalar) in scalars.enumerated() {
            if index + 1 == source.column { offset = text.count }
            switch scalar {
            case "\t": text += String(repeating: " ", count: Self.tabWidth - text.count % Self.tabWidth)
            case _ where scalar.needsEscape: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        // A column just after the last character marks missing text.
        if source.column == scalars.count + 1 { offset = text.count }
        self.text = text
        self.offset = offset
        line = number
    }

    /// The excerpt as two lines for a terminal. If the source line is too long, only the part around the caret is
    /// shown.
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
