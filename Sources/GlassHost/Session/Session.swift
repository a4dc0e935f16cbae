import Foundation
package import GlassBase
package import GlassMarketFiles
package import GlassMarkets
package import GlassPlatform
import GlassSchema
import GlassAuthoring

/// The shared state of a command: its console, and the markets that the global options select.
package struct Session {
    /// The options that every command takes.
    package let options: GlobalOptions
    /// The console for results and messages.
    package private(set) var console: Console
    /// The program that the command is part of.
    package let program: HostSettings
    private let services: ServiceSet
    private let context = CommandContext.current
    private let situation = ReadContext()
    /// The markets that were loaded to choose one for a link.
    let tried = TriedMarkets()
    /// The budget of the whole command.
    var account: WorkBudget

    /// The situation, once it is read: a command may load markets several times.
    private final class ReadContext: Sendable {
        let read = Lock<RequestedContext?>(nil)
    }

    /// The command's budget for git, which reads the repository of each folder, and of some folders twice.
    let git = GitBudget()

    init(_ options: GlobalOptions, servicesByDefault: ServiceSet = .live, resultLimit: Int?) {
        self.options = options
        program = .current
        account = .ofCommand(options)
        console = Console(options, resultLimit: resultLimit)
        services =
            switch options.services {
            case .live: .live
            case .mock: .mock
            case nil: servicesByDefault
            }
    }

    /// The environment variables.
    package var environment: [String: String] { context.environment }

    /// Returns the session with a separate output limit, for one of several results.
    func forOneResult(limit: Int) -> Session {
        var session = self
        session.console = console.forOneResult(limit: limit)
        return session
    }

    /// The loader for a folder of markets; by default, the folder that the options name.
    package func loader(
        of path: String? = nil, opener: URLOpener? = nil, collector: CollectorChoice? = nil,
        services: ServiceSet? = nil
    ) throws -> MarketLoader {
        try loader(
            of: path.map { MarketFolder(path: $0) } ?? options.marketFolder, opener: opener, collector: collector,
            services: services)
    }

    /// The loader for a folder of markets, which need not be on disk.
    package func loader(
        of folder: MarketFolder, opener: URLOpener? = nil, collector: CollectorChoice? = nil,
        services chosen: ServiceSet? = nil
    ) throws -> MarketLoader {
        var host = PlatformHost()
        host.device = .unattended(
            permissions: options.permissions == .allow ? .allow : .deny,
            urlOpener: opener ?? .print { [messages = context.serviceMessages] in messages.print("would open \($0)") })
        host.telemetry.sinks = collector?.url.map { [.http($0)] } ?? []
        // A tool sends no analytics unless the user asks for it.
        host.telemetry.usesMarketSinks = collector == .market
        host.storage.onIssue = { [messages = context.serviceMessages] in messages.print("\($0)") }
        let state = try stateFolder()
        let module = (chosen ?? services).module(of: program) { [host] definition in
            var own = host
            // Markets must not read each other's values.
            own.stateFolder = state.appending(path: definition.id)
            return own
        }
        // Markets of one base share its files.
        return MarketLoader(module, folder: folder, secrets: context.secret).warning(at: clock).writingFixes
            .remembering(SourceAnalysisCache())
    }

    /// The time for conditions on the date.
    var clock: @Sendable () -> ContextDate {
        let fixed = options.clock
        return { fixed ?? ContextDate(Date()) }
    }

    /// The situation that the options and the environment describe.
    func requestedContext() throws(CommandFailure) -> RequestedContext {
        if let read = situation.read.withLock({ $0 }) { return read }
        let requested = try RequestedContext(options, environment)
        situation.read.withLock { $0 = requested }
        return requested
    }

    /// The situation for a store of a folder's markets. Each attribute must be one of a market.
    func storeContext(of loader: MarketLoader) throws -> MarketContext {
        let requested = try requestedContext()
        guard !requested.isEmpty else { return MarketContext() }
        var context = MarketContext()
        var rejected: [String: CommandFailure] = [:]
        let ids = try reporting { try loader.marketIDs() }
        // A market that does not load has no attributes here; the store reports its findings.
        var declared: [(String, [ContextAttribute])] = []
        let unread = try forEach(ids, of: SessionMarkets(loader), "loading") { id, check in
            if let market = (try? check())?.market { declared.append((id, market.attributes)) }
        }
        if let unread = UnreadMarkets(unread, account) { throw unread.failure }
        for (id, attributes) in declared.isEmpty ? [("", loader.module.contextAttributes)] : declared {
            let values = requested.values(for: attributes)
            context.values.merge(values.context.values) { first, _ in first }
            for rejection in values.rejected where rejected[rejection.name] == nil {
                rejected[rejection.name] = rejection.failure(in: id)
            }
        }
        let missing = rejected.filter { context[$0.key] == nil }.min { $0.key < $1.key }
        if let missing { throw missing.value }
        return context
    }

    /// The markets that a command can name, Lua files or compiled.
    func markets(
        of path: String? = nil, opener: URLOpener? = nil, collector: CollectorChoice? = nil,
        services: ServiceSet? = nil
    ) throws -> SessionMarkets {
        SessionMarkets(
            try loader(of: path, opener: opener, collector: collector, services: services), in: try requestedContext())
    }

    /// Keeps a market until the command ends.
    func keep(_ market: Market) { context.keep(market) }

    /// Loads a market or, without an id, the one that the command uses, and keeps it until the command ends.
    package func market(
        _ id: String? = nil, opener: URLOpener? = nil, services: ServiceSet? = nil
    ) throws -> Market {
        let markets = SessionMarkets(
            try loader(opener: opener, services: services), in: try requestedContext(), isForOneMarket: true)
        let id = try id ?? marketID()
        let market = try reporting { try markets.load(id) }
        context.keep(market)
        return market
    }

    /// Runs a closure that loads markets, and turns its errors into failures of the command.
    package func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch MarketError.invalid(let id, let findings) {
            let errors = findings.filter { $0.severity == .error }
            var failure = CommandFailure(
                status: .no,
                (["market \"\(id)\" cannot be loaded:" as DisplayText] + errors.map(console.text)).joined(
                    separator: "\n"))
            failure.findings = errors
            throw failure
        } catch let error as MarketFolderError {
            throw CommandFailure(error)
        } catch let error as CompiledMarketError {
            throw CommandFailure(status: .impossible, .unreadable, "\(error)")
        }
    }

    /// The budget for a command's work on loaded markets, as a part of the command's. If it runs out, the command exits
    /// with 2. The clock only catches what the counts miss.
    package func budget() -> WorkBudget {
        WorkBudget(cpuTime: .seconds(10), work: WorkBudget.unlimitedPhases, steps: .max, partOf: account)
    }

    /// Prints which attributes without a value could change the answer, for people.
    func noteUnset(in market: Market, below path: ConfigurationPath, _ budget: WorkBudget) throws {
        guard !console.isQuiet, !console.isJSON else { return }
        let unset = try market.unsetAttributes(below: path, budget: budget)
        if let line = ValueAlternatives.line(of: unset) {
            console.error("\("note", .dim): this \(line); set it with --context")
        }
    }

    /// Charges a market's memory until the command ends or releases the market.
    package func held(_ market: Market) throws(WorkBudget.Exceeded) -> Market {
        try account.hold(bytes: market.footprint, for: .loading)
        return market
    }

    /// Releases the memory that was charged for a market.
    package func release(_ market: Market) {
        account.release(bytes: market.footprint)
    }

    /// The file in which a market's services store remote configuration; nil without a state folder, because then no
    /// earlier run has stored any.
    func remoteConfigurationFile(of id: String) -> RemoteConfigurationFile? {
        options.state.map { path in
            RemoteConfigurationFile(
                folder: URL(fileURLWithPath: path).appending(path: id), timeout: StorageHost().busyTimeout)
        }
    }

    /// A symbolic link in place of a state folder of a market or of Foundation. It may come from someone other than the
    /// user, for example in an unpacked archive.
    private static func linkedState(in folder: URL) throws -> String? {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first { name in
            // The names of Foundation's folders are valid market ids, too.
            guard StringFormat.marketID.matches(name) else { return false }
            let path = folder.appending(path: name).path
            var (own, target) = (stat(), stat())
            return lstat(path, &own) == 0 && own.st_mode & S_IFMT == S_IFLNK
                && stat(path, &target) == 0 && target.st_mode & S_IFMT == S_IFDIR
        }
    }

    private func stateFolder() throws -> URL {
        let folder: URL
        do {
            if let path = options.state {
                folder = URL(fileURLWithPath: path)
                if try PrivateFolder.makeMarked(folder), console.isVerbose {
                    Console.message("other users could open the state folder \(path); now only its owner can (0700)")
                }
                if let link = try Self.linkedState(in: folder) {
                    throw CommandFailure(
                        status: .impossible,
                        "cannot use the state folder \(path): \(link) in it is a symbolic link, and services would "
                            + "write to its target; remove the link, or name another folder")
                }
            } else {
                folder = try context.temporaryState.make()
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            let reason = (error as? PrivateFolderError)?.description ?? (error as? POSIXFailure)?.reason
            let place = options.state ?? "in the temporary folder"
            throw CommandFailure(
                status: .impossible, "cannot use the state folder \(place): \(reason ?? error.systemReason)")
        }
        #if os(Linux)
            // Foundation on Linux stores user defaults, response caches, and cookies in these folders, and creates some
            // of them as soon as a session configuration exists. It has no other setting for their locations.
            guard context.ownsProcess else { return folder }
            for (variable, name) in [
                ("XDG_CONFIG_HOME", "defaults"), ("XDG_CACHE_HOME", "caches"), ("XDG_DATA_HOME", "data"),
            ] { setenv(variable, folder.appending(path: name).path, 1) }
        #endif
        return folder
    }
}

extension Session {
    /// The repository that contains the markets. Git itself would follow a symbolic link into another repository.
    func repository() throws(GitFailure) -> GitRepository {
        if options.namedMarkets == nil, FileManager.default.fileExists(atPath: options.markets) {
            do throws(MarketFolderError) {
                _ = try options.marketFolder.marketIDs()
            } catch {
                throw .refusedRepository("\(error)")
            }
        }
        return try GitRepository(around: options.markets, budget: git)
    }

    /// The markets folder to compare with: a folder on disk, or else the folder of a commit.
    func older(_ name: String) throws -> MarketFolder {
        // A reference cannot start like a path.
        let isPath = name.hasPrefix("/") || name.hasPrefix(".")
        if isPath || ConfinedDirectory.isFolder(name) { return MarketFolder(path: name) }
        do throws(GitFailure) {
            let repository = try repository()
            let commit = try repository.commit(name)
            guard let tree = try repository.markets(at: commit) else {
                throw .failed(command: "ls-tree", status: 0, message: "\(name) has no folder \(repository.path)")
            }
            if !console.isQuiet {
                Console.message("comparing with the commit \(String(commit.id.prefix(12))), \(name)")
            }
            return MarketFolder(tree)
        } catch {
            throw CommandFailure(
                status: .impossible, "\(name) is not a folder, and using it as a git reference failed: \(error)")
        }
    }
}
