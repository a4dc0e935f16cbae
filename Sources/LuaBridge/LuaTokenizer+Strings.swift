extension LuaTokenizer {
    /// The number of `=` in the opening long bracket that starts here, nil if none does.
    func longBracketLevel() -> Int? {
        var level = 0
        while peek(1 + level) == UInt8(ascii: "=") {
            level += 1
        }
        return peek(1 + level) == UInt8(ascii: "[") ? level : nil
    }

    /// Steps over `]`, and over what looks like a closing long bracket after it.
    ///
    /// The `=` signs of a bracket of another level are stepped over too: none of them can start the right bracket, and
    /// looking at each again would take quadratic time.
    ///
    /// - Returns: Whether it was the closing bracket of `level`, which has then been read whole.
    mutating func stepOverClosingBracket(_ level: Int) -> Bool {
        step()
        var equals = 0
        while peek() == UInt8(ascii: "=") {
            equals += 1
            step()
        }
        guard equals == level, peek() == UInt8(ascii: "]") else { return false }
        step()
        return true
    }

    /// Reads a long bracket. Escapes mean nothing in it, a first line end is dropped, every other one becomes `\n`.
    mutating func scanLongString(level: Int) -> LuaToken.Kind {
        step(level + 2)
        if let byte = peek(), isLineEnd(byte) { stepOverLineEnd() }
        var value: [UInt8] = []
        while let byte = peek() {
            let start = offset
            if byte == UInt8(ascii: "]") {
                if stepOverClosingBracket(level) { return .string(value) }
                value.append(contentsOf: bytes[start..<offset])
            } else if isLineEnd(byte) {
                stepOverLineEnd()
                value.append(UInt8(ascii: "\n"))
            } else {
                stepOverCharacter()
                value.append(contentsOf: bytes[start..<offset])
            }
        }
        return .invalid
    }

    /// Reads a quoted string.
    ///
    /// One that is not closed on its line ends there. One with a bad escape is read to its closing quote, so that what
    /// follows it is read as it was meant.
    mutating func scanQuotedString(quote: UInt8) -> LuaToken.Kind {
        step()
        var value: [UInt8] = []
        var isValid = true
        while let byte = peek(), !isLineEnd(byte) {
            if byte == quote {
                step()
                return isValid ? .string(value) : .invalid
            }
            if byte == UInt8(ascii: "\\") {
                step()
                if !scanEscape(into: &value) { isValid = false }
            } else {
                let start = offset
                stepOverCharacter()
                value.append(contentsOf: bytes[start..<offset])
            }
        }
        return .invalid
    }

    private func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Reads what follows a backslash and appends the bytes that it stands for.
    ///
    /// - Returns: Whether it is an escape that Lua knows. If not, reading goes on after what was understood.
    private mutating func scanEscape(into value: inout [UInt8]) -> Bool {
        guard let byte = peek() else { return false }
        switch byte {
        case UInt8(ascii: "a"): value.append(0x07)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "v"): value.append(0x0B)
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): value.append(byte)
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            stepOverLineEnd()
            value.append(UInt8(ascii: "\n"))
            return true
        case UInt8(ascii: "z"):
            step()
            skipWhiteSpace()
            return true
        case UInt8(ascii: "x"):
            step()
            return scanHexadecimalEscape(into: &value)
        case UInt8(ascii: "u"):
            step()
            return scanUnicodeEscape(into: &value)
        case _ where isASCIIDigit(byte):
            return scanDecimalEscape(into: &value)
        default:
            stepOverCharacter()
            return false
        }
        step()
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): stepOverLineEnd()
            case UInt8(ascii: " "), 0x09, 0x0B, 0x0C: step()
            default: return
            }
        }
    }

    /// Reads `XX`, exactly two hexadecimal digits.
    private mutating func scanHexadecimalEscape(into value: inout [UInt8]) -> Bool {
        var result: UInt8 = 0
        for _ in 0..<2 {
            guard let digit = peek().flatMap(hexadecimalValue) else { return false }
            result = result << 4 | digit
            step()
        }
        value.append(result)
        return true
    }

    /// Reads `ddd`, up to three decimal digits, at most 255.
    private mutating func scanDecimalEscape(into value: inout [UInt8]) -> Bool {
        var result = 0
        for _ in 0..<3 {
            guard let byte = peek(), isASCIIDigit(byte) else { break }
            result = result * 10 + Int(byte - UInt8(ascii: "0"))
            step()
        }
        guard let byte = UInt8(exactly: result) else { return false }
        value.append(byte)
        return true
    }

    /// Reads `{…}` in hexadecimal, a code below 2³¹, and appends it in the original UTF-8 of up to six bytes, as Lua does.
    private mutating func scanUnicodeEscape(into value: inout [UInt8]) -> Bool {
        guard peek() == UInt8(ascii: "{") else { return false }
        step()
        guard var code = peek().flatMap(hexadecimalValue).map(UInt64.init) else { return false }
        step()
        while let digit = peek().flatMap(hexadecimalValue) {
            code = min(code << 4 | UInt64(digit), 1 << 32)  // clamped, so that any number of digits is too large
            step()
        }
        guard code < 1 << 31, peek() == UInt8(ascii: "}") else { return false }
        step()
        appendUTF8(code, to: &value)
        return true
    }

    private func appendUTF8(_ code: UInt64, to value: inout [UInt8]) {
        guard code >= 0x80 else {
            value.append(UInt8(code))
            return
        }
        // Continuation bytes carry six bits each; the lead byte has room for `limit`, which halves with each of them.
        var rest = code
        var limit: UInt64 = 0x3F
        var reversed: [UInt8] = []
        repeat {
            reversed.append(UInt8(0x80 | rest & 0x3F))
            rest >>= 6
            limit >>= 1
        } while rest > limit
        value.append(UInt8(truncatingIfNeeded: ~limit << 1 | rest))
        value.append(contentsOf: reversed.reversed())
    }
}
