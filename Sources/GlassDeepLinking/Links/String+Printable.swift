extension String {
    /// The text with control characters written as `\u{9}`: a terminal obeys some of them.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isControl {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it is U+0000 to U+001F or U+007F to U+009F.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
