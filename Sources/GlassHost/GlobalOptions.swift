import ArgumentParser
import Foundation

/// The options that every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder with the market files, or one that compile wrote.", valueName: "dir"))
    var markets = "markets"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The market, or a compiled file. (default: $GLASS_MARKET, else us)", valueName: "id"))
    var market: String?

    @Option(help: "The format of results.")
    var format = Format.text

    @Option(help: "Whether results are coloured; auto means on a terminal, unless NO_COLOR is set.")
    var color = ColorChoice.auto

    @Flag(name: .shortAndLong, help: "Omit warnings, passed tests and summaries.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print more.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "Where services keep their state. (default: a temporary folder, removed when the process ends)",
            valueName: "dir"))
    var state: String?

    @Option(
        help: "Which services a market has. (default: live; run, test and repl mock those that leave the machine)")
    var services: ServiceChoice?

    @Option(help: "How requests for a permission are answered, since there is no user to ask.")
    var permissions = PermissionChoice.deny

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case never
    }

    enum PermissionChoice: String, ExpressibleByArgument, CaseIterable {
        case allow
        case deny
    }

    enum ServiceChoice: String, ExpressibleByArgument, CaseIterable {
        case live
        case mock
    }

    /// The market that a command works on.
    var marketID: String {
        if let market { return market }
        let environment = ProcessInfo.processInfo.environment["GLASS_MARKET"] ?? ""
        return environment.isEmpty ? "us" : environment
    }

    /// Moves options that stand before the command behind it, because a command reads only what follows it.
    ///
    /// - Parameter arguments: The arguments as written.
    /// - Returns: The same with the command first.
    static func movedBehindCommand(_ arguments: [String]) -> [String] {
        let withValue: Set<String> = [
            "--markets", "--market", "-m", "--format", "--color", "--state", "--services", "--permissions",
        ]
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-") {
            // These end the reading of options, or belong to the program itself.
            let ends = ["--", "-h", "--help", "--version", "--generate-completion-script"]
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
