/// The lines that differ between two texts, in the unified format that `diff -u` writes and `patch` reads.
package enum UnifiedDifference {
    /// A line of the format.
    package enum Line: Sendable, Hashable {
        /// A line of both texts, without its line feed.
        case same([UInt8])
        /// A line of the old text only.
        case removed([UInt8])
        /// A line of the new text only.
        case added([UInt8])
        /// A header, or the note that the last line has no line feed.
        case note(String)

        /// The line in the format, byte for byte, because `patch` compares bytes.
        package var bytes: [UInt8] {
            switch self {
            case .same(let line): [UInt8(ascii: " ")] + line
            case .removed(let line): [UInt8(ascii: "-")] + line
            case .added(let line): [UInt8(ascii: "+")] + line
            case .note(let line): Array(line.utf8)
            }
        }

        /// The line as text, for display.
        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The complete difference of a file, as input for `git apply -p0` and `patch -p0`.
    package static func patch(of file: String, from old: [UInt8], to new: [UInt8]) -> [UInt8] {
        let name = Self.name(of: file)
        let lines = [.note("--- \(name)"), .note("+++ \(name)")] + lines(from: old, to: new)
        return lines.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
    }

    /// A file's name in a header. As in git, a name with a space is followed by a tab, and a name with a character that
    /// would end it is quoted.
    private static func name(of file: String) -> String {
        let needsQuotes = file.utf8.contains { byte in
            byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
        guard needsQuotes else { return file.utf8.contains(UInt8(ascii: " ")) ? file + "\t" : file }
        return file.utf8.reduce(into: "\"") { text, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: text.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let octal = String(byte, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
            }
        } + "\""
    }

    /// The number of context lines around a difference.
    private static let context = 3

    /// Compares two texts.
    package static func lines(from old: [UInt8], to new: [UInt8]) -> [Line] {
        let (before, after) = (split(old), split(new))
        let changes = after.difference(from: before)
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var steps: [Step] = []
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            if removed.contains(left) {
                steps.append(Step(sign: -1, line: before[left], left: left, right: right))
                left += 1
            } else if inserted.contains(right) {
                steps.append(Step(sign: 1, line: after[right], left: left, right: right))
                right += 1
            } else {
                steps.append(Step(sign: 0, line: before[left], left: left, right: right))
                (left, right) = (left + 1, right + 1)
            }
        }
        return hunks(of: steps)
    }

    private struct Step {
        /// -1 for a line of the old text, 1 for one of the new text, 0 for both.
        let sign: Int
        /// The line with its line feed.
        let line: ArraySlice<UInt8>
        /// The number of lines before it in the old text and in the new text.
        let left: Int
        let right: Int
    }

    private static func hunks(of steps: [Step]) -> [Line] {
        var lines: [Line] = []
        var next = 0
        while let first = steps[next...].firstIndex(where: { $0.sign != 0 }) {
            var last = first
            while let another = steps[(last + 1)...].prefix(2 * context + 1).firstIndex(where: { $0.sign != 0 }) {
                last = another
            }
            let hunk = steps[max(next, first - context)...min(steps.count - 1, last + context)]
            lines += header(of: hunk)
            for step in hunk { lines += text(of: step) }
            next = hunk.endIndex
        }
        return lines
    }

    private static func header(of hunk: ArraySlice<Step>) -> [Line] {
        guard let first = hunk.first else { return [] }
        func range(_ start: Int, _ count: Int) -> String {
            // An empty range names the line before it; a range of one line omits the count.
            count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
        }
        let old = range(first.left, hunk.count { $0.sign <= 0 })
        let new = range(first.right, hunk.count { $0.sign >= 0 })
        return [.note("@@ -\(old) +\(new) @@")]
    }

    private static func text(of step: Step) -> [Line] {
        let isWhole = step.line.last == UInt8(ascii: "\n")
        let text = Array(isWhole ? step.line.dropLast() : step.line)
        let line: Line = step.sign == 0 ? .same(text) : step.sign < 0 ? .removed(text) : .added(text)
        return isWhole ? [line] : [line, .note("\\ No newline at end of file")]
    }

    /// The lines with their line feeds.
    private static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
            lines.append(text[start..<end])
            start = end
        }
        return lines
    }
}
