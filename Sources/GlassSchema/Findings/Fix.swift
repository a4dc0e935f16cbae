/// The edits that apply the hint of a finding, for editors and for `glass-host fix`.
///
/// ```swift
/// for finding in check.findings {
///     guard let fix = finding.fix else { continue }
///     print(fix.title, fix.edits.map(\.text))    // write maxRetries ["maxRetries"]
/// }
/// ```
package struct Fix: Sendable, Hashable {
    /// A description, as an imperative: `write maxRetries`.
    package var title: String
    /// The edits, in the order of the text. They do not overlap, and each refers to the text as it was checked.
    package var edits: [SourceEdit]
    /// Whether no other meaning is possible, so that the fix can be applied without asking.
    package var isUnambiguous: Bool

    /// Creates a fix.
    package init(title: String, edits: [SourceEdit], isUnambiguous: Bool) {
        self.title = title
        self.edits = edits
        self.isUnambiguous = isUnambiguous
    }
}

/// A piece of a file, and its replacement.
package struct SourceEdit: Sendable, Hashable {
    /// The start of the piece, with a known column.
    package var start: SourcePosition
    /// The position just past the end of the piece, in the same file. It equals `start` for an insertion.
    package var end: SourcePosition
    /// The replacement.
    package var text: String
    /// The bytes of the piece in the file that was read.
    package var bytes: Range<Int>

    /// Creates an edit.
    package init(start: SourcePosition, end: SourcePosition, text: String, bytes: Range<Int>) {
        self.start = start
        self.end = end
        self.text = text
        self.bytes = bytes
    }
}
