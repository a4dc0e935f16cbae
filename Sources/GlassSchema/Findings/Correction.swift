/// What should replace the text at a finding's position, as far as the check can tell.
///
/// The reader of the file turns it into a ``Fix`` if the text there is what the correction describes: a computed value
/// has no text to fix.
package enum Correction: Sendable, Hashable {
    /// The name or string is misspelled.
    case spelling(String, meant: String, isUnambiguous: Bool)
    /// The name should be a word of the language: `nil` instead of `null`.
    case word(String, meant: String)
    /// The string is this number in quotes.
    case number(String)
    /// The number should be another one.
    case numeral(String, meant: String)
    /// The number should be a string.
    case quotes
    /// The value belongs in a list.
    case wrapInList
    /// The value belongs in a table, as the value of this key, and the table in a list if `isInList`.
    case wrapInTable(key: String, isInList: Bool)
    /// The value is the only element of a list, and should stand alone.
    case unwrap
    /// The literal should be this text in Lua.
    case rewrite(String, isUnambiguous: Bool)
    /// The string has a placeholder with this name, which should have another name.
    case placeholder(String, meant: String, isUnambiguous: Bool)
    /// The table lacks this entry.
    case entry(String)
    /// The key is a number, and should be this string.
    case textKey(String)
    /// The key is 0, and its value should be the first element of a list.
    case elementZero
    /// The key belongs in a table further out, by this number of levels, and there in the tables of these keys.
    case move(outward: Int, into: [String])
    /// The entry with this key can be removed if it equals the entry whose key is at `first`.
    case repeated(first: SourcePosition)
    /// The assignment should declare a local variable.
    case local
    /// These pieces of the file should be replaced.
    case text([Edit], isUnambiguous: Bool)

    /// A piece of the file that was read, and its replacement.
    package struct Edit: Sendable, Hashable {
        /// The bytes of the piece.
        package var bytes: Range<Int>
        /// The replacement.
        package var text: String

        /// Creates an edit.
        package init(_ bytes: Range<Int>, _ text: String) {
            self.bytes = bytes
            self.text = text
        }
    }
}
