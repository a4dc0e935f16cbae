/// Text that can be printed, logged and written to files, whatever it was made from.
///
/// Nothing in it drives a terminal, forges a line or hides: every way to make one writes such characters out
/// (`\u{1b}`). What a program says is a literal, whose line feeds and tabs stay; what it was told is interpolated, and
/// keeps none.
///
/// ```swift
/// let text: DisplayText = "cannot read \(path, .bold): \(error)"
/// ```
///
/// Literals are `StaticString`s, so that no text of a file can pass for one. Colours are no characters but a property of
/// a part, and whoever prints the text decides whether they are shown.
package struct DisplayText: Sendable, Hashable {
    /// How a part is shown where there are colours.
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

    /// Creates a text of which each character is shown, line feeds and tabs included as `\n` and `\t`.
    package init(_ text: String) {
        append(checked: text.escaped(keepingLines: false))
    }

    /// Creates a text of lines: line feeds and tabs stay.
    package init(lines text: String) {
        append(checked: text.escaped(keepingLines: true))
    }

    /// Creates a text from a JSON document, which means the same afterwards.
    package init(json document: String) {
        append(checked: document.escapedJSONDocument.escaped(keepingLines: true))
    }

    /// Creates a text from comma-separated values as ``CSV`` writes them: their line breaks, CR LF, stay.
    package init(csv document: String) {
        let rows = document.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { row in
            // Only what stands before a line feed is part of it.
            row.last == "\r" ? row.dropLast() : row
        }
        let text = rows.map { String(String.UnicodeScalarView($0)).escaped(keepingLines: false) }
        append(checked: text.joined(separator: "\r\n"))
    }

    /// The text without its styles.
    package var plain: String {
        parts.count == 1 ? parts[0].text : parts.reduce(into: "") { $0 += $1.text }
    }

    /// The text with its styles as the sequences of a terminal (ECMA-48, SGR).
    package var coloured: String {
        parts.reduce(into: "") { result, part in
            if let style = part.style {
                result += "\u{1B}[\(style.rawValue)m\(part.text)\u{1B}[0m"
            } else {
                result += part.text
            }
        }
    }

    /// How many characters it has.
    package var count: Int { parts.reduce(0) { $0 + $1.text.count } }

    /// How many bytes it has without its styles.
    package var byteCount: Int { parts.reduce(0) { $0 + $1.text.utf8.count } }

    /// Whether it has no character.
    package var isEmpty: Bool { parts.isEmpty }

    /// The text in a style; parts that have one keep it.
    package func styled(_ style: Style?) -> DisplayText {
        var text = self
        for index in text.parts.indices where text.parts[index].style == nil { text.parts[index].style = style }
        return text
    }

    /// Appends another text.
    package static func += (text: inout DisplayText, other: DisplayText) {
        for part in other.parts { text.append(checked: part.text, part.style) }
    }

    /// Two texts, one after the other.
    package static func + (first: DisplayText, second: DisplayText) -> DisplayText {
        var text = first
        text += second
        return text
    }

    /// Appends what was checked.
    fileprivate mutating func append(checked text: String, _ style: Style? = nil) {
        if text.isEmpty { return }
        if let last = parts.indices.last, parts[last].style == style {
            parts[last].text += text
        } else {
            parts.append(Part(text: text, style: style))
        }
    }

    /// The text with something done to the text of each part.
    fileprivate func mapped(_ body: (String) -> String) -> DisplayText {
        parts.reduce(into: DisplayText()) { $0.append(checked: body($1.text), $1.style) }
    }
}

extension DisplayText: CustomStringConvertible {
    /// The text without its styles.
    package var description: String { plain }
}

extension DisplayText: ExpressibleByStringInterpolation {
    /// A text in the making.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = DisplayText()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends what stands in the source of the program.
        package mutating func appendLiteral(_ literal: StaticString) {
            text.append(checked: literal.description.escaped(keepingLines: true))
        }

        /// Appends a value, of which each character is shown.
        package mutating func appendInterpolation<Value>(_ value: Value, _ style: Style? = nil) {
            text.append(checked: String(describing: value).escaped(keepingLines: false), style)
        }

        /// Appends a text as it is.
        package mutating func appendInterpolation(_ value: DisplayText, _ style: Style? = nil) {
            text += value.styled(style)
        }

        @available(*, unavailable, message: "say what stands for a value that is not there")
        package mutating func appendInterpolation<Value>(_ value: Value?, _ style: Style? = nil) {}
    }

    /// Creates a text from what stands in the source of the program.
    package init(stringLiteral literal: StaticString) {
        append(checked: literal.description.escaped(keepingLines: true))
    }

    /// Creates a text from literals and values.
    package init(stringInterpolation interpolation: StringInterpolation) {
        self = interpolation.text
    }
}

extension DisplayText {
    /// The text with spaces behind it, so that it is at least as long as a width.
    package func padded(to width: Int) -> DisplayText {
        var text = self
        text.append(checked: String(repeating: " ", count: max(0, width - count)))
        return text
    }

    /// The text without spaces at its end.
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

    /// The text with its end left out where it is longer than a width.
    package func cut(to width: Int) -> DisplayText {
        count > width ? prefix(width - 1) + "…" : self
    }

    /// The text with its middle left out where it is longer than a width.
    package func shortened(to width: Int) -> DisplayText {
        guard count > width, width > 1 else { return self }
        let tail = (width - 1) * 2 / 3
        return prefix(width - 1 - tail) + "…" + suffix(tail)
    }

    /// The text on lines that end between words.
    package func wrapped(to width: Int, indent: Int) -> DisplayText {
        var lines: [DisplayText] = []
        var rest = self
        while true {
            let room = max(1, lines.isEmpty ? width : width - indent)
            let text = rest.plain
            guard let edge = text.index(text.startIndex, offsetBy: room, limitedBy: text.endIndex), edge < text.endIndex
            else { break }
            // Spaces at the beginning of a line are its indentation, and no place to end it.
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

    /// The text with each line moved to the right.
    package func indented(by width: Int) -> DisplayText {
        let spaces = String(repeating: " ", count: width)
        var start = DisplayText()
        start.append(checked: spaces)
        return start
            + mapped { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + spaces) }
    }
}

extension Sequence<DisplayText> {
    /// The texts, one after the other.
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
