import GlassBase
import Foundation
import GlassSchema

/// The line of a file that a diagnostic is about, with a caret under the column.
struct SourceExcerpt {
    /// The line, tabs expanded and a sign for each character that cannot be seen, so that it can be printed anywhere.
    let text: String
    /// How many characters of ``text`` stand before the column; nil when only the line is known.
    let offset: Int?
    private let line: Int

    /// What is read at most: market files are capped far below.
    private static let largestFile = 1 << 20
    private static let tabWidth = 4

    /// Reads the line of a position.
    ///
    /// - Parameter position: The place.
    /// - Returns: Nil when the file cannot be read or has no such line, which the diagnostic itself does not depend on.
    init?(_ position: SourcePosition) {
        // Without the file there is no excerpt; what is wrong with the file is said by whoever reads it for its content.
        guard let handle = FileHandle(forReadingAtPath: position.file) else { return nil }
        defer { handle.closeFile() }
        guard let data = try? handle.read(upToCount: Self.largestFile) else { return nil }  // as above
        self.init(position, in: data)
    }

    /// Finds the line of a position in a text.
    ///
    /// - Parameters:
    ///   - position: The place.
    ///   - data: The text, as UTF-8.
    /// - Returns: Nil when there is no such line.
    init?(_ position: SourcePosition, in data: Data) {
        guard position.line > 0 else { return nil }
        let lines = data.split(
            separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
        guard lines.count >= position.line else { return nil }
        var text = ""
        var offset = position.column == 1 ? 0 : nil as Int?
        var scalars = String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars[...]
        if scalars.last == "\r" { scalars.removeLast() }
        for (index, scalar) in scalars.enumerated() {
            if index + 1 == position.column { offset = text.count }
            switch scalar {
            case "\t": text += String(repeating: " ", count: Self.tabWidth - text.count % Self.tabWidth)
            case _ where scalar.needsEscape: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        // A column right behind the last character is where something is missing.
        if offset == nil, let column = position.column, column == scalars.count + 1 { offset = text.count }
        self.text = text
        self.offset = offset
        line = position.line
    }

    /// The excerpt as two lines for a terminal.
    ///
    /// - Parameter width: How wide the lines may be; a longer line shows the part around the caret.
    /// - Returns: The lines without a line break at the end; one line when no column is known.
    func lines(width: Int) -> SafeText {
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
        let first: SafeText = "\(gutter) | \(shown)"
        guard let caret else { return first }
        return "\(first)\n\(String(repeating: " ", count: gutter.count)) | \(String(repeating: " ", count: caret))^"
    }
}
