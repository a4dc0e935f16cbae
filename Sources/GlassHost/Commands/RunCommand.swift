import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct RunCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a Lua script against the markets.",
        usage: "glass-host run [<options>] <script> [<arguments> ...]",
        discussion: """
            The script can use the `glass` module: glass.markets(), glass.market(id), glass.test(name, fn), and \
            glass.expect(value). Arguments are available in `arg`; put arguments that begin with a dash after --.

            Exits with 1 if the script raises an error or a test fails, and with 2 if the script cannot be read.

            EXAMPLES
              glass-host run scripts/smoke.lua
              glass-host run scripts/links.lua --timeout 5 -- --only ca
            """
    )

    static let servicesByDefault = ServiceSet.offline
    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @OptionGroup(title: "Limits") var limits: ScriptLimitOptions

    @Option(
        help: ArgumentHelp(
            "Where live services send analytics events: a URL, or the word market for the market's own sinks.",
            discussion: "To wait until events are sent, call flush() in the script.", valueName: "url"))
    var collector: String?

    @Argument(help: "The script file.", completion: .file(extensions: ["lua"]))
    var script: String

    @Argument(help: "Arguments for the script, available in `arg`.")
    var arguments: [String] = []

    func validateArguments() throws {
        guard let collector, collector != "market", !StringFormat.httpsURL.matches(collector) else { return }
        throw ValidationError(
            "--collector: expected \(StringFormat.httpsURL.expectation), got \(collector.quotedForMessage)")
    }

    func run(in session: Session) throws {
        let console = session.console
        let runner = ScriptRunner(
            catalog: try session.markets(collector: collector.flatMap(CollectorChoice.init)), limits: limits.limits
        ) { text in
            console.printed(DisplayText(lines: text))
        }
        let outcome: ScriptRun
        do {
            outcome = try session.reporting {
                try console.map([script], "running") { try runner.run($0, arguments: arguments) }[0]
            }
        } catch let error as ScriptRunnerError {
            throw CommandFailure(error, script: script, scripts: options.scripts)
        }
        if console.isJSON {
            try console.result(
                json: [
                    "tests": outcome.report.tests.map(\.json), "passed": outcome.report.passed,
                    "failed": outcome.report.failed, "error": outcome.failure?.json,
                ])
        } else {
            print(outcome, on: console)
        }
        if !outcome.succeeded { throw CommandFailure(status: .no) }
    }

    private func print(_ outcome: ScriptRun, on console: Console) {
        console.print(outcome.report.tests)
        if !outcome.report.tests.isEmpty, !console.isQuiet {
            console.result("\(outcome.report.passed) passed, \(outcome.report.failed) failed")
        }
        if let failure = outcome.failure { console.error("error: \(console.text(of: failure))") }
    }
}
