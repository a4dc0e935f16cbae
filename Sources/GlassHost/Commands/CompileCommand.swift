import ArgumentParser
import Foundation
import GlassBase
import GlassMarkets
import GlassSchema
import GlassAuthoring

struct CompileCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compiles each market to a JSON file without code or secrets, for apps that do not include Lua.",
        usage: "glass-host compile [<options>] [<market> ...] --to <dir>",
        discussion: """
            Writes DIR/4/ID.json for each named market, or for all markets in the folder: the merged contents of its \
            files in every situation, with their flags, without defaults or functions, and with secrets by name only. \
            The same files produce the same bytes on any machine. Also writes DIR/4/ID.map.json, which \
            `explain -m FILE` uses to show where each value was set; apps do not need it.

            The folder 4 is named after the format, and an app reads only its own. Files of former formats are in folders \
            with lower numbers. If all markets are compiled, the command reports them, and --prune removes them.

            Reports what `check` reports, except for unset secrets, which matter only to the app that reads them. \
            Nothing is written if a market has an error or contains a function (`handle`). Functions work only in Lua \
            files; use `show` or `handler` instead. You can use DIR in place of a markets folder, and a compiled file \
            in place of a market's id: `glass-host --markets DIR check`, `glass-host diff ca DIR/4/ca.json`.

            In the build of an app, use --prune, so that the app does not include markets that were removed, and \
            --findings-only, so that the build prints only warnings and errors. `glass-host new --plugin` writes a \
            build tool plugin that does this.

            EXAMPLES
              glass-host compile --to build/markets
              glass-host compile ca --to build/markets --without-maps
              glass-host compile --to build/markets --prune --findings-only
              glass-host explain currency -m build/markets/4/ca.json
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

    @Flag(help: "Remove the files of other markets and of former formats from the output folder.")
    var prune = false

    @Flag(help: "Print the findings, but not the names of the files.")
    var findingsOnly = false

    @Flag(help: "Report an error if two markets share a value that must be unique, such as a bundle identifier.")
    var strict = false

    @OptionGroup var policies: PolicyOptions

    /// Whether all markets of the folder are compiled, so that the output folder should have no others.
    private var isWhole: Bool { ids.isEmpty && options.market == nil }

    func validateArguments() throws {
        if prune, !isWhole {
            throw ValidationError("--prune removes all markets but those of the folder; do not name any market")
        }
    }

    func run(in session: Session) throws {
        let policies = try session.policies(in: policies.policies)
        var compiled: [Compiled] = []
        let settings = CheckRun.Settings(clashSeverity: strict ? .error : .warning)
        var run = CheckRun(session, ids, try session.markets(), policies, settings)
        let report = try run.report("compiling") { check in
            guard let market = check.market else { return [] }
            let functions = market.placedFindingsAgainstCompiling
            guard functions.isEmpty else { return functions }
            do throws(CompiledMarketError) {
                compiled.append(Compiled(id: market.id, file: try CompiledMarketWriter(market)))
            } catch {
                throw CommandFailure(status: .no, "market \"\(market.id)\" cannot be compiled: \(error)")
            }
            return []
        }
        let findings = report.findings.filter { $0.code != .secretUnset }
        let refuses = findings.hasErrors || !report.failures.isEmpty
        if refuses { compiled = [] }
        try write(compiled)
        let others = try refuses || !isWhole ? [] : session.reporting { try otherFiles(than: compiled).map(target) }
        if prune { for file in others { try file.remove() } }
        if session.console.isJSON {
            try session.console.result(
                json: [
                    "markets": compiled.map(json), "removed": prune ? others.map(\.path) : [],
                    "findings": (findings + report.failures).sortedByPosition().map(\.json),
                    "unchecked": report.unread?.ids ?? [],
                ])
        } else {
            for finding in findings where !options.quiet || finding.severity == .error {
                session.console.error(session.console.text(of: finding))
            }
            if let line = report.unchecked, !options.quiet { session.console.error(line) }
            if !findingsOnly { print(compiled, removed: prune ? others : [], on: session.console) }
        }
        if !prune, !options.quiet { warn(about: others, on: session.console) }
        try report.requireResult(session.console)
        if refuses { throw CommandFailure(status: .no, "nothing was written") }
    }

    private func print(_ compiled: [Compiled], removed: [OutputFile.Target], on console: Console) {
        for market in compiled {
            console.result("\(target(market.name).path) (\(market.file.market.count.grouped) bytes)")
        }
        for file in removed { console.result("removed \(file.path)") }
    }

    private struct Compiled {
        let id: String
        let file: CompiledMarketWriter

        var name: String { "\(CompiledMarket.format)/\(CompiledMarketFiles.name(of: id))" }
        var mapName: String { "\(CompiledMarket.format)/\(CompiledMarketFiles.mapName(of: id))" }
    }

    private func target(_ name: String) -> OutputFile.Target {
        OutputFile.Target(name, below: CompiledMarketFiles(path: to).path)
    }

    private func write(_ compiled: [Compiled]) throws {
        let files = compiled.flatMap { market in
            [(target(market.name), market.file.market)]
                + (withoutMaps ? [] : [(target(market.mapName), market.file.map)])
        }
        // Check all targets before writing any, so that a target that cannot be written leaves nothing half done.
        for (target, _) in files { try target.check() }
        for (target, bytes) in files { try target.write(bytes) }
    }

    /// The files in the output folder that an earlier run wrote, and this one did not.
    private func otherFiles(than compiled: [Compiled]) throws -> [String] {
        let written = compiled.flatMap { [$0.name] + (withoutMaps ? [] : [$0.mapName]) }
        return try CompiledMarketFiles(path: to).names().filter { !written.contains($0) }
    }

    /// Warns about other compiled markets in the folder: an app would also include markets whose Lua files were
    /// removed, and files of former formats, which it does not read.
    private func warn(about others: [OutputFile.Target], on console: Console) {
        for file in others where !file.path.hasSuffix(".map.json") {
            let isCurrent = file.path.hasPrefix(target("\(CompiledMarket.format)/").path)
            let problem =
                isCurrent
                ? "is not one of these markets; remove it if it is obsolete"
                : "has a former format; --prune removes it"
            console.error("warning: \(file.path) \(problem)")
        }
    }

    private func json(of market: Compiled) -> JSONObject {
        [
            "id": market.id, "file": target(market.name).path, "map": withoutMaps ? nil : target(market.mapName).path,
            "bytes": market.file.market.count, "digest": market.file.digest,
        ]
    }
}
