/// A change of files that does what a finding advises, for an editor and for `glass-host fix`.
///
/// ```swift
/// for finding in check.findings {
///     guard let fix = finding.fix else { continue }
///     print(fix.title, fix.edits.map(\.text))    // write maxRetries ["maxRetries"]
/// }
/// ```
package struct Fix: Sendable, Hashable {
    /// What it does, as a request: `write maxRetries`.
    package var title: String
    /// The changes, in the order of the text. They do not overlap, and each is in the text as it was checked.
    package var edits: [SourceEdit]
    /// Whether nothing else can have been meant, so that it can be made without asking.
    package var isUnambiguous: Bool

    /// Creates a fix.
    package init(title: String, edits: [SourceEdit], isUnambiguous: Bool) {
        self.title = title
        self.edits = edits
        self.isUnambiguous = isUnambiguous
    }
}

/// A piece of a file, and the text that is to stand in its place.
package struct SourceEdit: Sendable, Hashable {
    /// Where the piece begins; its column is known.
    package var start: SourcePosition
    /// The place just behind it, in the same file; where it begins when something is only added.
    package var end: SourcePosition
    /// What is to stand there.
    package var text: String
    /// The piece as bytes of the file that was read.
    package var bytes: Range<Int>

    /// Creates an edit.
    package init(start: SourcePosition, end: SourcePosition, text: String, bytes: Range<Int>) {
        self.start = start
        self.end = end
        self.text = text
        self.bytes = bytes
    }
}
