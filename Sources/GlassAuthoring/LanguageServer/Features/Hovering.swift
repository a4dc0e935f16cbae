import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

extension ServerState {
    /// `textDocument/hover`: the value of a key, its origin, the values that it overrides, its documentation and the
    /// services that read it.
    mutating func hover(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = try question(parameters), let entry = question.outline.entry(at: question.offset) else {
            return .null
        }
        if let token = question.token,
            let meaning = DirectiveDocumentation.meanings[question.outline.tree.text(of: token.index)],
            question.outline.entries[entry].keyToken != token.index
        {
            return answer([meaning], token.range, question)
        }
        let place = question.place(of: entry)
        guard let path = place.pathInMarket else {
            let lines = lines(about: entry, at: place, question)
            return lines.isEmpty ? .null : answer(lines, question.outline.keyRange(of: entry), question)
        }
        guard !path.elements.isEmpty else { return .null }
        return answer(lines(about: path, place, question), question.outline.keyRange(of: entry), question)
    }

    private func answer(_ lines: [String], _ range: Range<Int>, _ question: CursorContext) -> StrictJSON {
        let text = lines.joined(separator: "\n\n")
        let plain = text.replacing("`", with: "").replacing("**", with: "")
        return .record([
            "contents": .record([
                "kind": .string(client.takesMarkdown ? "markdown" : "plaintext"),
                "value": .string(client.takesMarkdown ? text : plain),
            ]),
            "range": question.lines.range(of: range, client.encoding).json,
        ])
    }

    private func lines(about path: ConfigurationPath, _ place: FilePlace, _ question: CursorContext) -> [String] {
        let flag = flagLines(about: path, question)
        guard flag.isEmpty else { return flag }
        let folder = folders[question.folder]
        let module = folder.loader.module
        var lines: [String] = []
        let known = question.market.flatMap { folder.provenance[$0] }
        if let node = known?.effective.node(at: path) {
            lines.append("**\(path)** = \(Self.code(node.value))")
            let written = known?.source.node(at: path)
            var places = [written?.position.map { shown($0, in: question.folder) } ?? "the default"]
            for layer in written?.overridden ?? [] {
                let place = layer.position.map { shown($0, in: question.folder) } ?? "default"
                places.append("overrides \(Self.code(layer.value)) — \(place)")
            }
            lines.append(places.joined(separator: "\n\n"))
            lines += alternatives(of: path, question)
            if let market = question.market, !folder.isCurrent(market) {
                lines.append("_as of the last valid text_")
            }
        } else {
            lines.append("**\(path)**")
            lines += alternatives(of: path, question)
        }
        let declaration = place.key
        if case .key(let id)? = path.elements.last, path.elements.first == .key("routables"), path.elements.count == 2 {
            if let feature = module.features.first(where: { $0.id == id }) { lines.append(feature.summary) }
            lines += links(of: id, folder)
        } else if let declaration {
            lines.append(declaration.documentation)
        }
        if let declaration, path.elements.count != 2 || path.elements.first != .key("routables") {
            let type = place.type ?? declaration.type
            var facts = "Accepts \(type.expectation)."
            if path.elements.last == .key(declaration.name) {
                if declaration.isRequired { facts += " Required." }
                if let value = declaration.defaultValue, type.section == nil {
                    facts += " Default: \(Self.code(value))."
                }
            }
            if declaration.appliesOn != .all { facts += " Platforms: \(declaration.appliesOn.rawValue)." }
            lines.append(facts)
        }
        let readers = module.readers(of: path).map(\.name)
        if !readers.isEmpty, readers.count <= 8 { lines.append("Read by \(readers.joined(separator: ", ")).") }
        return lines
    }

    /// The links that open a routable, in every market that has loaded.
    private func links(of routable: String, _ folder: MarketWorkspace) -> [String] {
        folder.provenance.keys.sorted().compactMap { id in
            let patterns =
                folder.provenance[id]?.routes.filter { $0.routable == routable }.map { "`\($0.pattern)`" } ?? []
            guard !patterns.isEmpty else { return nil }
            let more = patterns.count > 6 ? " and \(patterns.count - 6) more" : ""
            return "\(id): \(patterns.prefix(6).joined(separator: ", "))\(more)"
        }
    }

    /// A value as code, on one line and truncated. Secrets are shown by name.
    static func code(_ value: ConfigurationValue) -> String {
        let text = value.sourceText.replacing("`", with: "'")
        let isLong = text.unicodeScalars.count > 200
        return "`\(isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(200))) + "…" : text)`"
    }
}
