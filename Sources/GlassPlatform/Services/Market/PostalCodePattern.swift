/// A pattern that a whole postal code must match.
struct PostalCodePattern {
    private let regex: Regex<AnyRegexOutput>?

    /// Compiles a pattern.
    ///
    /// - Parameter text: A regular expression. One that does not compile matches nothing; the schema reports it.
    init(_ text: String) {
        do {
            regex = try Regex(text)
        } catch {
            regex = nil
        }
    }

    /// Whether a text matches from its first to its last character.
    ///
    /// - Parameter text: The postal code as it was typed.
    /// - Returns: False also when the pattern did not compile.
    func matches(_ text: String) -> Bool {
        guard let regex else { return false }
        do {
            return try regex.wholeMatch(in: text) != nil
        } catch {
            return false
        }
    }
}
