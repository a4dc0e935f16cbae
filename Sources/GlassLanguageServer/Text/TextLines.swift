import GlassSchema

/// How columns are counted in the protocol.
enum PositionEncoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
}

/// A text, and the places of its lines as the protocol and as Lua count them.
///
/// In the protocol `\n`, `\r\n` and `\r` end a line. Lua takes `\n\r` for one line end, too, and its columns are Unicode
/// scalars, without a byte order mark.
struct TextLines: Sendable {
    /// The text in UTF-8.
    let bytes: [UInt8]
    /// Where each line of the protocol begins.
    private let starts: [Int]
    /// Where each line of Lua begins; nil where they are the same.
    private let luaStarts: [Int]?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var hasReturn = false
        bytes.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                if bytes[index] == UInt8(ascii: "\n") {
                    starts.append(index + 1)
                } else if bytes[index] == UInt8(ascii: "\r") {
                    hasReturn = true
                    if index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n") { starts.append(index + 1) }
                }
            }
        }
        self.starts = starts
        luaStarts = hasReturn ? Self.luaLineStarts(bytes) : nil
    }

    private static func luaLineStarts(_ bytes: [UInt8]) -> [Int] {
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            if index < bytes.count, bytes[index] != byte,
                [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[index])
            {
                index += 1
            }
            starts.append(index)
        }
        return starts
    }

    /// The number of the protocol's lines.
    var count: Int { starts.count }

    // MARK: The protocol's places

    /// The byte at a place; beyond a line its end, beyond the text its end.
    func offset(of position: ClientPosition, _ encoding: PositionEncoding) -> Int {
        guard position.line < starts.count else { return bytes.count }
        let (start, end) = (starts[position.line], end(ofLine: position.line))
        var index = start
        switch encoding {
        case .utf8:
            index = position.character < end - start ? start + position.character : end
            // Within a character: the character.
            while index > start, index < end, bytes[index] & 0xC0 == 0x80 { index -= 1 }
        case .utf16:
            var left = position.character
            while index < end, left > 0 {
                let (length, units) = Self.size(of: bytes[index])
                // A place between the halves of a pair is the character.
                if units > left { break }
                left -= units
                index = min(index + length, end)
            }
        }
        return index
    }

    /// The place of a byte.
    func position(of offset: Int, _ encoding: PositionEncoding) -> ClientPosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = Self.line(of: offset, in: starts)
        guard encoding == .utf16 else { return ClientPosition(line: line, character: offset - starts[line]) }
        var units = 0
        for byte in bytes[starts[line]..<offset] where byte & 0xC0 != 0x80 { units += Self.size(of: byte).units }
        return ClientPosition(line: line, character: units)
    }

    /// The range of some bytes.
    func range(of bytes: Range<Int>, _ encoding: PositionEncoding) -> ClientRange {
        ClientRange(position(of: bytes.lowerBound, encoding), position(of: bytes.upperBound, encoding))
    }

    /// The bytes of a range.
    func bytes(of range: ClientRange, _ encoding: PositionEncoding) -> Range<Int> {
        let start = offset(of: range.start, encoding)
        return start..<max(start, offset(of: range.end, encoding))
    }

    /// The line of a byte, from 0.
    func line(of offset: Int) -> Int { Self.line(of: offset, in: starts) }

    /// The place behind the last byte of a line, without what ends it.
    func end(ofLine line: Int) -> Int {
        guard line + 1 < starts.count else { return bytes.count }
        var end = starts[line + 1] - 1
        if end > starts[line], bytes[end] == UInt8(ascii: "\n"), bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }

    /// The first byte of a line.
    func start(ofLine line: Int) -> Int { starts[min(max(line, 0), starts.count - 1)] }

    // MARK: Lua's places

    /// The byte at a place of a finding: the beginning of the line where there is no column, and the end of the text
    /// where there is no such line.
    func offset(of position: SourcePosition) -> Int {
        let starts = luaStarts ?? starts
        guard position.line <= starts.count else { return bytes.count }
        var index = starts[max(position.line, 1) - 1]
        if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        guard let column = position.column else {
            while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") {
                index += 1
            }
            return index
        }
        var left = column - 1
        while left > 0, index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
            index = min(index + Self.size(of: bytes[index]).length, bytes.count)
            left -= 1
        }
        return index
    }

    /// How many bytes and how many UTF-16 units the character has that begins with a byte.
    private static func size(of byte: UInt8) -> (length: Int, units: Int) {
        switch byte {
        case 0xF0...: (4, 2)
        case 0xE0...: (3, 1)
        case 0xC0...: (2, 1)
        default: (1, 1)
        }
    }

    private static func line(of offset: Int, in starts: [Int]) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
