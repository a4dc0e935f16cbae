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
}
