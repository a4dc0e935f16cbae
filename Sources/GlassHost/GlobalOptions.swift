package import ArgumentParser
import Foundation
import GlassMarketFiles

/// The options that every command takes.
package struct GlobalOptions: ParsableArguments {
    /// The folder with the market files, as the user wrote it; ``markets`` is what commands work on.
    @Option(
        name: .customLong("markets"),
        help: ArgumentHelp(
            "The folder with the market files, or one that compile wrote. (default: markets, here or in the nearest folder above)",
            valueName: "dir"),
        completion: .directory)
    package var namedMarkets: String?

    /// The market, as the user wrote it; ``marketID`` is what commands work on.
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The market, or a compiled file. (default: $GLASS_MARKET, else us)", valueName: "id"),
        completion: .markets)
    package var market: String?

    /// The format of results.
    @Option(help: "The format of results.")
    package var format = Format.text

    /// Whether results are coloured.
    @Option(help: "Whether results are coloured; auto means on a terminal, unless NO_COLOR is set.")
    package var color = ColorChoice.auto

    /// Whether the user asked for less.
    @Flag(name: .shortAndLong, help: "Omit warnings, passed tests and summaries.")
    package var quiet = false

    /// Whether the user asked for more.
    @Flag(name: .shortAndLong, help: "Print more.")
    package var verbose = false

    /// Where services keep their state.
    @Option(
        help: ArgumentHelp(
            "Where services keep their state. (default: a temporary folder, removed when the process ends)",
            valueName: "dir"),
        completion: .directory)
    package var state: String?

    /// Which services a market has; nil for what the command has by default.
    @Option(
        help: "Which services a market has. (default: live; run, test and repl mock those that leave the machine)")
    package var services: ServiceChoice?

    /// How requests for a permission are answered.
    @Option(help: "How requests for a permission are answered, since there is no user to ask.")
    package var permissions = PermissionChoice.deny

    /// The format of results.
    package enum Format: String, ArgumentChoice {
        case text
        case json
    }

    /// When results are coloured.
    package enum ColorChoice: String, ArgumentChoice {
        case auto
        case always
        case never
    }

    /// How requests for a permission are answered.
    package enum PermissionChoice: String, ArgumentChoice {
        case allow
        case deny
    }

    /// Which services a market has.
    package enum ServiceChoice: String, ArgumentChoice {
        case live
        case mock
    }

    /// Creates options that have their defaults; the parser sets them.
    package init() {}

    /// The folder with the market files.
    package var markets: String { namedMarkets ?? ProjectFolder.current + "markets" }

    /// The folder with the market files, to read. A link in the place of one that the user did not name must not lead out of
    /// the project.
    var marketFolder: MarketFolder {
        namedMarkets.map { MarketFolder(path: $0) } ?? MarketFolder(found: markets, option: "--markets")
    }

    /// The folder with the tests and scripts of the markets, beside theirs.
    var scripts: String { folder("scripts") }

    /// The folder with the policies of the markets, beside theirs.
    var policies: String { folder("policies") }

    private func folder(_ name: String) -> String {
        guard let slash = MarketFolder(path: markets).path.lastIndex(of: "/") else { return name }
        return markets[...slash] + name
    }

    /// The market that a command works on.
    package var marketID: String {
        if let market { return market }
        let environment = CommandContext.current.environment["GLASS_MARKET"] ?? ""
        return environment.isEmpty ? "us" : environment
    }

    /// Moves options that stand before the command behind it, because a command reads only what follows it.
    static func movedBehindCommand(_ arguments: [String]) -> [String] {
        // An array, not a set: setting up the first set of a type costs more than all these comparisons.
        let withValue = [
            "--markets", "--market", "-m", "--format", "--color", "--state", "--services", "--permissions",
        ]
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-") {
            // These end the reading of options, or belong to the program itself.
            let ends = [
                "--", "-h", "--help", "--version", "--generate-completion-script", "--generate-manual-page",
                CompletionWords.request,
            ]
            if ends.contains(arguments[index]) || arguments[index].hasPrefix("--generate-completion-script=") {
                return arguments
            }
            // An option that there is none of is passed on, so that the command names it.
            index += withValue.contains(arguments[index]) ? 2 : 1
        }
        guard index > 0, index < arguments.count else { return arguments }
        let command = arguments[index]
        // What follows `--` belongs to the command, so the moved options go in right behind the command.
        return [command] + arguments[..<index] + arguments[(index + 1)...]
    }
}
