import CLuaTokens

/// The lines and columns of a text, as Lua and the tokenizer count them.
///
/// A line ends with `\n`, `\r`, or both in either order. A column is one Unicode scalar; a byte that is not part of
/// well-formed UTF-8 is a separate column, and a byte order mark has none. Conversions take O(log n) time, even in a
/// single long line; the column of a byte in an ASCII text is a subtraction.
package struct LuaLines: Sendable {
    /// A line and a column, from 1.
    package struct Position: Hashable, Comparable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            (self.line, self.column) = (line, column)
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    private let bytes: [UInt8]
    /// The start of each line.
    private let starts: [Int]
    /// The first character at every 256th byte or after it, with the number of characters before it.
    private let checkpoints: [(byte: Int, characters: Int)]
    /// Whether each character is one byte.
    private let isASCII: Bool

    private static let checkpointDistance = 256

    /// Finds the lines of a text. O(n) in its size.
    package init(_ bytes: [UInt8]) {
        var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        var checkpoints: [(byte: Int, characters: Int)] = []
        checkpoints.reserveCapacity(bytes.count / Self.checkpointDistance + 1)
        bytes.withUnsafeBufferPointer { buffer in
            // A first line that begins with `#` ends only with a line feed.
            let code = buffer.withTextPointer { glua_first_token($0, buffer.count).at }
            var (byte, characters) = (0, 0)
            while byte < buffer.count {
                if byte >= checkpoints.count * Self.checkpointDistance { checkpoints.append((byte, characters)) }
                let first = buffer[byte]
                byte += buffer.characterLength(at: byte)
                characters += 1
                guard first.isLineEnd, byte > code else { continue }
                if byte < buffer.count, buffer[byte].isLineEnd, buffer[byte] != first {
                    byte += 1
                    characters += 1
                }
                starts.append(byte)
            }
        }
        (self.bytes, self.starts, self.checkpoints) = (bytes, starts, checkpoints)
        isASCII = !bytes.contains { $0 >= 0x80 }
    }

    /// The number of lines.
    package var count: Int { starts.count }

    /// The position of a byte. For a byte within a character, that of the character.
    package func position(of byte: Int) -> Position {
        let line = starts.partitioningIndex { $0 > byte }
        guard line > 0 else { return Position(line: 1, column: 1) }
        return Position(line: line, column: characters(before: byte) - characters(before: starts[line - 1]) + 1)
    }

    /// The byte at a position. A position behind the end of its line is the end of the line, and one behind the last
    /// line is the end of the text.
    package func byte(at position: Position) -> Int {
        guard position.line <= starts.count else { return bytes.count }
        let start = starts[max(position.line, 1) - 1]
        let end = end(ofLine: max(position.line, 1))
        // A character takes at least one byte, so the sum cannot overflow.
        let wanted = characters(before: start) + min(max(position.column, 1) - 1, end - start)
        let checkpoint = checkpoints.partitioningIndex { $0.characters > wanted }
        guard checkpoint > 0 else { return start }
        var (byte, characters) = checkpoints[checkpoint - 1]
        bytes.withUnsafeBufferPointer { buffer in
            while characters < wanted, byte < end {
                byte += buffer.characterLength(at: byte)
                characters += 1
            }
        }
        return min(byte, end)
    }

    /// The end of a line, before its line break.
    private func end(ofLine line: Int) -> Int {
        guard line < starts.count else { return bytes.count }
        var end = starts[line]
        while end > starts[line - 1], bytes[end - 1].isLineEnd { end -= 1 }
        return end
    }

    private func characters(before end: Int) -> Int {
        if isASCII { return min(max(end, 0), bytes.count) }
        let checkpoint = checkpoints.partitioningIndex { $0.byte > end }
        guard checkpoint > 0 else { return 0 }
        var (byte, characters) = checkpoints[checkpoint - 1]
        return bytes.withUnsafeBufferPointer { buffer in
            while byte < min(end, buffer.count) {
                byte += buffer.characterLength(at: byte)
                if byte <= end { characters += 1 }
            }
            return characters
        }
    }
}

extension UInt8 {
    /// `\n` or `\r`.
    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension UnsafeBufferPointer<UInt8> {
    /// Passes the text to a C function, which takes null for an empty one.
    func withTextPointer<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        body(UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self))
    }

    /// The number of bytes of the character that begins at an index.
    fileprivate func characterLength(at index: Int) -> Int {
        self[index] < 0x80 ? 1 : withTextPointer { glua_character_length($0, count, index) }
    }
}

extension Array {
    /// The index of the first element that belongs to the second part, in an array whose elements are partitioned.
    func partitioningIndex(_ belongsToSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
