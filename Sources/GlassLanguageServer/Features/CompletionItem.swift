import GlassBase
import GlassSchema

/// Something that can be written at a place.
struct CompletionItem: Sendable {
    /// What an editor draws beside it.
    enum Kind: Int {
        case property = 10
        case value = 12
        case keyword = 14
        case file = 17
        case constant = 21
    }

    /// The bytes between two quotes, and the quote that is to be written behind them.
    struct Quotes {
        let bytes: Range<Int>
        let closing: String
    }

    let label: String
    let kind: Kind
    var detail: String
    var documentation: String
    /// The bytes that it takes the place of.
    var replaced = 0..<0
    /// What is written.
    var text: String
    /// The same with a place for the cursor.
    var snippet: String?
    /// The text that it is, if it is one.
    var literal: String?
    /// Where a comma is to be written too.
    var missingComma: Int?

    init(label: String, kind: Kind, detail: String = "", documentation: String = "") {
        self.label = label
        self.kind = kind
        self.detail = detail
        self.documentation = documentation
        text = label
    }

    /// A text, in quotes.
    init(text: String, kind: Kind, detail: String = "") {
        self.init(label: text, kind: kind, detail: detail)
        literal = text
        self.text = text.luaLiteral
    }

    /// A word of the language or of market files.
    init(word: String, text: String, snippet: String? = nil) {
        self.init(label: word, kind: .keyword, documentation: DirectiveDocumentation.meanings[word] ?? "")
        self.text = text
        self.snippet = snippet
    }

    /// A table to be filled in.
    static var table: CompletionItem { CompletionItem(word: "{ }", text: "{  }", snippet: "{ $0 }") }

    /// The text without its quotes, between those that are there.
    func within(_ quotes: Quotes) -> CompletionItem {
        var item = self
        item.text = String(text.dropFirst().dropLast()) + quotes.closing
        item.replaced = quotes.bytes
        return item
    }

    func json(
        in lines: TextLines, _ encoding: PositionEncoding, order: Int, _ client: ClientCapabilities
    ) -> StrictJSON {
        let snippet = client.takesSnippets ? snippet : nil
        var sortText = String(order)
        sortText = String(repeating: "0", count: max(0, 5 - sortText.count)) + sortText
        var written = documentation
        if !client.takesMarkdownItems { written = written.replacing("`", with: "") }
        return .record([
            "label": .string(label), "kind": .number(kind.rawValue),
            "detail": detail.isEmpty ? nil : .string(detail),
            "documentation": written.isEmpty ? nil : described(written, client),
            "sortText": .string(sortText), "filterText": .string(label),
            "insertTextFormat": .number(snippet == nil ? 1 : 2),
            "textEdit": .record([
                "range": lines.range(of: replaced, encoding).json, "newText": .string(snippet ?? text),
            ]),
            "additionalTextEdits": missingComma.map { place in
                .array([
                    .record(["range": lines.range(of: place..<place, encoding).json, "newText": .string(",")])
                ])
            },
        ])
    }

    private func described(_ text: String, _ client: ClientCapabilities) -> StrictJSON {
        guard client.takesMarkdownItems else { return .string(text) }
        return .record(["kind": .string("markdown"), "value": .string(text)])
    }
}
