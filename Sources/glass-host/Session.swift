import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema

/// What the commands share: the markets as the global options describe them.
struct Session {
    let options: GlobalOptions
    let console: Console

    init(_ options: GlobalOptions) {
        self.options = options
        console = Console(options)
    }

    /// The markets of the folder that the options name.
    ///
    /// - Parameter path: Another folder.
    /// - Returns: A loader whose markets have the services that the options ask for.
    /// - Throws: `CommandFailure` with status 2 when the state folder cannot be made.
    func loader(of path: String? = nil) throws -> MarketLoader {
        let folder = MarketFolder(path: path ?? options.markets)
        let host = PlatformHost(stateFolder: try stateFolder())
        if options.services == .mock {
            return MarketLoader(
                folder: folder,
                registerServices: { container, definition in
                    container.setupPlatformMocks(with: definition.platform, deepLinking: definition.deepLinking)
                })
        }
        return MarketLoader(
            folder: folder,
            registerServices: { container, definition in
                container.setupPlatformDependencies(
                    with: definition.platform, deepLinking: definition.deepLinking, host: host)
            })
    }

    /// Loads the market that the options name.
    ///
    /// - Returns: The market with every precondition met.
    /// - Throws: `CommandFailure` with status 1 and the diagnostics when it has errors, with status 2 when it cannot be
    ///   read.
    func market() throws -> Market {
        try reporting { try loader().load(options.marketID) }
    }

    /// Runs something that loads markets and turns what it throws into an exit status.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch MarketError.invalid(let id, let findings) {
            let errors = findings.filter { $0.severity == .error }.map { console.text(of: $0, on: .errors) }
            throw CommandFailure(
                status: .no, (["market \"\(id)\" cannot be loaded:"] + errors).joined(separator: "\n"))
        } catch let error as MarketFolderError {
            throw CommandFailure(status: .impossible, "\(error)")
        }
    }

    private func stateFolder() throws -> URL {
        let folder: URL
        do {
            if let path = options.state {
                folder = URL(fileURLWithPath: path)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } else {
                folder = try TemporaryState.shared.make()
            }
        } catch {
            throw CommandFailure(
                status: .impossible,
                "cannot make the state folder \(options.state ?? "in the temporary folder"): \(error.localizedDescription)"
            )
        }
        #if os(Linux)
            // Foundation on Linux keeps user defaults, response caches and cookies in these folders, and makes some of
            // them as soon as a session configuration exists; it has no other setting for the places.
            for (variable, name) in [
                ("XDG_CONFIG_HOME", "defaults"), ("XDG_CACHE_HOME", "caches"), ("XDG_DATA_HOME", "data"),
            ] { setenv(variable, folder.appending(path: name).path, 1) }
        #endif
        return folder
    }
}
