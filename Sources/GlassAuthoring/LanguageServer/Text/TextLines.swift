import GlassSchema

/// The units in which the protocol counts columns.
enum PositionEncoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
}

/// A text with the offsets of its lines, both by the protocol's and by Lua's definition.
///
/// In the protocol, `\n`, `\r\n` and `\r` end a line. In Lua, `\n\r` is also a single line break, and columns count
/// Unicode scalars, without a byte order mark.
struct TextLines: Sendable {
    /// The text in UTF-8.
    let bytes: [UInt8]
    /// The start offsets of the protocol's lines.
    private let starts: [Int]
    /// The start offsets of Lua's lines; nil if they are the same.
    private let luaStarts: [Int]?
    /// The counts before every 256th byte. Conversions start at the nearest checkpoint: a line may have any length, and
    /// converting all of its positions would take quadratic time from the start of the line.
    private let checkpoints: [Count]

    /// The number of UTF-16 code units and scalars before an offset.
    private struct Count {
        var units = 0
        var scalars = 0

        mutating func add(_ byte: UInt8) {
            guard byte & 0xC0 != 0x80 else { return }
            scalars += 1
            units += byte >= 0xF0 ? 2 : 1
        }
    }

    /// The number of bytes between checkpoints.
    private static let checkpointDistance = 256

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var hasReturn = false
        var count = Count()
        var checkpoints = [count]
        checkpoints.reserveCapacity(bytes.count / Self.checkpointDistance + 1)
        bytes.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                if index % Self.checkpointDistance == 0, index > 0 { checkpoints.append(count) }
                count.add(bytes[index])
                if bytes[index] == UInt8(ascii: "\n") {
                    starts.append(index + 1)
                } else if bytes[index] == UInt8(ascii: "\r") {
                    hasReturn = true
                    if index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n") { starts.append(index + 1) }
                }
            }
        }
        self.starts = starts
        self.checkpoints = checkpoints
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

    // MARK: Protocol positions

    /// The offset of a position; clamped to the end of the line or of the text.
    func offset(of position: ClientPosition, _ encoding: PositionEncoding) -> Int {
        guard position.line < starts.count else { return bytes.count }
        let (start, end) = (starts[position.line], end(ofLine: position.line))
        switch encoding {
        case .utf8:
            var index = position.character < end - start ? start + position.character : end
            // Round down to the start of the character, which has up to four bytes.
            for _ in 0..<3 where index > start && index < end && bytes[index] & 0xC0 == 0x80 { index -= 1 }
            return index
        // A position inside a surrogate pair is rounded down to the character.
        case .utf16: return offset(behind: position.character, from: start, to: end) { $0.units }
        }
    }

    /// The position of an offset.
    func position(of offset: Int, _ encoding: PositionEncoding) -> ClientPosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = Self.line(of: offset, in: starts)
        guard encoding == .utf16 else { return ClientPosition(line: line, character: offset - starts[line]) }
        return ClientPosition(line: line, character: count(before: offset).units - count(before: starts[line]).units)
    }

    private func count(before offset: Int) -> Count {
        let checkpoint = min(offset / Self.checkpointDistance, checkpoints.count - 1)
        var count = checkpoints[checkpoint]
        for byte in bytes[checkpoint * Self.checkpointDistance..<offset] { count.add(byte) }
        return count
    }

    /// The offset after a number of units from `start`, or `end` if the line is shorter.
    private func offset(behind number: Int, from start: Int, to end: Int, by value: (Count) -> Int) -> Int {
        var count = count(before: start)
        // Every character takes at least one byte, so clamping to the length of the line in bytes keeps the sum from
        // overflowing.
        let wanted = value(count) + min(number, end - start)
        var index = start
        var low = start / Self.checkpointDistance + 1
        var high = min(end / Self.checkpointDistance + 1, checkpoints.count)
        while low < high {
            let middle = (low + high) / 2
            if value(checkpoints[middle]) <= wanted { low = middle + 1 } else { high = middle }
        }
        if (low - 1) * Self.checkpointDistance > start {
            (index, count) = ((low - 1) * Self.checkpointDistance, checkpoints[low - 1])
        }
        while index < end {
            count.add(bytes[index])
            if value(count) > wanted { break }
            index += 1
        }
        return index
    }

    /// The position range of a byte range.
    func range(of bytes: Range<Int>, _ encoding: PositionEncoding) -> ClientRange {
        ClientRange(position(of: bytes.lowerBound, encoding), position(of: bytes.upperBound, encoding))
    }

    /// The byte range of a position range.
    func bytes(of range: ClientRange, _ encoding: PositionEncoding) -> Range<Int> {
        let start = offset(of: range.start, encoding)
        return start..<max(start, offset(of: range.end, encoding))
    }

    /// The line of an offset, from 0.
    func line(of offset: Int) -> Int { Self.line(of: offset, in: starts) }

    /// The offset of a line's end, before its line break.
    func end(ofLine line: Int) -> Int {
        guard line + 1 < starts.count else { return bytes.count }
        var end = starts[line + 1] - 1
        if end > starts[line], bytes[end] == UInt8(ascii: "\n"), bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }

    /// The offset of a line's first byte.
    func start(ofLine line: Int) -> Int { starts[min(max(line, 0), starts.count - 1)] }

    // MARK: Lua positions

    /// The offset of a finding's position: the first nonblank byte of the line if there is no column, the end of the
    /// text if there is no such line.
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
        var end = max(position.line, 1) < starts.count ? starts[max(position.line, 1)] : bytes.count
        while end > index, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return offset(behind: column - 1, from: index, to: end) { $0.scalars }
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
