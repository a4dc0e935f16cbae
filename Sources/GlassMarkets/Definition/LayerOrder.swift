import GlassSchema

/// Which files of an `extends` chain lie over which: of two places that clash, the one in the later layer changed something.
struct LayerOrder {
    private let layers: [ConfigurationNode]
    /// The number of the last layer that has a value of a file; made when it is asked for, since few markets have a clash.
    private lazy var ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        for (rank, layer) in layers.enumerated() { Self.visit(layer) { ranks[$0] = rank } }
        return ranks
    }()

    /// Orders the layers of a market, the most basic one first.
    init(_ layers: [ConfigurationNode]) {
        self.layers = layers
    }

    /// Whether a place is in a later layer than another one.
    mutating func isLater(_ place: SourcePosition?, than other: SourcePosition?) -> Bool {
        guard let place, let other, place.file != other.file else { return false }
        return ranks[place.file, default: -1] > ranks[other.file, default: -1]
    }

    /// The finding at the place that changed something, with the others beside it.
    mutating func atChange(_ finding: Finding) -> Finding {
        guard let position = finding.position else { return finding }
        var latest = position
        for other in finding.related where isLater(other.position, than: latest) { latest = other.position }
        guard latest != position else { return finding }
        var moved = finding
        moved.position = latest
        // What it corrects stands at the place that it had.
        moved.correction = nil
        moved.related =
            [Finding.RelatedPosition(position, ofClashWith: "\(finding.path)")]
            + finding.related.filter { $0.position != latest }
        return moved
    }

    /// The finding about a key that is missing at the `unset` that dropped the key, where there is one.
    func atRemoval(_ finding: Finding) -> Finding {
        guard let removal = removal(of: finding.path) else { return finding }
        var moved = finding
        moved.position = removal
        // What it corrects stands at the place that it had.
        moved.correction = nil
        return moved
    }

    /// Where a layer drops a key, or what holds it; nil where a later layer has that again.
    func removal(of path: ConfigurationPath) -> SourcePosition? {
        for (rank, layer) in layers.enumerated().reversed() {
            guard let removal = ValueHistory.removal(of: path, in: layer) else { continue }
            let isThere = layers[(rank + 1)...].contains { $0.node(at: removal.path) != nil }
            return isThere ? nil : removal.position
        }
        return nil
    }

    private static func visit(_ node: ConfigurationNode, _ body: (String) -> Void) {
        if let file = node.position?.file { body(file) }
        switch node.value {
        case .map(let entries): for entry in entries.values { visit(entry, body) }
        case .list(let nodes): for node in nodes { visit(node, body) }
        default:
            switch node.value.word?.kind {
            case .append(let nodes), .remove(let nodes): for node in nodes { visit(node, body) }
            case .unset, nil: break
            }
        }
    }
}
