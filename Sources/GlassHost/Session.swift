package import GlassBase
import Foundation
package import GlassMarketFiles
package import GlassMarkets
package import GlassPlatform
import GlassSchema

/// What the commands share: the markets as the global options describe them.
package struct Session {
    /// The options that every command takes.
    package let options: GlobalOptions
    /// Where results and messages go.
    package private(set) var console: Console
    /// The program that the command is part of.
    package let program: HostSettings
    private let services: ServiceSet
    private let context = CommandContext.current
    /// What the command's markets may take together. Loading each of them has a budget of its own.
    private let memory = WorkBudget(cpuTime: .seconds(1 << 40), bytes: maximumBytes)

    /// What git may take for the command: it reads the repository of its folders, and some of them twice.
    let git = GitBudget()

    /// The most that the markets that a command holds may take together, in bytes: as much as a script's.
    private static let maximumBytes = 256 << 20

    init(_ options: GlobalOptions, servicesByDefault: ServiceSet = .live, resultLimit: Int?) {
        self.options = options
        program = .current
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

    /// The same session for one of several results, which has a limit of its own.
    func forOneResult(limit: Int) -> Session {
        var session = self
        session.console = console.forOneResult(limit: limit)
        return session
    }

    /// The markets of the folder that the options name.
    package func loader(of path: String? = nil, opener: URLOpener? = nil, collector: CollectorChoice? = nil) throws
        -> MarketLoader
    {
        try loader(
            of: path.map { MarketFolder(path: $0) } ?? options.marketFolder, opener: opener, collector: collector)
    }

    /// The markets of a folder, on disk or not.
    package func loader(
        of folder: MarketFolder, opener: URLOpener? = nil, collector: CollectorChoice? = nil
    ) throws -> MarketLoader {
        var host = PlatformHost()
        host.device = .unattended(
            permissions: options.permissions == .allow ? .allow : .deny,
            urlOpener: opener ?? .print { [messages = context.serviceMessages] in messages.print("would open \($0)") })
        host.telemetry.sinks = collector?.url.map { [.http($0)] } ?? []
        // A tool sends nothing to anybody unless it is told to.
        host.telemetry.usesMarketSinks = collector == .market
        host.storage.onIssue = { [messages = context.serviceMessages] in messages.print("\($0)") }
        let state = try stateFolder()
        let module = services.module(of: program) { [host] definition in
            var own = host
            // Markets must not read each other's values.
            own.stateFolder = state.appending(path: definition.id)
            return own
        }
        return MarketLoader(module, folder: folder, secrets: context.secret)
    }

    /// The markets that a command can name, Lua files or compiled.
    func markets(of path: String? = nil, opener: URLOpener? = nil, collector: CollectorChoice? = nil) throws
        -> SessionMarkets
    {
        SessionMarkets(try loader(of: path, opener: opener, collector: collector))
    }

    /// Loads the market that the options name, for the rest of the process.
    package func market(opener: URLOpener? = nil) throws -> Market {
        let market = try reporting { try markets(opener: opener).load(options.marketID) }
        context.keep(market)
        return market
    }

    /// Runs a closure that loads markets, and turns its errors into an exit status.
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

    /// What a command may use for its work on markets that loaded; loading them has a budget of its own. Starts its
    /// clock, so ask for it when the markets are there. What runs out ends the command with 2.
    package func budget() -> WorkBudget { WorkBudget() }

    /// Counts a market as held for as long as the command runs.
    package func held(_ market: Market) throws(WorkBudget.Exceeded) -> Market {
        try memory.hold(bytes: market.footprint, for: .loading)
        return market
    }

    /// Lets go of a market that was counted.
    package func release(_ market: Market) {
        memory.release(bytes: market.footprint)
    }

    /// The file in which the services of a market keep remote configuration; nil when the options name no state folder,
    /// so that there is none from an earlier run.
    func remoteConfigurationFile(of id: String) -> RemoteConfigurationFile? {
        options.state.map { path in
            RemoteConfigurationFile(
                folder: URL(fileURLWithPath: path).appending(path: id), timeout: StorageHost().busyTimeout)
        }
    }

    /// A link in the place of a folder that services keep state in: that of a market, or one that Foundation makes. Whoever
    /// put it there may not be the user, such as with an unpacked archive.
    private static func linkedState(in folder: URL) throws -> String? {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first { name in
            // The names of Foundation's folders are such ids, too.
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
                    Console.message("others could open the state folder \(path); it is its owner's alone now (0700)")
                }
                if let link = try Self.linkedState(in: folder) {
                    throw CommandFailure(
                        status: .impossible,
                        "cannot use the state folder \(path): \(link) in it is a link, and services would write where it "
                            + "leads; remove the link, or name another folder")
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
            // Foundation on Linux keeps user defaults, response caches and cookies in these folders, and makes some of
            // them as soon as a session configuration exists; it has no other setting for the places.
            guard context.ownsProcess else { return folder }
            for (variable, name) in [
                ("XDG_CONFIG_HOME", "defaults"), ("XDG_CACHE_HOME", "caches"), ("XDG_DATA_HOME", "data"),
            ] { setenv(variable, folder.appending(path: name).path, 1) }
        #endif
        return folder
    }
}
