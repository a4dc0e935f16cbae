import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What was found out about a market, without the market: its services and its Lua state are let go of.
struct MarketSnapshot: Sendable {
    let id: String
    /// What is wrong with it, in any of its files.
    let findings: [Finding]
    /// The files that were read, by their names in diagnostics.
    private(set) var files: [String: [UInt8]]
    /// What its values are and where they come from; nil when it has errors.
    private(set) var provenance: MarketProvenanceTree?
    /// What of it only one market of the folder can have; nil when it has errors.
    var identity: MarketIdentity?

    /// Takes the texts that a folder has already in the place of its own: each market reads the one that all extend.
    mutating func shareFiles(with folder: MarketWorkspace) {
        for (file, bytes) in files {
            guard let known = folder.text(of: file), known == bytes else { continue }
            files[file] = known
            if provenance?.files[file] == known { provenance?.files[file] = known }
        }
    }
}

/// The values of a market and where each comes from.
struct MarketProvenanceTree: Sendable {
    /// The values as written, with those that each one replaced.
    let source: ConfigurationNode
    /// The same with every default.
    let effective: ConfigurationNode
    /// What each file of the chain says, the most basic one first.
    let layers: [ConfigurationNode]
    /// The routes, by routable.
    let routes: [MarketRoute]
    /// The markets that it extends, the nearest first.
    let bases: [String]
    /// The files that it was made from, by their names in diagnostics.
    fileprivate(set) var files: [String: [UInt8]]

    /// What is kept of a market.
    init(_ market: Market) {
        source = market.source.withoutPayloads
        effective = market.effective.withoutPayloads
        layers = market.origin.layers.map(\.withoutPayloads)
        routes = market.routes
        files = Dictionary(market.origin.files.map { ($0.file, $0.bytes) }) { first, _ in first }
        bases = market.origin.layers.dropLast().reversed().compactMap {
            if case .string(let id)? = $0.node(at: "id")?.value { id } else { nil }
        }
    }

    /// Where the nearest file below one sets a key.
    func definition(of path: ConfigurationPath, below file: String) -> SourcePosition? {
        for layer in layers.reversed() {
            guard let node = layer.node(at: path), let position = node.keyPosition ?? node.position,
                position.file != file
            else { continue }
            return position
        }
        return nil
    }
}

/// Stands for what only Lua understands: a function would keep the state of its market.
private final class NoPayload: Sendable {
    static let shared = NoPayload()
}

extension ConfigurationNode {
    /// The value with nothing in the place of functions and words.
    fileprivate var withoutPayloads: ConfigurationNode {
        ConfigurationNode(
            value.withoutPayloads, position: position, keyPosition: keyPosition,
            overridden: overridden.map { Layer(value: $0.value.withoutPayloads, position: $0.position) })
    }
}

extension ConfigurationValue {
    fileprivate var withoutPayloads: ConfigurationValue {
        switch self {
        case .opaque(let value): .opaque(OpaqueValue(kind: value.kind, payload: NoPayload.shared))
        case .list(let nodes): .list(nodes.map(\.withoutPayloads))
        case .map(let entries): .map(entries.mapValues(\.withoutPayloads))
        default: self
        }
    }
}
