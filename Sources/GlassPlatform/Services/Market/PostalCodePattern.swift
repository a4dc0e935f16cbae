import GlassSchema

/// The pattern that a whole postal code must match.
struct PostalCodePattern: Sendable {
    private let pattern: TextPattern?

    /// Compiles a pattern.
    init(_ text: String) {
        do {
            pattern = try TextPattern(text)
        } catch {
            pattern = nil
        }
    }

    /// Whether a string matches from its first to its last character.
    func matches(_ text: String) -> Bool { pattern?.matches(text) ?? false }
}
