import ArgumentParser
import Foundation
import GlassBase
import GlassMarkets
import GlassSchema

struct CompileCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compiles each market to a JSON file without code or secrets, for apps that do not include Lua.",
        usage: "glass-host compile [<options>] [<market> ...] --to <dir>",
        discussion: """
            Writes DIR/1/ID.json for each named market, or for all markets in the folder: the merged contents of its \
            files, without defaults or functions, and with secrets by name only. The same files produce the same bytes \
            on any machine. Also writes DIR/1/ID.map.json, which `explain -m FILE` uses to show where each value was \
            set; apps do not need it.

            Nothing is written if a market has an error or contains a function (`handle`). Functions work only in Lua \
            files; use `show` or `handler` instead. You can use DIR in place of a markets folder, and a compiled file \
            in place of a market's id: `glass-host --markets DIR check`, `glass-host diff ca DIR/1/ca.json`.

            EXAMPLES
              glass-host compile --to build/markets
              glass-host compile ca --to build/markets --without-maps
              glass-host explain currency -m build/markets/1/ca.json
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The markets to compile. (default: all markets in the folder)", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Option(
        help: ArgumentHelp("The output folder, which is created if needed.", valueName: "dir"), completion: .directory)
    var to: String

    @Flag(help: "Do not write the .map.json files.")
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
                // Whether a secret is set matters only to the app that reads it.
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
            try session.console.result(
                json: [
                    "markets": refuses ? [] : compiled.map(json), "findings": findings.sortedByPosition().map(\.json),
                ])
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
            // Check all targets before writing any, so that a target that cannot be written leaves nothing half done.
            try file(of: market).check()
            if !withoutMaps { try map(of: market).check() }
        }
        for market in compiled {
            try file(of: market).write(market.files.market)
            if !withoutMaps { try map(of: market).write(market.files.map) }
        }
    }

    /// Warns about other compiled markets in the folder: an app would also include markets whose Lua files were
    /// removed.
    private func warnAboutOtherMarkets(_ compiled: [Compiled], _ session: Session) throws {
        guard ids.isEmpty, options.market == nil, !options.quiet else { return }
        let others = try session.reporting { try CompiledMarketFiles(path: to).marketIDs() }
            .filter { id in !compiled.contains { $0.id == id } }
        for id in others {
            let path = target(CompiledMarketFiles.name(of: id)).path
            session.console.error("warning: \(path) is not one of these markets; remove it if it is obsolete")
        }
    }

    private func json(of market: Compiled) -> JSONObject {
        [
            "id": market.id, "file": file(of: market).path, "map": withoutMaps ? nil : map(of: market).path,
            "bytes": market.files.market.count, "digest": market.files.digest,
        ]
    }
}
