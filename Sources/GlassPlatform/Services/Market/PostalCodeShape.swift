/// How a country writes its postal codes, taken from one of them: `K1A 0B1` has letters and digits at their places and
/// a space in the middle.
struct PostalCodeShape {
    private let example: String

    /// Takes the shape of a postal code.
    init(_ example: String) {
        self.example = example
    }

    /// Writes a postal code in capitals and with the separators of the shape.
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
