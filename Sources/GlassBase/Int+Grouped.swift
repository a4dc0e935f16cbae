extension Int {
    /// The number with a comma between each three digits, as a message writes it: `6,900`.
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
