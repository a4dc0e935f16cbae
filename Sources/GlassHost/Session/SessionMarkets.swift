import GlassBase
import GlassMarketFiles
import GlassMarkets

/// The markets that a command can name: those of the folder, as Lua files or compiled, and individual compiled files.
struct SessionMarkets: MarketCatalog {
    /// The folder's path.
    let path: String
    private let lua: MarketLoader
    /// The folder's markets, if it contains compiled markets.
    private let compiled: CompiledMarkets?
    /// Loads compiled files from anywhere.
    private let files: CompiledMarkets

    /// Creates the markets of a folder.
    init(_ loader: MarketLoader) {
        lua = loader
        path = loader.folder.path
        files = CompiledMarkets(
            loader.module, files: CompiledMarketFiles(path: path), secrets: CommandContext.current.secret)
        // If a folder has both, use the Lua files, because those are the ones that people edit.
        let ids = try? loader.folder.marketIDs()  // errors are reported when the folder is read
        let hasNoLua = ids?.isEmpty == true && loader.folder.isOnDisk
        compiled = hasNoLua && files.files?.hasMarkets == true ? files : nil
    }

    private var folder: any MarketCatalog { compiled ?? lua }

    /// Whether a name on the command line is a compiled file rather than a market's id, which has neither dots nor
    /// slashes.
    static func isFile(_ name: String) -> Bool { name.hasSuffix(".json") || name.contains("/") }

    /// The file of a market, as findings name it.
    func file(of id: String) -> String {
        if Self.isFile(id) { return id }
        guard let files = compiled?.files else { return lua.folder.file(of: id) }
        return (try? files.file(of: id)) ?? "\(path)/\(CompiledMarketFiles.name(of: id))"  // used only as a name
    }

    /// The failure of a command that needs a market, for a folder without markets.
    var isEmptyFailure: CommandFailure {
        CommandFailure(
            status: .impossible, "there is no market in \(path); name another folder with --markets DIR")
    }

    func marketIDs() throws -> [String] { try folder.marketIDs() }

    func check(_ id: String) throws -> MarketCheck {
        Self.isFile(id) ? files.check(try CompiledMarket(file: id)) : try folder.check(id)
    }

    func check(_ id: String, budget: WorkBudget) throws -> MarketCheck {
        Self.isFile(id)
            ? files.check(try CompiledMarket(file: id), budget: budget)
            : try folder.check(id, budget: budget)
    }

    func check(_ id: String, within time: Duration?) throws -> MarketCheck {
        guard Self.isFile(id) else { return try folder.check(id, within: time) }
        return try check(id, budget: time.map { WorkBudget(cpuTime: $0) } ?? WorkBudget())
    }
}
