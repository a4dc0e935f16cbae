import GlassSchema
import LuaBridge

/// Where the bytes of a string's value stand in the source: escapes, long brackets and what they skip have no byte each.
struct StringLiteralOffsets {
    private let raw: ArraySlice<UInt8>
    private let start: SourcePosition
    /// For each byte of the value, and for the place behind the last one, its offset in the source.
    private let offsets: [Int]

    /// Looks into a string.
    init(of raw: ArraySlice<UInt8>, at position: SourcePosition) {
        self.raw = raw
        start = position
        offsets = raw.first == UInt8(ascii: "[") ? Self.ofLongBracket(raw) : Self.ofQuotes(raw)
    }

    /// Where a byte of the value stands.
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

    /// How many bytes an escape takes, and how many it stands for. The tokenizer has seen that it is a valid one.
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

    /// The length of the line end at an index, 0 when there is none; two different characters are one, as in Lua.
    private static func lineEnd(_ raw: ArraySlice<UInt8>, at index: Int) -> Int {
        let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        guard ends.contains(raw[index]) else { return 0 }
        return index + 1 < raw.endIndex && raw[index + 1] != raw[index] && ends.contains(raw[index + 1]) ? 2 : 1
    }
}
