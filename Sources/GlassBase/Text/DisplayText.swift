/// Text that is safe to print, log and write to files, regardless of its source.
///
/// Contains no terminal escapes, forged lines or invisible characters: every initializer escapes them (`\u{1b}`). Line
/// feeds and tabs are kept in literals and escaped in interpolated values.
///
/// ```swift
/// let text: DisplayText = "cannot read \(path, .bold): \(error)"
/// ```
///
/// Literals are `StaticString`s, so that text from a file cannot pass for one. Colors are attributes of a part, not
/// characters; the printer decides whether to show them.
package struct DisplayText: Sendable, Hashable {
    /// The style of a part, where colors are shown.
    package enum Style: String, Sendable, Hashable {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case bold = "1"
        case dim = "2"
    }

    fileprivate struct Part: Sendable, Hashable {
        var text: String
        var style: Style?
    }

    fileprivate private(set) var parts: [Part] = []

    /// Creates an empty text.
    package init() {}

    /// Creates a text that shows every character, including line feeds and tabs as `\n` and `\t`.
    package init(_ text: String) {
        append(checked: text.escaped(keepingLines: false))
    }

    /// Creates a text of lines. Keeps line feeds and tabs.
    package init(lines text: String) {
        append(checked: text.escaped(keepingLines: true))
    }

    /// Creates a text from a JSON document. The result has the same meaning.
    package init(json document: String) {
        append(checked: document.escapedJSONDocument.escaped(keepingLines: true))
    }

    /// Creates a text from comma-separated values as ``CSV`` writes them. Keeps their line breaks, CR LF.
    package init(csv document: String) {
        let rows = document.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { row in
            // Only a carriage return before a line feed belongs to the line break.
            row.last == "\r" ? row.dropLast() : row
        }
        let text = rows.map { String(String.UnicodeScalarView($0)).escaped(keepingLines: false) }
        append(checked: text.joined(separator: "\r\n"))
    }

    /// The text without its styles.
    package var plain: String {
        parts.count == 1 ? parts[0].text : parts.reduce(into: "") { $0 += $1.text }
    }

    /// The text with its styles as terminal escape sequences (ECMA-48, SGR).
    package var colored: String {
        parts.reduce(into: "") { result, part in
            if let style = part.style {
                result += "\u{1B}[\(style.rawValue)m\(part.text)\u{1B}[0m"
            } else {
                result += part.text
            }
        }
    }

    /// The number of characters.
    package var count: Int { parts.reduce(0) { $0 + $1.text.count } }

    /// The number of bytes without its styles.
    package var byteCount: Int { parts.reduce(0) { $0 + $1.text.utf8.count } }

    /// Whether the text is empty.
    package var isEmpty: Bool { parts.isEmpty }

    /// The text in a style. Parts that have a style keep it.
    package func styled(_ style: Style?) -> DisplayText {
        var text = self
        for index in text.parts.indices where text.parts[index].style == nil { text.parts[index].style = style }
        return text
    }

    /// Appends another text.
    package static func += (text: inout DisplayText, other: DisplayText) {
        for part in other.parts { text.append(checked: part.text, part.style) }
    }

    /// The concatenation of two texts.
    package static func + (first: DisplayText, second: DisplayText) -> DisplayText {
        var text = first
        text += second
        return text
    }

    /// Appends text that has been escaped.
    fileprivate mutating func append(checked text: String, _ style: Style? = nil) {
        if text.isEmpty { return }
        if let last = parts.indices.last, parts[last].style == style {
            parts[last].text += text
        } else {
            parts.append(Part(text: text, style: style))
        }
    }

    /// The text with `body` applied to the text of each part.
    fileprivate func mapped(_ body: (String) -> String) -> DisplayText {
        parts.reduce(into: DisplayText()) { $0.append(checked: body($1.text), $1.style) }
    }
}

extension DisplayText: CustomStringConvertible {
    /// The text without its styles.
    package var description: String { plain }
}

extension DisplayText: ExpressibleByStringInterpolation {
    /// The parts of an interpolated text.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = DisplayText()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal from the program's source.
        package mutating func appendLiteral(_ literal: StaticString) {
            text.append(checked: literal.description.escaped(keepingLines: true))
        }

        /// Appends a value, with every character shown.
        package mutating func appendInterpolation<Value>(_ value: Value, _ style: Style? = nil) {
            text.append(checked: String(describing: value).escaped(keepingLines: false), style)
        }

        /// Appends a text unchanged.
        package mutating func appendInterpolation(_ value: DisplayText, _ style: Style? = nil) {
            text += value.styled(style)
        }

        @available(*, unavailable, message: "unwrap the optional, or write what to show for nil")
        package mutating func appendInterpolation<Value>(_ value: Value?, _ style: Style? = nil) {}
    }

    /// Creates a text from a literal in the program's source.
    package init(stringLiteral literal: StaticString) {
        append(checked: literal.description.escaped(keepingLines: true))
    }

    /// Creates a text from literals and values.
    package init(stringInterpolation interpolation: StringInterpolation) {
        self = interpolation.text
    }
}

extension DisplayText {
    /// The text with trailing spaces, so that it has at least a given width.
    package func padded(to width: Int) -> DisplayText {
        var text = self
        text.append(checked: String(repeating: " ", count: max(0, width - count)))
        return text
    }

    /// The text without trailing spaces.
    package var trimmed: DisplayText {
        var text = self
        while let last = text.parts.indices.last {
            while text.parts[last].text.last == " " { text.parts[last].text.removeLast() }
            guard text.parts[last].text.isEmpty else { break }
            text.parts.removeLast()
        }
        return text
    }

    /// The first characters.
    package func prefix(_ length: Int) -> DisplayText {
        var left = max(0, length)
        return mapped { text in
            let start = text.prefix(left)
            left -= start.count
            return String(start)
        }
    }

    /// The last characters.
    package func suffix(_ length: Int) -> DisplayText {
        var surplus = max(0, count - max(0, length))
        return mapped { text in
            let end = text.dropFirst(surplus)
            surplus -= text.count - end.count
            return String(end)
        }
    }

    /// The text, without its end if it exceeds a width.
    package func cut(to width: Int) -> DisplayText {
        count > width ? prefix(width - 1) + "…" : self
    }

    /// The text, without its middle if it exceeds a width.
    package func shortened(to width: Int) -> DisplayText {
        guard count > width, width > 1 else { return self }
        let tail = (width - 1) * 2 / 3
        return prefix(width - 1 - tail) + "…" + suffix(tail)
    }

    /// The text on lines that break between words.
    package func wrapped(to width: Int, indent: Int) -> DisplayText {
        var lines: [DisplayText] = []
        var rest = self
        while true {
            let room = max(1, lines.isEmpty ? width : width - indent)
            let text = rest.plain
            guard let edge = text.index(text.startIndex, offsetBy: room, limitedBy: text.endIndex), edge < text.endIndex
            else { break }
            // Leading spaces are indentation; the line does not break there.
            let start = text.firstIndex { $0 != " " } ?? text.endIndex
            guard
                let end = (start < edge ? text[start...edge].lastIndex(of: " ") : nil)
                    ?? text[max(start, edge)...].firstIndex(of: " ")
            else { break }
            let length = text.distance(from: text.startIndex, to: end)
            lines.append(rest.prefix(length).trimmed)
            rest = rest.suffix(rest.count - length - text[end...].prefix { $0 == " " }.count)
        }
        var margin = DisplayText()
        margin.append(checked: "\n" + String(repeating: " ", count: indent))
        return (lines + [rest]).joined(separator: margin)
    }

    /// The text with each line indented.
    package func indented(by width: Int) -> DisplayText {
        let spaces = String(repeating: " ", count: width)
        var start = DisplayText()
        start.append(checked: spaces)
        return start
            + mapped { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + spaces) }
    }
}

extension Sequence<DisplayText> {
    /// The concatenation of the texts.
    package func joined(separator: DisplayText = "") -> DisplayText {
        var result = DisplayText()
        var isFirst = true
        for text in self {
            if !isFirst { result += separator }
            isFirst = false
            result += text
        }
        return result
    }
}
