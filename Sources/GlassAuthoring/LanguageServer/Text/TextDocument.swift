import GlassBase

/// A document that is open in an editor.
struct TextDocument: Sendable {
    /// The URI that the client uses.
    let uri: String
    /// The client's version number.
    private(set) var version: Int
    /// The text.
    private(set) var lines: TextLines

    init(uri: String, version: Int, text: String) {
        self.uri = uri
        self.version = version
        lines = TextLines(Array(text.utf8))
    }

    /// Applies the changes of one message in order; each range refers to the result of the previous change.
    mutating func apply(
        _ changes: [StrictJSON], version: Int, _ encoding: PositionEncoding
    ) throws(ResponseError) {
        var edited = EditedText(lines.bytes, encoding)
        for change in changes {
            guard let text = change["text"]?.stringValue else {
                throw ResponseError(.invalidParams, "a content change needs text")
            }
            guard let range = change["range"] else {
                edited = EditedText(Array(text.utf8), encoding)
                continue
            }
            guard let range = ClientRange(range) else {
                throw ResponseError(.invalidParams, "the range of a content change needs start and end")
            }
            edited.replace(range, with: text)
        }
        lines = TextLines(edited.bytes)
        self.version = version
    }
}
