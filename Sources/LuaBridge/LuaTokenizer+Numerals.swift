extension LuaTokenizer {
    /// Reads a numeral that starts with a digit, or with a dot and a digit.
    ///
    /// Lua first takes all that could belong to a numeral and then asks whether it is one, so `1..2` and `3x` are one
    /// malformed number each.
    mutating func scanNumeral() -> LuaToken.Kind {
        let start = offset
        var exponentMark = UInt8(ascii: "e")
        if peek() == UInt8(ascii: "0"), let second = peek(1), second | 0x20 == UInt8(ascii: "x") {
            exponentMark = UInt8(ascii: "p")
            step(2)
        }
        while let byte = peek() {
            if byte | 0x20 == exponentMark {
                step()
                if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { step() }
            } else if hexadecimalValue(byte) != nil || byte == UInt8(ascii: ".") {
                step()
            } else {
                break
            }
        }
        let end = offset
        while let byte = peek(), isNameCharacter(byte) {
            step()
        }
        guard offset == end else { return .invalid }  // a letter touches the number
        return numeralValue(bytes[start..<end], isHexadecimal: exponentMark == UInt8(ascii: "p")) ?? .invalid
    }

    /// The value of a numeral by the rules of manual §3.1, nil if it is malformed.
    private func numeralValue(_ text: ArraySlice<UInt8>, isHexadecimal: Bool) -> LuaToken.Kind? {
        if isHexadecimal {
            let digits = text.dropFirst(2)
            if !digits.isEmpty, digits.allSatisfy({ hexadecimalValue($0) != nil }) {
                // "Hexadecimal numerals with neither a radix point nor an exponent always denote an integer value;
                // if the value overflows, it wraps around" (https://www.lua.org/manual/5.4/manual.html#3.1).
                let value = digits.reduce(UInt64(0)) { $0 << 4 | UInt64(hexadecimalValue($1) ?? 0) }
                return .integer(Int64(bitPattern: value))
            }
            // Swift wants an exponent on a hexadecimal float, Lua does not.
            let hasExponent = digits.contains { $0 | 0x20 == UInt8(ascii: "p") }
            return Double(String(decoding: text, as: UTF8.self) + (hasExponent ? "" : "p0")).map { .float($0) }
        }
        let decimal = String(decoding: text, as: UTF8.self)
        if let integer = Int64(decimal) { return .integer(integer) }
        return Double(decimal).map { .float($0) }
    }
}
