import GlassSchema

/// Maps the bytes of a string's value to positions in the source. Escapes, long brackets and the white space that they
/// skip do not take one byte each.
struct StringLiteralOffsets {
    private let raw: ArraySlice<UInt8>
    private let start: SourcePosition
    /// The offset in the source of each byte of the value, and of the end of the value.
    private let offsets: [Int]

    init(of raw: ArraySlice<UInt8>, at position: SourcePosition) {
        self.raw = raw
        start = position
        offsets = raw.first == UInt8(ascii: "[") ? Self.ofLongBracket(raw) : Self.ofQuotes(raw)
    }

    /// The position of a byte of the value.
    func position(of offset: Int) -> SourcePosition {
        let end = offsets[min(max(offset, 0), offsets.count - 1)]
        var position = start
        var lineStart = raw.startIndex
        var index = raw.startIndex
        while index < end {
            let length = Self.lineEnd(raw, at: index)
            index += max(1, length)
            if length > 0 {
                position.line += 1
                position.column = 1
                lineStart = index
            }
        }
        let text = String(decoding: raw[lineStart..<max(lineStart, end)], as: UTF8.self)
        position.column = (position.column ?? 1) + text.unicodeScalars.count
        return position
    }

    private static func ofLongBracket(_ raw: ArraySlice<UInt8>) -> [Int] {
        let level = raw.dropFirst().prefix { $0 == UInt8(ascii: "=") }.count
        let end = raw.endIndex - level - 2
        var index = raw.startIndex + level + 2
        index += lineEnd(raw, at: index)
        var offsets: [Int] = []
        while index < end {
            offsets.append(index)
            index += max(1, lineEnd(raw, at: index))
        }
        return offsets + [end]
    }

    private static func ofQuotes(_ raw: ArraySlice<UInt8>) -> [Int] {
        let end = raw.endIndex - 1
        var index = raw.startIndex + 1
        var offsets: [Int] = []
        while index < end {
            let (length, count) = raw[index] == UInt8(ascii: "\\") ? escape(raw, at: index) : (1, 1)
            offsets += repeatElement(index, count: count)
            index += length
        }
        return offsets + [end]
    }

    /// The length of an escape in bytes, and the number of bytes that it represents. The tokenizer has already
    /// validated it.
    private static func escape(_ raw: ArraySlice<UInt8>, at start: Int) -> (length: Int, count: Int) {
        let rest = raw[(start + 2)...]
        switch raw[start + 1] {
        case UInt8(ascii: "x"): return (4, 1)
        case UInt8(ascii: "z"):
            return (2 + rest.prefix { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }.count, 0)
        case UInt8(ascii: "u"):
            let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
            let code = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            let limits = [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000]
            return (4 + digits.count, 1 + limits.count { code >= $0 })
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return (2 + rest.prefix(2).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count, 1)
        default: return (1 + max(1, lineEnd(raw, at: start + 1)), 1)
        }
    }

    /// The length of the line end at an index, or 0 if there is none. Two different characters are one line end, as in
    /// Lua.
    private static func lineEnd(_ raw: ArraySlice<UInt8>, at index: Int) -> Int {
        let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        guard ends.contains(raw[index]) else { return 0 }
        return index + 1 < raw.endIndex && raw[index + 1] != raw[index] && ends.contains(raw[index + 1]) ? 2 : 1
    }
}
