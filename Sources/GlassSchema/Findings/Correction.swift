/// What should stand at a finding's place instead, as far as whoever made the finding knows it.
///
/// The reader of the file makes a ``Fix`` of it when it finds in the text what the correction says: a value that was
/// computed has no text to fix.
package enum Correction: Sendable, Hashable {
    /// The name or text there is spelt wrongly.
    case spelling(String, meant: String, isUnambiguous: Bool)
    /// The name there stands for a word of the language: `null` for `nil`.
    case word(String, meant: String)
    /// The text there is this number, in quotes.
    case number(String)
    /// The value there belongs in a list.
    case wrapInList
    /// The text there has a placeholder of this name that should have another.
    case placeholder(String, meant: String, isUnambiguous: Bool)
    /// The table there lacks this entry.
    case entry(String)
    /// The key there is a number, and should be this text.
    case textKey(String)
    /// The entry whose key is there may go, if it equals the one whose key is at this place.
    case repeated(first: SourcePosition)
    /// What is assigned there should be a local variable.
    case local
    /// These pieces of the file should be others.
    case text([Edit], isUnambiguous: Bool)

    /// A piece of the file that was read, and what is to stand in its place.
    package struct Edit: Sendable, Hashable {
        /// The piece.
        package var bytes: Range<Int>
        /// What is to stand there.
        package var text: String

        /// Creates an edit.
        package init(_ bytes: Range<Int>, _ text: String) {
            self.bytes = bytes
            self.text = text
        }
    }
}
