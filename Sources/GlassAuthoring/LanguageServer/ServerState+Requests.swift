import GlassBase

extension ServerState {
    /// Handles a request. Requests that the server doesn't announce have no handler.
    typealias Request = @Sendable (inout ServerState, Parameters) throws(ResponseError) -> StrictJSON

    /// The handlers by method name.
    static let requests: [String: Request] = [
        "textDocument/hover": { state, parameters throws(ResponseError) in try state.hover(parameters) },
        "textDocument/completion": { state, parameters throws(ResponseError) in try state.complete(parameters) },
        "textDocument/definition": { state, parameters throws(ResponseError) in try state.definition(parameters) },
        "textDocument/documentSymbol": { state, parameters throws(ResponseError) in try state.symbols(parameters) },
        "workspace/symbol": { state, parameters throws(ResponseError) in try state.workspaceSymbols(parameters) },
        "textDocument/foldingRange": { state, parameters throws(ResponseError) in try state.foldings(parameters) },
        "textDocument/documentLink": { state, parameters throws(ResponseError) in try state.links(parameters) },
        "textDocument/references": { state, parameters throws(ResponseError) in try state.references(parameters) },
        "textDocument/documentHighlight": { state, parameters throws(ResponseError) in try state.highlights(parameters)
        },
        "textDocument/prepareRename": { state, parameters throws(ResponseError) in try state.prepareRename(parameters)
        },
        "textDocument/rename": { state, parameters throws(ResponseError) in try state.rename(parameters) },
        "textDocument/codeAction": { state, parameters throws(ResponseError) in try state.codeActions(parameters) },
        "textDocument/codeLens": { state, parameters throws(ResponseError) in try state.lenses(parameters) },
        "textDocument/inlayHint": { state, parameters throws(ResponseError) in try state.inlayHints(parameters) },
        "workspace/executeCommand": { state, parameters throws(ResponseError) in try state.execute(parameters) },
    ]
}
