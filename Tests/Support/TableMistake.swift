import Foundation

/// A mistake in a table of mistakes: a text whose blocks are divided by empty lines.
///
/// The first character of a line says what it is: the kind of mistake (`#`, at the first of each kind), the market's
/// text in addition to `id`, `name` and `extends` (`|`), a whole file (`!`, and `|` for further lines), what is reported
/// (`>`), the file after the fixes (`+`), and the number of errors that are left then (`<`). `<U+0007>` stands for a
/// character.
package struct TableMistake: Sendable, CustomStringConvertible {
    /// The kind of mistake.
    package let kind: String
    /// The market's text in addition to `id`, `name` and `extends`, or a whole file.
    package let source: String
    /// Whether ``source`` is a whole file.
    package let isFile: Bool
    /// What is reported.
    package let text: String
    /// The result of the fixes; nil if there are none.
    package let fixed: String?
    /// The number of errors that are left after the fixes.
    package let left: Int

    package var description: String { "\(kind): \(source)" }

    /// Reads a table.
    package static func all(in table: String) -> [TableMistake] {
        var kind = ""
        return table.components(separatedBy: "\n\n").map { block in
            var (source, text, fixed): ([String], [String], [String]) = ([], [], [])
            var (isFile, left) = (false, 0)
            for line in block.split(separator: "\n") {
                let content = String(line.dropFirst(line.dropFirst().first == " " ? 2 : 1))
                switch line.first {
                case "#": kind = content
                case ">": text.append(content)
                case "+": fixed.append(content)
                case "<": left = Int(content) ?? 0
                case "!", "|":
                    isFile = isFile || line.first == "!"
                    source.append(content)
                default: break
                }
            }
            return TableMistake(
                kind: kind, source: unescaped(source.joined(separator: "\n")), isFile: isFile,
                text: text.joined(separator: "\n"), fixed: fixed.isEmpty ? nil : fixed.joined(separator: "\n"),
                left: left)
        }
    }

    /// A text with each `<U+…>` replaced by its character.
    package static func unescaped(_ text: String) -> String {
        text.replacing(/<U\+([0-9A-F]{4})>/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }
}

extension [TableMistake] {
    /// The kinds that do not occur exactly three times.
    package var kindsNotThreeTimes: [String] {
        Dictionary(grouping: self, by: \.kind).filter { $0.value.count != 3 }.keys.sorted()
    }
}
