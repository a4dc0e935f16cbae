/// Validates the ASCII form of international host names (RFC 3492), so that no host passes that browsers reject.
enum Punycode {
    /// Whether the rest of a label that starts with `xn--` decodes to a name that requires this form.
    static func isValid(_ encoded: some Sequence<UInt8>) -> Bool {
        decode(encoded.asciiFolded).map(isName) ?? false
    }

    /// Whether decoded characters are valid in a host name and in the form that browsers would encode again.
    private static func isName(_ scalars: [Unicode.Scalar]) -> Bool {
        // An ASCII name has no xn-- form: browsers reject `xn--a-`.
        guard scalars.contains(where: { !$0.isASCII }), let first = scalars.first else { return false }
        // A combining mark combines with the preceding character, so it must not come first.
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        if first == "-" || scalars.last == "-" { return false }
        if scalars.count > 3 && scalars[2] == "-" && scalars[3] == "-" { return false }
        return scalars.allSatisfy(isNameCharacter)
    }

    /// Whether a character is a letter, mark or digit that equals its lowercase form. Rejects symbols, which is
    /// stricter than browsers; a market's hosts are names.
    private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "-" { return true }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isFullCompositionExclusion { return false }
        guard properties.lowercaseMapping.unicodeScalars.elementsEqual([scalar]) else { return false }
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: return true
        default: return false
        }
    }

    /// The characters of a label after `xn--`, or `nil` if it doesn't encode any.
    private static func decode(_ input: [UInt8]) -> [Unicode.Scalar]? {
        var output: [Unicode.Scalar] = []
        var index = 0
        if let dash = input.lastIndex(of: UInt8(ascii: "-")) {
            output = input[..<dash].map { Unicode.Scalar($0) }
            index = dash + 1
        }
        // The constants here and in `adapt` are the parameters of RFC 3492, section 5.
        var code = 128
        var place = 0
        var bias = 72
        while index < input.count {
            let oldPlace = place
            var weight = 1
            var step = 36
            while true {
                guard index < input.count, let digit = digit(input[index]) else { return nil }
                index += 1
                place += digit * weight
                let threshold = step <= bias ? 1 : min(26, step - bias)
                if digit < threshold { break }
                weight *= 36 - threshold
                // Far beyond any character, but far below the overflow of Int.
                guard weight < 1 << 40, place < 1 << 40 else { return nil }
                step += 36
            }
            let count = output.count + 1
            bias = adapt(place - oldPlace, count: count, isFirst: oldPlace == 0)
            code += place / count
            place %= count
            guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
            output.insert(scalar, at: place)
            place += 1
        }
        return output
    }

    private static func digit(_ byte: UInt8) -> Int? {
        if ASCII.isDigit(byte) { return Int(byte) - 0x30 + 26 }
        return ASCII.isLetter(byte) ? Int(ASCII.lowercased(byte)) - 0x61 : nil
    }

    private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var step = 0
        while delta > 455 {
            delta /= 35
            step += 36
        }
        return step + 36 * delta / (delta + 38)
    }
}
