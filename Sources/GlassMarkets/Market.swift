import GlassBase
public import GlassContainer
public import GlassDeepLinking
public import GlassSchema

/// A market that is ready to use: its configuration, its services and its links.
///
/// Its services are disposed of, one by one, once the last reference to the container is gone: from the market, a
/// store, a bound task, a child container, or your code.
public final class Market: Sendable {
    /// The market's id: the name of its file.
    public let id: String
    /// The part that every market has: its identity, its links and its routables.
    public let definition: MarketDefinition
    /// The values as written, as a tree with positions and with the values that each one overrides.
    package let source: ConfigurationNode
    /// The services of the market.
    public let container: Container
    /// Opens the market's links: the deep linker of the container.
    public let deepLinker: any DeepLinker
    /// The preconditions that links wait for.
    public let preconditions: MarketPreconditions
    /// The flags in the situation of the app.
    package let flags: MarketFlags
    /// Findings that do not prevent the market from being used, such as a secret that is not set.
    public let warnings: [Finding]
    /// The keys that its file can set.
    package let schema: MarketSchema
    private let sections: [String: any MarketSection]
    /// The files and layers from which the market was built.
    package let origin: MarketOrigin
    /// The approximate size of its values and its files, in bytes.
    private let bytes: Int
    private let lifetime = MarketLifetime()
    /// The situation that was asked for, without the defaults of the market.
    package let given: MarketSituation
    /// The situation that the market was read in.
    package let situation: MarketSituation
    /// Whether each of the conditions that decide about values holds in the situation.
    let decided: [Bool]
    /// Builds the same market in another situation.
    let reread: @Sendable (Market, MarketSituation, SituationRules?) throws(MarketError) -> Market

    init(
        definition: MarketDefinition, sections: [String: any MarketSection], source: ConfigurationNode,
        schema: MarketSchema, container: Container, deepLinker: any DeepLinker, warnings: [Finding],
        origin: MarketOrigin, flags: MarketFlags, given: MarketSituation, situation: MarketSituation, bytes: Int,
        reread: @escaping @Sendable (Market, MarketSituation, SituationRules?) throws(MarketError) -> Market
    ) {
        id = definition.id
        self.definition = definition
        self.sections = sections
        self.source = source
        self.schema = schema
        self.container = container
        self.deepLinker = deepLinker
        self.warnings = warnings
        self.origin = origin
        self.flags = flags
        self.given = given
        self.situation = situation
        decided = origin.situations?.deciding.map { $0.holds(in: situation.live) } ?? []
        self.reread = reread
        self.bytes = bytes
        // Code that has the container may resolve services even after the market is released: a task that a link
        // started, or an extension of the app. So its services are disposed of when the container itself is released.
        container.disposeWhenReleased { [lifetime] in lifetime.end() }
        preconditions = MarketPreconditions(
            deepLinker: deepLinker, of: schema.module.preconditions, own: Array(definition.preconditions.keys))
    }

    /// The module that the market belongs to.
    public var module: MarketModule { schema.module }

    /// A section of the market.
    ///
    /// The market's container provides the same section as a service.
    ///
    /// - Parameter type: The section. Traps if the market's module does not have it.
    /// - Returns: The market's values, with the default of each key that the market does not set.
    public subscript<S: MarketSection>(type: S.Type) -> S {
        guard let section = sections[S.key] as? S else {
            let known = "the module \(module.name) has no section \(type)"
            fatalError("Market: \(known); add it to the module's sections")  // a programming error
        }
        return section
    }

    /// The sections of the market.
    package var sectionValues: [any MarketSection] { Array(sections.values) }

    /// The digest of a compiled market; nil for one of Lua files.
    package var compiledDigest: String? { origin.compiledDigest }

    /// The approximate size of the market now, in bytes: its Lua state, its values and its files.
    package var footprint: Int { bytes + meter.memory }

    /// Measures what its functions use.
    package var meter: MarketMeter { origin.meter }

    /// The effective configuration: the values of the files and every default, without positions.
    package var effective: ConfigurationNode {
        guard case .map(var entries) = definition.configurationValue else { return source }
        for section in sections.values {
            entries[type(of: section).key] = ConfigurationNode(section.configurationValue)
        }
        if case .map(let routables)? = entries["routables"]?.value {
            entries["routables"] = ConfigurationNode(.map(effective(routables)))
        }
        return ConfigurationNode(.map(entries))
    }

    /// The routables with their own keys in addition to the common ones.
    private func effective(_ routables: [String: ConfigurationNode]) -> [String: ConfigurationNode] {
        var routables = routables
        for (id, node) in routables {
            guard case .map(let common) = node.value, let entry = schema.routables[id], entry.section != nil else {
                continue
            }
            let written = source.node(at: ConfigurationPath([.key("routables"), .key(id)]))?.value ?? .emptyTable
            routables[id] = ConfigurationNode(.map(common.merging(entry.effective(written)) { $1 }))
        }
        return routables
    }

    /// Identifies the content of the files from which the market was built.
    public var revision: MarketRevision { origin.revision }

    /// Counts the market as retired until its container is disposed of.
    func retire(_ retirement: MarketRetirement) { lifetime.retire(retirement) }

    /// Runs a closure with this market's container as `Container.shared`.
    ///
    /// - Parameter body: The closure. Tasks that it starts see the same container, and keep it alive while they run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withShared<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Container.$shared.withValue(container, operation: body)
    }

    /// Opens a link with this market's container as `Container.shared`.
    ///
    /// - Parameter link: The link's text.
    /// - Returns: The outcome.
    @discardableResult
    public func open(_ link: String) -> DispatchResult {
        withShared { deepLinker.open(link) }
    }
}
