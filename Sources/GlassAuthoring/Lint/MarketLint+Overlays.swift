import GlassBase
import GlassMarkets
import GlassSchema

extension MarketLint {
    /// The overlays of the market's own file that change nothing in any situation.
    var idleOverlays: [Finding] {
        guard let situations = market.origin.situations else { return [] }
        let names = situations.fragments.filter { $0.file != situations.ownFile }.compactMap(\.overlay?.name)
        return situations.fragments.compactMap { fragment in
            guard fragment.file == situations.ownFile, let overlay = fragment.overlay, fragment.condition != .never,
                // An overlay of a base market gets another condition.
                overlay.conditionPosition == nil || !names.contains(overlay.name),
                market.isValid(ConfigurationPath([.key("overlays")]))
            else { return nil }
            var count = 0
            var isIdle = true
            fragment.node.visit([]) { visited in
                if case .map(let entries) = visited.node.value, !entries.isEmpty { return isIdle }
                guard !visited.path.elements.isEmpty else { return false }
                count += 1
                if isIdle { isIdle = changesNothing(visited.node, at: visited.path, besides: fragment, in: situations) }
                return false
            }
            guard isIdle else { return nil }
            return warning(
                .noEffect, at: overlay.position, path: ConfigurationPath([.key("overlays"), .key(overlay.name)]),
                subject: overlay.name,
                count == 0
                    ? "the overlay \(overlay.name) sets nothing"
                    : "the overlay \(overlay.name) changes nothing: "
                        + (count == 1 ? "its value is the one that applies" : "its values are those that apply")
                        + " without it",
                hint: count == 0
                    ? "set what should change while it holds, or remove it" : "set another value, or remove it")
        }
    }

    /// Whether a value of an overlay is the one that applies without the overlay, whatever else holds.
    private func changesNothing(
        _ node: ConfigurationNode, at path: ConfigurationPath, besides own: SituationRules.Fragment,
        in situations: SituationRules
    ) -> Bool {
        guard !node.value.isDirective, !node.value.isVaried else { return false }
        // What is stronger wins in any case, and what is weaker than a file is never the value.
        let weaker = situations.fragments.reversed().drop {
            $0.file != own.file || $0.overlay?.position != own.overlay?.position
        }.dropFirst()
        var isMentioned = false
        for fragment in weaker {
            switch fragment.node.says(path.elements[...]) {
            case .nothing: continue
            case .value(let other):
                isMentioned = true
                guard other.value == node.value || node.value == .emptyTable && other.value.isMap else { return false }
                if fragment.overlay == nil { return true }
            case .anything: return false
            }
        }
        // The default of a key, in a table that is there without the overlay.
        let outer = ConfigurationPath(Array(path.elements.dropLast()))
        guard !isMentioned, schema.key(at: path)?.defaultValue == node.value else { return false }
        return situations.fragments.contains { $0.overlay == nil && $0.node.node(at: outer)?.value.isMap == true }
    }
}

/// What a file says about a key.
private enum Statement {
    case nothing
    case value(ConfigurationNode)
    /// A directive or alternatives, at the key or around it.
    case anything
}

extension ConfigurationNode {
    fileprivate func says(_ path: ArraySlice<ConfigurationPath.Element>) -> Statement {
        if value.isDirective || value.isVaried { return .anything }
        guard let first = path.first else {
            return isVaried || contains([.lists], where: \.value.isDirective) ? .anything : .value(self)
        }
        guard case .map(let entries) = value else { return value == .emptyTable ? .nothing : .anything }
        guard case .key(let key) = first, let entry = entries[key] else { return .nothing }
        return entry.says(path.dropFirst())
    }
}

extension ConfigurationValue {
    fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}
