import GlassBase
public import GlassContainer
public import GlassDeepLinking
public import GlassSchema

/// A market that is ready to use: its configuration, its services and its links.
public final class Market: Sendable {
    /// The market's id: the name of its file.
    public let id: String
    /// What every market says: who it is, its links and its routables.
    public let definition: MarketDefinition
    /// The same as a tree with positions and with what each value replaced.
    public let source: ConfigurationNode
    /// The services of the market.
    public let container: Container
    /// Opens the market's links: the deep linker of the container.
    public let deepLinker: any DeepLinker
    /// The preconditions that links wait for.
    public let preconditions: MarketPreconditions
    /// Findings that do not keep the market from working, such as a secret that is not set.
    public let warnings: [Finding]
    /// What its file could say.
    package let schema: MarketSchema
    private let sections: [String: any MarketSection]
    /// The files and layers that the market was made from.
    package let origin: MarketOrigin
    /// About how many bytes it takes: its Lua state, its values and its files, as they were when it was loaded.
    package let footprint: Int
    /// Set by a store: shuts the container down when nobody holds the market any more.
    private let lease = Lock<MarketLease?>(nil)

    init(
        definition: MarketDefinition, sections: [String: any MarketSection], source: ConfigurationNode,
        schema: MarketSchema, container: Container, deepLinker: any DeepLinker, warnings: [Finding],
        origin: MarketOrigin, footprint: Int
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
        self.footprint = footprint
        preconditions = MarketPreconditions(deepLinker: deepLinker, names: schema.module.preconditions.map(\.name))
    }

    /// The module that the market belongs to.
    public var module: MarketModule { schema.module }

    /// A section of the market.
    ///
    /// The container of the market has the same as a service.
    ///
    /// - Parameter type: The section. One that the market's module does not have stops the program.
    /// - Returns: What the market says, and the default of what it does not say.
    public subscript<S: MarketSection>(type: S.Type) -> S {
        guard let section = sections[S.key] as? S else {
            fatalError("Market: the module \(module.name) has no section \(type); add it to the module's sections")
        }
        return section
    }

    /// The effective configuration: what the files say and every default, without positions.
    public var effective: ConfigurationNode {
        guard case .map(var entries) = definition.configurationValue else { return source }
        for section in sections.values {
            entries[type(of: section).key] = ConfigurationNode(section.configurationValue)
        }
        if case .map(let routables)? = entries["routables"]?.value {
            entries["routables"] = ConfigurationNode(.map(effective(routables)))
        }
        return ConfigurationNode(.map(entries))
    }

    /// The routables with their own keys beside the common ones.
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

    /// The content of the files that the market was made from.
    public var revision: MarketRevision { origin.revision }

    /// Lets the market go the way of a store's markets.
    ///
    /// - Parameter lease: What to let go of together with the market.
    func take(_ lease: MarketLease) {
        self.lease.withLock { $0 = lease }
    }

    /// Counts the market as retired, if it is a store's.
    func retire() {
        lease.withLock { $0 }?.retire()
    }

    /// The market that the current task works with, so that what a link started keeps its market.
    @TaskLocal private static var inUse: Market?

    /// Runs something with this market's container as `Container.shared`.
    ///
    /// - Parameter body: What to run; tasks that it starts see the same container, and keep the market for as long as
    ///   they run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withShared<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$inUse.withValue(self) { try Container.$shared.withValue(container, operation: body) }
    }

    /// Opens a link with this market's container as `Container.shared`.
    ///
    /// - Parameter link: The link's text.
    /// - Returns: What became of it.
    @discardableResult
    public func open(_ link: String) -> DispatchResult {
        withShared { deepLinker.open(link) }
    }
}
