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
            The script has the module `glass`: glass.markets(), glass.market(id), glass.test(name, fn) and \
            glass.expect(value). Its arguments are in `arg`; write those that begin with a dash after --.

            Ends with 1 when the script raises an error or one of its tests fails, with 2 when it cannot be read.

            EXAMPLES
              glass-host run scripts/smoke.lua
              glass-host run scripts/links.lua --timeout 5 -- --only ca
            """
    ).asSubcommand

    static let servicesByDefault = ServiceSet.offline
    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @OptionGroup(title: "Limits") var limits: ScriptLimitOptions

    @Option(
        help: ArgumentHelp(
            "Where the analytics events of live services go: a URL, or market for where the market says.",
            discussion: "A script waits for them with flush().", valueName: "url"))
    var collector: String?

    @Argument(help: "The script's file.", completion: .file(extensions: ["lua"]))
    var script: String

    @Argument(help: "The script's arguments, which it finds in `arg`.")
    var arguments: [String] = []

    func validate() throws {
        guard let collector, collector != "market", !StringFormat.httpsURL.matches(collector) else { return }
        throw ValidationError(
            "--collector: expected \(StringFormat.httpsURL.expectation), got \(collector.quotedForMessage)")
    }

    func run(in session: Session) throws {
        let console = session.console
        let runner = ScriptRunner(
            catalogue: try session.markets(collector: collector.flatMap(CollectorChoice.init)), limits: limits.limits
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
            try console.result(json: Output(outcome))
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

    private struct Output: Encodable {
        let tests: [ScriptTestOutput]
        let passed: Int
        let failed: Int
        @Nullable var error: ScriptFailureOutput?

        init(_ run: ScriptRun) {
            tests = run.report.tests.map(ScriptTestOutput.init)
            passed = run.report.passed
            failed = run.report.failed
            error = run.failure.map(ScriptFailureOutput.init)
        }
    }
}
