package import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The options that every command takes.
package struct GlobalOptions: ParsableArguments {
    /// The folder with the market files, as the user wrote it; commands use ``markets``.
    @Option(
        name: .customLong("markets"),
        help: ArgumentHelp(
            "The folder of market files or compiled markets. (default: markets, in this folder or the nearest parent)",
            valueName: "dir"),
        completion: .directory)
    package var namedMarkets: String?

    /// The market, as the user wrote it; commands use ``namedMarket``.
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A market's id, or a compiled file. (default: $GLASS_MARKET, the market that a link belongs to, the "
                + "default of the app's module, or the only market)", valueName: "id"),
        completion: .markets)
    package var market: String?

    /// The attributes of the situation, as the user wrote them.
    @Option(
        help: ArgumentHelp(
            "Attributes of the situation in which markets are read, such as \(contextExample); may be repeated. "
                + "(default: $GLASS_CONTEXT, and the market's defaults)", valueName: "attributes"),
        completion: .attributes)
    package var context: [String] = []

    /// A file with attributes of the situation.
    @Option(
        help: ArgumentHelp(
            "A JSON object with attributes of the situation; --context overrides it.", valueName: "file"),
        completion: .file())
    package var contextFile: String?

    /// The clock for conditions, as the user wrote it; commands use ``clock``.
    @Option(
        help: ArgumentHelp(
            "The time for conditions on the date, such as 2026-11-27T00:00Z. (default: now)", valueName: "date"))
    package var now: String?

    /// The format of results.
    @Option(help: "The format of the results.")
    package var format = Format.text

    /// Whether to color results.
    @Option(help: "Whether to color results; auto uses color on a terminal, unless NO_COLOR is set.")
    package var color = ColorChoice.auto

    /// Whether to omit warnings, passed tests, and summaries.
    @Flag(name: .shortAndLong, help: "Omit warnings, passed tests, and summaries.")
    package var quiet = false

    /// Whether to print more detail.
    @Flag(name: .shortAndLong, help: "Print more detail.")
    package var verbose = false

    /// The folder where services store their state.
    @Option(
        help: ArgumentHelp(
            "The folder where services store their state. (default: a temporary folder that is removed at exit)",
            valueName: "dir"),
        completion: .directory)
    package var state: String?

    /// The services that markets use; nil for the command's default.
    @Option(
        help: ArgumentHelp(
            "The services to use. (default: live, but run, test, repl, and review mock services that access external "
                + "systems, and inspect uses only mocks)"))
    package var services: ServiceChoice?

    /// How to answer permission requests.
    @Option(help: "The answer to all permission requests, since no user is present.")
    package var permissions = PermissionChoice.deny

    /// The number of steps that the command may take, as the user chose it; nil for the usual number.
    @Option(
        name: .customLong("max-steps"),
        help: ArgumentHelp(
            "The maximum number of steps for the command. One second is about 20 million steps. (default: 12 million plus "
                + "200,000 for each market)", valueName: "count"))
    package var maximumSteps: Int?

    /// The format of results.
    package enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case json
    }

    /// When to color results.
    package enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
        case auto
        case always
        case never
    }

    /// How to answer permission requests.
    package enum PermissionChoice: String, CaseIterable, ExpressibleByArgument {
        case allow
        case deny
    }

    /// The services that markets use.
    package enum ServiceChoice: String, CaseIterable, ExpressibleByArgument {
        case live
        case mock
    }

    /// Attributes as a command takes them, for messages.
    static let contextExample = "build=debug,locale=fr-CA"

    /// The message for text that contains no attributes.
    static func notAttributes(_ text: String, of source: String) -> String {
        "\(source) takes attributes such as \(contextExample), got \(text.quotedForMessage)"
    }

    /// Checks what needs no market.
    package func validate() throws {
        for text in context where MarketContext.attributes(inCommandText: text) == nil {
            throw ValidationError(Self.notAttributes(text, of: "--context"))
        }
        if let maximumSteps, maximumSteps < 1 {
            throw ValidationError("--max-steps takes a positive number, got \(maximumSteps)")
        }
        guard let now else { return }
        do throws(MarketContextError) {
            _ = try Self.date(now)
        } catch {
            throw ValidationError("--now: \(error)")
        }
    }

    /// The time for conditions; nil for the current time.
    var clock: ContextDate? { now.flatMap { try? Self.date($0) } }  // `validate` reports a text that is not a date

    private static func date(_ text: String) throws(MarketContextError) -> ContextDate? {
        let value = try ContextAttribute.builtIn.value(of: "date", from: text, zones: .system)
        if case .date(let date) = value { return date }
        return nil
    }

    /// Creates options with their default values; the parser sets them.
    package init() {}

    /// The folder with the market files.
    package var markets: String { namedMarkets ?? ProjectFolder.current + "markets" }

    /// The folder with the market files, for reading. If the user did not name the folder, a symbolic link in its place
    /// must not lead out of the project.
    var marketFolder: MarketFolder {
        namedMarkets.map { MarketFolder(path: $0) } ?? MarketFolder(found: markets, option: "--markets")
    }

    /// The folder with the tests and scripts of the markets, next to the markets folder.
    var scripts: String { folder("scripts") }

    /// The folder with the policies of the markets, next to the markets folder.
    var policies: String { folder("policies") }

    private func folder(_ name: String) -> String {
        guard let slash = MarketFolder(path: markets).path.lastIndex(of: "/") else { return name }
        return markets[...slash] + name
    }

    /// The market that the user named, with an option or in the environment; nil if the user named none.
    package var namedMarket: String? {
        if let market { return market }
        let environment = CommandContext.current.environment["GLASS_MARKET"] ?? ""
        return environment.isEmpty ? nil : environment
    }

    /// Moves options from before the command to after it, because a command reads only what follows it.
    static func movedBehindCommand(_ arguments: [String]) -> [String] {
        // An array rather than a set: creating the first set of a type costs more than all these comparisons.
        let withValue = [
            "--markets", "--market", "-m", "--format", "--color", "--state", "--services", "--permissions",
            "--context", "--context-file", "--now", "--max-steps",
        ]
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-") {
            // These end the reading of options, or belong to the program itself.
            let ends = [
                "--", "-h", "--help", "--version", "--generate-completion-script", "--generate-markdown-page",
                CompletionWords.request,
            ]
            if ends.contains(arguments[index]) || arguments[index].hasPrefix("--generate-completion-script=") {
                return arguments
            }
            // Pass unknown options on, so that the command reports them.
            index += withValue.contains(arguments[index]) ? 2 : 1
        }
        guard index > 0, index < arguments.count else { return arguments }
        let command = arguments[index]
        // Arguments after `--` belong to the command, so the moved options are inserted directly after the command.
        return [command] + arguments[..<index] + arguments[(index + 1)...]
    }
}
