import GlassBase

/// A text that is open in an editor.
struct TextDocument: Sendable {
    /// What the client calls it.
    let uri: String
    /// The client's version of the text.
    private(set) var version: Int
    /// The text.
    private(set) var lines: TextLines

    init(uri: String, version: Int, text: String) {
        self.uri = uri
        self.version = version
        lines = TextLines(Array(text.utf8))
    }

    /// Makes the changes of one message, in their order: each is in the text that the one before it left.
    mutating func apply(
        _ changes: [StrictJSON], version: Int, _ encoding: PositionEncoding
    ) throws(ResponseError) {
        var edited = EditedText(lines.bytes, encoding)
        for change in changes {
            guard let text = change["text"]?.stringValue else {
                throw ResponseError(.invalidParams, "a change needs text")
            }
            guard let range = change["range"] else {
                edited = EditedText(Array(text.utf8), encoding)
                continue
            }
            guard let range = ClientRange(range) else {
                throw ResponseError(.invalidParams, "the range of a change needs start and end")
            }
            edited.replace(range, with: text)
        }
        lines = TextLines(edited.bytes)
        self.version = version
    }
}
