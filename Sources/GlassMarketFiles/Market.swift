import GlassBase
public import GlassContainer
public import GlassDeepLinking
public import GlassPlatform
public import GlassSchema

/// A market that is ready to use: its configuration, its services and its links.
public final class Market: Sendable {
    /// The market's id: the name of its file.
    public let id: String
    /// Everything that the market's file and those it extends say.
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
    /// The files and layers that the market was made from.
    let origin: MarketOrigin
    /// About how many bytes it takes: its Lua state, its values and its files, as they were when it was loaded.
    let footprint: Int
    /// Set by a store: shuts the container down when nobody holds the market any more.
    private let lease = Lock<MarketLease?>(nil)

    init(
        definition: MarketDefinition, source: ConfigurationNode, container: Container, deepLinker: any DeepLinker,
        warnings: [Finding], origin: MarketOrigin, footprint: Int
    ) {
        id = definition.id
        self.definition = definition
        self.source = source
        self.container = container
        self.deepLinker = deepLinker
        self.warnings = warnings
        self.origin = origin
        self.footprint = footprint
        preconditions = MarketPreconditions(deepLinker: deepLinker, definition: definition)
    }

    /// The effective configuration: what the files say and every default, without positions.
    public var effective: ConfigurationNode { ConfigurationNode(definition.configurationValue) }

    /// The platform's part of the definition.
    public var config: PlatformConfig { definition.platform }

    /// The content of the files that the market was made from.
    public var revision: MarketRevision { MarketRevision(origin.sources, folder: origin.folder) }

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
