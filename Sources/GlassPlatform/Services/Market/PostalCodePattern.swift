import GlassSchema

/// A pattern that a whole postal code must match.
struct PostalCodePattern: Sendable {
    private let pattern: TextPattern?

    /// Compiles a pattern.
    ///
    /// - Parameter text: The pattern. One that does not compile matches nothing; the schema reports it.
    init(_ text: String) {
        do {
            pattern = try TextPattern(text)
        } catch {
            pattern = nil
        }
    }

    /// Whether a text matches from its first to its last character.
    ///
    /// - Parameter text: The postal code as it was typed.
    /// - Returns: False also when the pattern did not compile, and for a text that is longer than any postal code.
    func matches(_ text: String) -> Bool { pattern?.matches(text) ?? false }
}
