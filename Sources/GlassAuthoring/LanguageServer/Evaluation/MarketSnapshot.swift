import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The results of evaluating a market, without the market itself: its services and its Lua state are released.
struct MarketSnapshot: Sendable {
    let id: String
    /// The findings in any of its files.
    let findings: [Finding]
    /// The files that were read, by the path shown in diagnostics.
    private(set) var files: [String: [UInt8]]
    /// The values and their origins; nil if the market has errors.
    private(set) var provenance: MarketProvenanceTree?
    /// The identifiers that must be unique in the folder; nil if the market has errors.
    var identity: MarketIdentity?
    /// The hosts to compare with those of the folder's other markets; nil if the market has errors.
    var mentions: MarketMentions?
    /// The warnings that its files accept.
    var acceptances: [MarketAcceptance] = []

    /// Replaces file contents with equal ones that the workspace already holds, so that all markets share one copy of
    /// their base.
    mutating func shareFiles(with folder: MarketWorkspace) {
        for (file, bytes) in files {
            guard let known = folder.text(of: file), known == bytes else { continue }
            files[file] = known
            if provenance?.files[file] == known { provenance?.files[file] = known }
        }
    }
}

/// The values of a market and the origin of each.
struct MarketProvenanceTree: Sendable {
    /// The values as written, each with the values that it overrides.
    let source: ConfigurationNode
    /// The effective values, including defaults.
    let effective: ConfigurationNode
    /// The values in each file of the inheritance chain, the root first.
    let layers: [ConfigurationNode]
    /// The values of the base markets, the root first.
    let baseLayers: ArraySlice<ConfigurationNode>
    /// The routes, by routable.
    let routes: [MarketRoute]
    /// The base markets, the nearest first.
    let bases: [String]
    /// The attributes that conditions can test.
    let attributes: [ContextAttribute]
    /// The conditions by name.
    let conditions: [String: Condition]
    /// The conditions of the overlays, by name.
    let overlays: [String: Condition]
    /// The flags.
    let flags: FlagSet
    /// The values in all situations; nil if none depends on the situation.
    let varied: VariedMarket?
    /// The source files, by the path shown in diagnostics.
    fileprivate(set) var files: [String: [UInt8]]

    /// Extracts the values and routes of a market.
    init(_ market: Market) {
        source = market.source.withoutPayloads
        effective = market.effective.withoutPayloads
        layers = market.origin.layers.map(\.withoutPayloads)
        baseLayers = layers.prefix(market.origin.baseLayers.count)
        attributes = market.attributes
        let situations = market.origin.situations
        conditions = situations?.conditions ?? [:]
        overlays = (situations?.fragments ?? []).reduce(into: [:]) { overlays, fragment in
            if let overlay = fragment.overlay { overlays[overlay.name] = fragment.condition }
        }
        flags = market.flags.set
        varied = situations.flatMap(Self.varied)
        routes = market.routes
        files = Dictionary(market.origin.files.map { ($0.file, $0.bytes) }) { first, _ in first }
        bases = market.origin.bases
    }

    /// The values in all situations; nil if there are too many to merge.
    private static func varied(_ situations: SituationRules) -> VariedMarket? {
        guard !situations.deciding.isEmpty else { return nil }
        do throws(WorkBudget.Exceeded) {
            return try VariedMarket(situations, budget: WorkBudget())?.mapping(\.withoutPayloads)
        } catch {
            return nil  // a check reports it
        }
    }

    /// The position at which the nearest file other than `file` sets a key.
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

/// A placeholder for Lua values: a function would keep the Lua state of its market alive.
private final class NoPayload: Sendable {
    static let shared = NoPayload()
}

extension ConfigurationNode {
    /// The value without the payloads of functions and directives.
    fileprivate var withoutPayloads: ConfigurationNode {
        ConfigurationNode(
            value.withoutPayloads, position: position, keyPosition: keyPosition,
            overridden: overridden.map { Layer(value: $0.value.withoutPayloads, position: $0.position) })
    }
}

extension ConfigurationValue {
    fileprivate var withoutPayloads: ConfigurationValue {
        switch self {
        case .varied(let varied): .varied(varied.mapping(\.withoutPayloads))
        case .directive(let directive): .directive(directive.mapping(\.withoutPayloads))
        case .opaque(let value): .opaque(OpaqueValue(kind: value.kind, payload: NoPayload.shared))
        case .list(let nodes): .list(nodes.map(\.withoutPayloads))
        case .map(let entries): .map(entries.mapValues(\.withoutPayloads))
        default: self
        }
    }
}
