import GlassBase
import GlassSchema

/// A completion.
struct CompletionItem: Sendable {
    /// The icon that an editor shows. The raw values are those of `CompletionItemKind` in the protocol.
    enum Kind: Int {
        case property = 10
        case value = 12
        case keyword = 14
        case file = 17
        case constant = 21
    }

    /// The bytes between two quotes, and the closing quote to insert if it is missing.
    struct Quotes {
        let bytes: Range<Int>
        let closing: String
    }

    let label: String
    let kind: Kind
    var detail: String
    var documentation: String
    /// The bytes that the completion replaces.
    var replaced = 0..<0
    /// The inserted text.
    var text: String
    /// The inserted text with a cursor position, in snippet syntax.
    var snippet: String?
    /// The string, if the completion is one.
    var literal: String?
    /// The offset at which a missing comma is inserted.
    var missingComma: Int?

    init(label: String, kind: Kind, detail: String = "", documentation: String = "") {
        self.label = label
        self.kind = kind
        self.detail = detail
        self.documentation = documentation
        text = label
    }

    /// Creates a completion for a quoted string.
    init(text: String, kind: Kind, detail: String = "") {
        self.init(label: text, kind: kind, detail: detail)
        literal = text
        self.text = text.luaLiteral
    }

    /// Creates a completion for a keyword of Lua or a directive.
    init(word: String, text: String, snippet: String? = nil) {
        self.init(label: word, kind: .keyword, documentation: DirectiveDocumentation.meanings[word] ?? "")
        self.text = text
        self.snippet = snippet
    }

    /// An empty table.
    static var table: CompletionItem { CompletionItem(word: "{ }", text: "{  }", snippet: "{ $0 }") }

    /// The completion without its own quotes, inside existing ones.
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
