import GlassBase

/// The client capabilities that affect responses.
struct ClientCapabilities: Sendable {
    /// The encoding in which columns are counted.
    var encoding = PositionEncoding.utf16
    /// Whether completions may contain snippets with cursor positions.
    var takesSnippets = false
    /// Whether edits may carry the version of the document that they apply to.
    var takesDocumentChanges = false
    /// Whether hovers may be Markdown.
    var takesMarkdown = false
    /// Whether the documentation of completions may be Markdown.
    var takesMarkdownItems = false
    /// Whether the client can watch files for the server.
    var watchesFiles = false
    /// Whether symbols may be nested.
    var takesSymbolTrees = false
    /// Whether code actions may contain edits instead of only commands.
    var takesLiteralActions = false
    /// Whether the client asks for the name before it asks for its replacement.
    var preparesRenames = false

    init() {}

    /// Reads the `capabilities` of `initialize`.
    init(_ json: StrictJSON) {
        let offered = json["general"]?["positionEncodings"]?.arrayValue?.first?.stringValue
        // Use UTF-8 only if the client lists it first; every client supports UTF-16.
        if offered == PositionEncoding.utf8.rawValue { encoding = .utf8 }
        takesSnippets = json.allows("textDocument", "completion", "completionItem", "snippetSupport")
        takesDocumentChanges = json.allows("workspace", "workspaceEdit", "documentChanges")
        takesMarkdown = json.lists("markdown", at: "textDocument", "hover", "contentFormat")
        takesMarkdownItems = json.lists(
            "markdown", at: "textDocument", "completion", "completionItem", "documentationFormat")
        watchesFiles = json.allows("workspace", "didChangeWatchedFiles", "dynamicRegistration")
        takesSymbolTrees = json.allows("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
        preparesRenames = json.allows("textDocument", "rename", "prepareSupport")
        takesLiteralActions = json["textDocument", "codeAction", "codeActionLiteralSupport"] != nil
    }
}
