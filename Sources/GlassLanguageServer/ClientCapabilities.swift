import GlassBase

/// What the client said it can do, as far as answers depend on it.
struct ClientCapabilities: Sendable {
    /// How columns are counted.
    var encoding = PositionEncoding.utf16
    /// Whether completions may have places to jump to.
    var takesSnippets = false
    /// Whether edits may name the version of the text that they are for.
    var takesDocumentChanges = false
    /// Whether hovers may be Markdown.
    var takesMarkdown = false
    /// Whether the documentation of completions may be Markdown.
    var takesMarkdownItems = false
    /// Whether it watches files for a server that asks for it.
    var watchesFiles = false
    /// Whether symbols may be within symbols.
    var takesSymbolTrees = false
    /// Whether code actions may be more than commands.
    var takesLiteralActions = false

    init() {}

    /// Reads the `capabilities` of `initialize`.
    init(_ json: StrictJSON) {
        let offered = json["general"]?["positionEncodings"]?.arrayValue?.first?.stringValue
        // Every client can count in UTF-16, and what it names first is what it likes.
        if offered == PositionEncoding.utf8.rawValue { encoding = .utf8 }
        takesSnippets = json.allows("textDocument", "completion", "completionItem", "snippetSupport")
        takesDocumentChanges = json.allows("workspace", "workspaceEdit", "documentChanges")
        takesMarkdown = json.lists("markdown", at: "textDocument", "hover", "contentFormat")
        takesMarkdownItems = json.lists(
            "markdown", at: "textDocument", "completion", "completionItem", "documentationFormat")
        watchesFiles = json.allows("workspace", "didChangeWatchedFiles", "dynamicRegistration")
        takesSymbolTrees = json.allows("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
        takesLiteralActions = json["textDocument", "codeAction", "codeActionLiteralSupport"] != nil
    }
}
