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

    /// A text that matches, for hints; nil if there is no short one.
    var example: String? { pattern?.example.flatMap { matches($0) && !$0.isEmpty ? $0 : nil } }

    /// Whether a string matches from its first to its last character.
    func matches(_ text: String) -> Bool { pattern?.matches(text) ?? false }
}
