import GlassBase
import GlassSchema

/// The histories of keys whose files used directives: for a list, the directive that added each element and the
/// elements that `remove` removed; for a removed key, the values that it had.
///
/// ```json
/// {"…statuses":{"words":["","","append"]},"…radius":{"beat":[{"at":"us.lua:29:113","value":25}],"dropped":"ca.lua:21:63"}}
/// ```
extension MarketProvenance {
    /// Reads the histories.
    static func histories(
        of json: StrictJSON?, layers: (StrictJSON?) throws(CompiledMarketError) -> [ConfigurationNode.Layer],
        position: (StrictJSON?) throws(CompiledMarketError) -> SourcePosition?
    ) throws(CompiledMarketError) -> [String: ValueHistory] {
        var histories: [String: ValueHistory] = [:]
        for member in json?.members ?? [] {
            let words = (member.value["words"]?.arrayValue ?? []).map { word -> String? in
                let text = word.stringValue ?? ""
                return text.isEmpty ? nil : text
            }
            var removals: [ValueHistory.Removal] = []
            for removal in member.value["without"]?.arrayValue ?? [] {
                // The format of an overridden value, with the position of the directive.
                for layer in try layers(.array([removal])) {
                    removals.append(
                        ValueHistory.Removal(
                            value: layer.value, position: layer.position, removed: try position(removal["removed"])))
                }
            }
            histories[member.key] = ValueHistory(
                directives: words, removals: removals, dropped: try position(member.value["dropped"]),
                overridden: try layers(member.value["beat"]))
        }
        return histories
    }

    /// The histories of a market, except those of varied values.
    static func histories(
        of market: Market, varied source: ConfigurationNode, layer: (ConfigurationNode.Layer) -> [(String, StrictJSON)],
        position: (SourcePosition) -> StrictJSON
    ) -> StrictJSON {
        .object(
            unique: market.origin.histories(of: market.source).filter { !source.isVaried(at: $0.path) }.map {
                path, history in
                var members: [(String, StrictJSON)] = []
                if history.elements.contains(where: { $0.directive != nil }) {
                    members.append(("words", .array(history.elements.map { .string($0.directive ?? "") })))
                }
                if !history.removals.isEmpty {
                    let removals = history.removals.map { removal -> StrictJSON in
                        let removed = removal.removed.map { [("removed", position($0))] } ?? []
                        return .object(
                            layer(ConfigurationNode.Layer(value: removal.value, position: removal.position)) + removed)
                    }
                    members.append(("without", .array(removals)))
                }
                if let dropped = history.dropped {
                    members.append(("dropped", position(dropped)))
                    members.append(("beat", .array(history.overridden.map { .object(layer($0)) })))
                }
                return (path, .object(members))
            })
    }
}

extension MarketOrigin {
    /// The histories of the values for which the files used directives.
    func histories(of source: ConfigurationNode) -> [(path: String, history: ValueHistory)] {
        var paths: Set<ConfigurationPath> = []
        for layer in layers {
            layer.visit([], inOrder: false) { visited in
                if visited.node.value.isDirective { paths.insert(visited.path) }
                return true
            }
        }
        var found: [(path: String, history: ValueHistory)] = known.map { ($0.key, $0.value) }
        for path in paths {
            // A budget without limits never runs out.
            if let history = try? ValueHistory(of: path, in: layers, budget: .unlimited) {  // as above
                found.append((path.description, history))
            }
        }
        return found
    }
}

extension ConfigurationNode {
    /// Whether the value at a path depends on the situation, as far as keys lead to it.
    fileprivate func isVaried(at path: String) -> Bool {
        var node = self
        for element in ConfigurationPath(parsing: path)?.elements ?? [] {
            guard case .map(let entries) = node.value, case .key(let key) = element, let next = entries[key] else {
                break
            }
            node = next
        }
        return node.value.isVaried
    }
}
