/// The line of a position, from the bytes that were read under the file's name.
///
/// The reader of a file creates it, so that showing a finding never opens a file: a file name in a finding may come
/// from the file's contents.
package struct SourceLine: Sendable, Hashable {
    /// The line without its line break; for a long line, the part around the column.
    package let text: String
    /// The column of the position in ``text``, from 1 in Unicode scalars, at most one past its end; nil if only the
    /// line is known, or if it has no such column.
    package let column: Int?

    /// The number of scalars to keep on either side of the column.
    private static let reach = 500

    /// Extracts the line of a position from a file.
    package init?(of position: SourcePosition, in bytes: [UInt8]) {
        var start = 0
        for _ in 1..<max(1, position.line) {
            guard let lineBreak = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            start = lineBreak + 1
        }
        self.init(of: position, in: bytes, lineAt: start)
    }

    /// Extracts the line of a position from a file, given where the line starts.
    package init?(of position: SourcePosition, in bytes: [UInt8], lineAt start: Int) {
        guard position.line > 0, bytes.indices.contains(start) || start == bytes.count else { return nil }
        let from = max(1, (position.column ?? 1) - Self.reach)
        let to = max(from, (position.column ?? 1)) + Self.reach
        var scalar = 0
        var first = start
        var end = start
        // Scalars are counted by their first bytes; malformed bytes become characters when they are decoded.
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
