import ArgumentParser
import Foundation
import GlassBase
import GlassMarkets
import GlassSchema

struct CompileCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compiles markets for apps, which have no Lua: one JSON file each, without code and secrets.",
        usage: "glass-host compile [<options>] [<market> ...] --to <dir>",
        discussion: """
            Writes DIR/1/ID.json for each named market, or for all markets of the folder: what its files say, merged, without \
            defaults and functions, and of secrets the names alone. The same files give the same bytes on any machine. Beside \
            it stands DIR/1/ID.map.json, with which `explain -m FILE` still says where a value was written; no app needs it.

            Nothing is written when a market has an error, or has a function (`handle`): that stays with the Lua files, and \
            `show` or `handler` says the same. DIR takes the place of a markets folder, and a file that of a market's id: \
            `glass-host --markets DIR check`, `glass-host diff ca DIR/1/ca.json`.

            EXAMPLES
              glass-host compile --to build/markets
              glass-host compile ca --to build/markets --without-maps
              glass-host explain currency -m build/markets/1/ca.json
            """
    ).asSubcommand

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The markets to compile. (default: all of the folder)", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Option(
        help: ArgumentHelp("The folder to write to; it is made if need be.", valueName: "dir"), completion: .directory)
    var to: String

    @Flag(help: "Write no maps.")
    var withoutMaps = false

    func run(in session: Session) throws {
        let markets = try session.markets()
        var findings: [Finding] = []
        let compiled: [Compiled] = try session.reporting {
            var names = ids
            if names.isEmpty { names = try options.market.map { [$0] } ?? markets.marketIDs() }
            guard !names.isEmpty else { throw markets.isEmptyFailure }
            return try session.console.map(names, "compiling") { name in
                let check = try markets.check(name)
                // Whether a secret is set is a question for the app that reads it.
                findings += check.findings.filter { $0.code != .secretUnset }
                guard let market = check.market else { return nil }
                do throws(CompiledMarketError) {
                    return Compiled(id: market.id, files: try CompiledMarketWriter(market))
                } catch {
                    guard case .notPortable(_, let functions) = error else {
                        throw CommandFailure(status: .no, "market \"\(name)\" cannot be compiled: \(error)")
                    }
                    findings += functions
                    return nil
                }
            }.compactMap(\.self)
        }
        let refuses = findings.hasErrors
        if !refuses { try write(compiled) }
        if session.console.isJSON {
            try session.console.result(json: Output(refuses ? [] : compiled.map(written), findings))
        } else {
            for finding in findings.sortedByPosition() where !options.quiet || finding.severity == .error {
                session.console.error(session.console.text(of: finding))
            }
            if !refuses {
                for market in compiled {
                    session.console.result("\(file(of: market).path) (\(market.files.market.count.grouped) bytes)")
                }
            }
        }
        guard refuses else { return try warnAboutOtherMarkets(compiled, session) }
        throw CommandFailure(status: .no, "nothing was written")
    }

    private struct Compiled {
        let id: String
        let files: CompiledMarketWriter
    }

    private func target(_ name: String) -> OutputFile.Target {
        OutputFile.Target("\(CompiledMarket.generation)/\(name)", below: CompiledMarketFiles(path: to).path)
    }

    private func file(of market: Compiled) -> OutputFile.Target { target(CompiledMarketFiles.name(of: market.id)) }

    private func map(of market: Compiled) -> OutputFile.Target { target(CompiledMarketFiles.mapName(of: market.id)) }

    private func write(_ compiled: [Compiled]) throws {
        for market in compiled {
            try file(of: market).check()
            if !withoutMaps { try map(of: market).check() }
        }
        for market in compiled {
            try file(of: market).write(market.files.market)
            if !withoutMaps { try map(of: market).write(market.files.map) }
        }
    }

    /// Says which other markets are in the folder: those that are gone from the Lua files would go into the app too.
    private func warnAboutOtherMarkets(_ compiled: [Compiled], _ session: Session) throws {
        guard ids.isEmpty, options.market == nil, !options.quiet else { return }
        let others = try session.reporting { try CompiledMarketFiles(path: to).marketIDs() }
            .filter { id in !compiled.contains { $0.id == id } }
        for id in others {
            let path = target(CompiledMarketFiles.name(of: id)).path
            session.console.error("warning: \(path) is none of these markets; remove it if it is gone")
        }
    }

    private func written(_ market: Compiled) -> Output.Market {
        let mapPath = withoutMaps ? nil : map(of: market).path
        return Output.Market(market, file: file(of: market).path, map: mapPath)
    }

    private struct Output: Encodable {
        struct Market: Encodable {
            let id: String
            let file: String
            @Nullable var map: String?
            let bytes: Int
            let digest: String

            init(_ market: Compiled, file: String, map: String?) {
                id = market.id
                self.file = file
                self.map = map
                bytes = market.files.market.count
                digest = market.files.digest
            }
        }

        let markets: [Market]
        let findings: [FindingOutput]

        init(_ markets: [Market], _ findings: [Finding]) {
            self.markets = markets
            self.findings = findings.sortedByPosition().map(FindingOutput.init)
        }
    }
}
