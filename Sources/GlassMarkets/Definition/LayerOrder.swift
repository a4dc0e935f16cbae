import GlassSchema

/// The order of the files in an `extends` chain. Of two conflicting positions, the one in the later layer is the
/// change. A reference, so that all parts of a check share what one of them has computed.
final class LayerOrder {
    private let layers: [ConfigurationNode]
    /// The number of the last layer with a value from a file. Computed only when needed, because few markets have a
    /// conflict.
    private lazy var ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        for (rank, layer) in layers.enumerated() { Self.visit(layer) { ranks[$0] = rank } }
        return ranks
    }()

    /// Orders the layers of a market, beginning with the root of the chain.
    init(_ layers: [ConfigurationNode]) {
        self.layers = layers
    }

    /// Whether a position is in a later layer than another one.
    func isLater(_ place: SourcePosition?, than other: SourcePosition?) -> Bool {
        guard let place, let other, place.file != other.file else { return false }
        return ranks[place.file, default: -1] > ranks[other.file, default: -1]
    }

    /// The finding at the position of the change, with the other positions as related ones.
    func atChange(_ finding: Finding) -> Finding {
        guard let position = finding.position else { return finding }
        var latest = position
        for other in finding.related where isLater(other.position, than: latest) { latest = other.position }
        guard latest != position else { return finding.withPlaceInOtherFile }
        var moved = finding
        moved.position = latest
        // The correction is for the previous position.
        moved.correction = nil
        moved.related =
            [Finding.RelatedPosition(position, ofClashWith: "\(finding.path)")]
            + finding.related.filter { $0.position != latest }
        return moved
    }

    /// The finding about a missing key, at the `unset` that removed the key if there is one.
    func atRemoval(_ finding: Finding) -> Finding {
        guard let removal = removal(of: finding.path) else { return finding }
        var moved = finding
        moved.position = removal
        // The correction is for the previous position.
        moved.correction = nil
        return moved
    }

    /// The position at which a layer removes a key, or what contains it; nil if a later layer sets that again.
    func removal(of path: ConfigurationPath) -> SourcePosition? {
        for (rank, layer) in layers.enumerated().reversed() {
            guard let removal = ValueHistory.removal(of: path, in: layer) else { continue }
            let isThere = layers[(rank + 1)...].contains { $0.node(at: removal.path) != nil }
            return isThere ? nil : removal.position
        }
        return nil
    }

    private static func visit(_ node: ConfigurationNode, _ body: (String) -> Void) {
        node.visit([.lists, .directives], inOrder: false) { visited in
            if let file = visited.node.position?.file { body(file) }
            return true
        }
    }
}

extension Finding {
    /// The finding with the place of the one other value that its message names, if nothing in this file shows it.
    fileprivate var withPlaceInOtherFile: Finding {
        guard let other = related.first, related.count == 1, other.position.file != position?.file,
            let name = other.message.split(separator: " ").first?.split(separator: ".").last, message.contains(name)
        else { return self }
        var finding = self
        finding.message += " (\(other.position))"
        return finding
    }
}
