import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

extension ServerState {
    /// `textDocument/inlayHint`: behind a value, the value of the base market that it overrides; behind the brace of a
    /// table at the top, how many values in it do.
    mutating func inlayHints(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        let range = try parameters.range()
        // Hints of an older text would be next to the wrong values.
        guard let question = question(try parameters.uri()), let market = question.market,
            folders[question.folder].isCurrent(market), let known = folders[question.folder].provenance[market]
        else { return .array([]) }
        let wanted = question.lines.bytes(of: range, client.encoding)
        let outline = question.outline
        var hints: [StrictJSON] = []
        func add(_ offset: Int, _ label: String, _ tooltip: String? = nil) {
            hints.append(
                .record([
                    "position": question.lines.position(of: offset, client.encoding).json, "label": .string(label),
                    "tooltip": tooltip.map { .string($0) }, "paddingLeft": .boolean(true),
                ]))
        }
        for top in outline.entries.first?.children ?? [] {
            var count = 0
            var rest = [top]
            while let entry = rest.popLast() {
                rest += outline.entries[entry].children
                guard let overridden = overridden(by: entry, question, known) else { continue }
                count += 1
                let end = outline.range(of: entry).upperBound
                guard wanted.contains(end) || wanted.upperBound == end, hints.count < Self.maximumPlaces else {
                    continue
                }
                add(
                    end, "overrides \(Self.short(overridden.value))",
                    overridden.position.map { shown($0, in: question.folder) }
                )
            }
            guard count > 0, outline.entries[top].value == .table, let braces = outline.braces(of: top) else {
                continue
            }
            let brace = outline.tree.tokens[braces.open].upperBound
            guard wanted.contains(brace), hints.count < Self.maximumPlaces else { continue }
            add(brace, "overrides \(count) value\(count == 1 ? "" : "s")")
        }
        return .array(hints)
    }

    /// The value of the nearest base market that a scalar overrides; nil for a table, and if no base has another value.
    private func overridden(
        by entry: Int, _ question: CursorContext, _ known: MarketProvenanceTree
    ) -> ConfigurationNode.Layer? {
        let outline = question.outline
        // An overlay or an alternative overrides the value in its situation only.
        guard outline.entries[entry].keyToken != nil, outline.entries[entry].table == nil,
            let path = question.place(of: entry).pathInMarket, outline.path(of: entry) == path,
            !Self.ownKeys.contains(path),
            let node = known.source.node(at: path), node.position?.file == question.file,
            let layer = node.overridden.first, layer.position?.file != question.file
        else { return nil }
        return layer.value == node.value ? nil : layer
    }

    /// The keys that every market sets for itself.
    private static let ownKeys: Set<ConfigurationPath> = ["id", "name", "extends"]

    /// A value for display next to another one.
    private static func short(_ value: ConfigurationValue) -> String {
        let text = value.sourceText
        return text.unicodeScalars.count > 40
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(39))) + "…" : text
    }
}
