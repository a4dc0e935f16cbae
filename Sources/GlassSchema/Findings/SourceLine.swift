/// The line that a position is in, cut from the bytes that were read under the file's name.
///
/// Whoever reads a file makes it, so that showing a diagnostic never opens a file: a name in a diagnostic may come from
/// what was read.
package struct SourceLine: Sendable, Hashable {
    /// The line without its line break; of a long line the part around the column.
    package let text: String
    /// The column of the position in ``text``, from 1 in Unicode scalars, at most one behind its end; nil when only the
    /// line is known, or has no such column.
    package let column: Int?

    /// As much of a line is kept on either side of the column.
    private static let reach = 500

    /// Cuts the line of a position out of a file.
    package init?(of position: SourcePosition, in bytes: [UInt8]) {
        var start = 0
        for _ in 1..<max(1, position.line) {
            guard let lineBreak = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            start = lineBreak + 1
        }
        self.init(of: position, in: bytes, lineAt: start)
    }

    /// Cuts the line of a position out of a file whose lines are known.
    package init?(of position: SourcePosition, in bytes: [UInt8], lineAt start: Int) {
        guard position.line > 0, bytes.indices.contains(start) || start == bytes.count else { return nil }
        let from = max(1, (position.column ?? 1) - Self.reach)
        let to = max(from, (position.column ?? 1)) + Self.reach
        var scalar = 0
        var first = start
        var end = start
        // Scalars are counted by their first bytes; what is malformed becomes a character when it is decoded.
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            if bytes[end] & 0xC0 != 0x80 {
                scalar += 1
                if scalar == from { first = end }
                if scalar > to { break }
            }
            end += 1
        }
        if scalar < from { first = end }
        if first < end, bytes[end - 1] == UInt8(ascii: "\r") {
            end -= 1
            scalar -= 1
        }
        text = String(decoding: bytes[first..<end], as: UTF8.self)
        column = position.column.flatMap { $0 >= 1 && $0 <= scalar + 1 ? $0 - from + 1 : nil }
    }
}
