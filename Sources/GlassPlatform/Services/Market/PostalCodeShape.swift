/// A country's format of postal codes, derived from an example: `K1A 0B1` defines the positions of letters and digits,
/// and a space in the middle.
struct PostalCodeShape {
    private let example: String

    /// Derives the format from a postal code.
    init(_ example: String) {
        self.example = example
    }

    /// Converts a postal code to uppercase and adds the separators of the format. Text that does not fit is only
    /// uppercased.
    func applied(to text: String) -> String {
        let text = text.uppercased()
        var typed = text.filter { $0.isLetter || $0.isNumber }[...]
        var written = ""
        for character in example {
            guard character.isLetter || character.isNumber else {
                written.append(character)
                continue
            }
            guard let next = typed.popFirst(), next.isLetter == character.isLetter else { return text }
            written.append(next)
        }
        return typed.isEmpty ? written : text
    }
}
