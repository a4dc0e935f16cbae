extension Int {
    /// The number with a comma between groups of three digits, for messages: `6,900`.
    package var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (offset, digit) in digits.enumerated() {
            if offset > 0, (digits.count - offset).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// The number with a noun: `1 key`, `6,900 keys`.
    ///
    /// - Parameter noun: A noun whose plural ends with `s`, in the singular.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension [String] {
    /// The texts as a part of a sentence: `a`, `a and b`, `a, b, and c`.
    package func inProse(_ conjunction: String = "and") -> String {
        guard let last else { return "" }
        guard count > 1 else { return last }
        return dropLast().joined(separator: ", ") + (count > 2 ? "," : "") + " \(conjunction) " + last
    }
}
