import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The markets that a command can name: those of the folder, as Lua files or compiled, and individual compiled files.
struct SessionMarkets: MarketCatalog {
    /// The folder's path.
    let path: String
    private let lua: MarketLoader
    /// The folder's markets, if it contains compiled markets.
    private let compiled: CompiledMarkets?
    /// Loads compiled files from anywhere.
    private let files: CompiledMarkets

    /// The situation in which the markets are read.
    private let context: RequestedContext?
    /// Whether the command is about one market, which must have every attribute of the situation.
    private let isForOneMarket: Bool
    /// Whether the situation lacks what belongs to a person.
    private var hidesPersonalValues = false
    /// The attributes of the situation that some market of the folder accepts.
    private let accepted = AcceptedAttributes()

    /// Remembers what other markets accept.
    private final class AcceptedAttributes: Sendable {
        let names = Lock<Set<String>>([])
    }

    /// Creates the markets of a folder.
    init(_ loader: MarketLoader, in context: RequestedContext? = nil, isForOneMarket: Bool = false) {
        self.context = context
        self.isForOneMarket = isForOneMarket
        lua = loader
        path = loader.folder.path
        files = CompiledMarkets(
            loader.module, files: CompiledMarketFiles(path: path), secrets: CommandContext.current.secret)
        // If a folder has both, use the Lua files, because those are the ones that people edit.
        let ids = try? loader.folder.fileIDs()  // errors are reported when the folder is read
        let hasNoLua = ids?.isEmpty == true && loader.folder.isOnDisk
        compiled = hasNoLua && files.files?.hasMarkets == true ? files : nil
    }

    private var folder: any MarketCatalog { compiled ?? lua }

    /// The markets in the situation without what belongs to a person, for results that others read.
    var withoutPersonalValues: SessionMarkets {
        var markets = self
        markets.hidesPersonalValues = true
        return markets
    }

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
        let bases = (try? baseIDs()) ?? []  // the folder was just read
        guard bases.isEmpty else {
            return CommandFailure(
                status: .impossible,
                "there is no market in \(path), only \(bases.count == 1 ? "the abstract base" : "the abstract bases") "
                    + "\(bases.listed); add a market that extends one")
        }
        return CommandFailure(
            status: .impossible, "there is no market in \(path); name another folder with --markets DIR")
    }

    func marketIDs() throws -> [String] { try folder.marketIDs() }

    /// The ids of the folder's abstract bases, which compiled markets do not have.
    func baseIDs() throws -> [String] { compiled == nil ? try lua.folder.baseIDs() : [] }

    /// Checks an abstract base.
    func checkBase(_ id: String) throws -> MarketCheck { try lua.checkingAbstractBases.check(id) }

    func check(_ id: String) throws -> MarketCheck {
        try inContext(Self.isFile(id) ? files.check(try CompiledMarket(file: id)) : try folder.check(id))
    }

    func check(_ id: String, budget: WorkBudget) throws -> MarketCheck {
        try inContext(
            Self.isFile(id)
                ? files.check(try CompiledMarket(file: id), budget: budget)
                : try folder.check(id, budget: budget))
    }

    func check(_ id: String, within time: Duration?) throws -> MarketCheck {
        guard Self.isFile(id) else { return try inContext(folder.check(id, within: time)) }
        return try check(id, budget: time.map { WorkBudget(cpuTime: $0) } ?? WorkBudget())
    }

    // MARK: The situation

    /// The market in the situation of the command. Its findings remain those of all situations.
    private func inContext(_ check: MarketCheck) throws -> MarketCheck {
        guard let context, !context.isEmpty, let market = check.market else { return check }
        let values = context.values(for: market.attributes)
        for rejection in values.rejected where !isAccepted(rejection.name, in: context, by: check.id) {
            throw rejection.failure(in: check.id)
        }
        do {
            return try check.replacingMarket(by: market.with(shown(values.context, to: market)))
        } catch let error as MarketError {
            return check.rejecting(error.findings)
        }
    }

    /// The values of the command's situation that a market is read with.
    func requested(for market: Market) -> MarketContext {
        context.map { shown($0.values(for: market.attributes).context, to: market) } ?? MarketContext()
    }

    private func shown(_ context: MarketContext, to market: Market) -> MarketContext {
        hidesPersonalValues ? context.withoutPersonalValues(of: market.attributes) : context
    }

    /// Whether another market of the folder accepts an attribute. Then it is left out where it means nothing: a command
    /// about several markets can be given a locale that only one of them offers.
    private func isAccepted(_ name: String, in context: RequestedContext, by id: String) -> Bool {
        guard !isForOneMarket else { return false }
        if accepted.names.withLock({ $0.contains(name) }) { return true }
        let ids = (try? folder.marketIDs()) ?? []  // without other markets, none accepts it
        let budget = WorkBudget(steps: ids.count * WorkBudget.stepsOfAMarket)
        for other in ids where other != id && !budget.isSpent {
            guard let check = try? folder.check(other) else { continue }  // as above
            budget.charge(check.cost.steps)
            guard let market = check.market else { continue }
            let isRejected = context.values(for: market.attributes).rejected.contains { $0.name == name }
            if !isRejected {
                accepted.names.withLock { _ = $0.insert(name) }
                return true
            }
        }
        return false
    }
}

extension MarketContext {
    /// The values that belong to no person and to no installation.
    func withoutPersonalValues(of attributes: [ContextAttribute]) -> MarketContext {
        let personal = Set(attributes.filter(\.isPrivate).map(\.name))
        return MarketContext(values.filter { !personal.contains($0.key) })
    }
}
