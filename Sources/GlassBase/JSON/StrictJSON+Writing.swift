extension StrictJSON {
    /// The canonical form (OLPC canonical JSON), which is what metadata signatures cover.
    ///
    /// Members are sorted by the UTF-8 of their names, there is no white space, and strings escape only `"` and `\`.
    /// Control characters are raw bytes, which no JSON reader accepts, so files contain ``text()`` instead. The
    /// standard has no canonical form for a number that is not an integer; here it is the shortest text that reads as
    /// the same number, always with a `.` or an `e`.
    package func canonical() -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, escapesControls: false)
        return bytes
    }

    /// JSON text whose bytes depend only on the value: like ``canonical()``, with control characters as `\u00XX`.
    package func text() -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, escapesControls: true)
        return bytes
    }

    private func write(to bytes: inout [UInt8], escapesControls: Bool) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let integer): bytes += integer.digits.utf8
        case .number(let number):
            precondition(number.isFinite, "JSON has no number for \(number)")
            bytes += number.description.utf8
        case .string(let text): Self.write(text, to: &bytes, escapesControls: escapesControls)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes, escapesControls: escapesControls)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &bytes, escapesControls: escapesControls)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes, escapesControls: escapesControls)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8], escapesControls: Bool) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20 where escapesControls:
                bytes += byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8
                bytes += String(byte, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
