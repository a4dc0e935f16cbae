import ArgumentParser
import Foundation
import GlassMarkets

struct RunCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a Lua script against the markets.",
        discussion: """
            The script has the module `glass`: glass.markets(), glass.market(id), glass.test(name, fn) and \
            glass.expect(value). Its arguments are in `arg`; those that begin with a dash stand after --.

            Ends with 1 when the script raises an error or one of its tests fails, with 2 when it cannot be read.

            EXAMPLES
              glass-host run scripts/smoke.lua
              glass-host run scripts/links.lua --timeout 5 -- --only ca
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "How long the script may run, in seconds of CPU time and of the clock.", valueName: "seconds"))
    var timeout = 30.0

    @Option(help: ArgumentHelp("How much memory the script may use.", valueName: "megabytes"))
    var memory = 256

    @Argument(help: "The script's file.", completion: .file(extensions: ["lua"]))
    var script: String

    @Argument(help: "What the script finds in `arg`.")
    var arguments: [String] = []

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes more than 0 and at most 86400 seconds, got \(timeout)")
        }
        guard (1...65_536).contains(memory) else {
            throw ValidationError("--memory takes 1 to 65536 megabytes, got \(memory)")
        }
    }

    func run(in session: Session) throws {
        let isJSON = session.console.isJSON
        let runner = ScriptRunner(
            markets: try session.loader(), limits: ScriptRunner.limits(seconds: timeout, megabytes: memory)
        ) { text in
            // With JSON on standard output, what the script prints would break it.
            (isJSON ? StandardStream.errors : StandardStream.output).write(text)
        }
        let outcome: ScriptRun
        do {
            outcome = try session.reporting { try runner.run(script, arguments: arguments) }
        } catch let error as ScriptRunnerError {
            throw CommandFailure(status: .impossible, "\(error)")
        }
        if isJSON {
            try session.console.result(json: Output(outcome))
        } else {
            print(outcome, on: session.console)
        }
        if !outcome.succeeded { throw CommandFailure(status: .no) }
    }

    private func print(_ outcome: ScriptRun, on console: Console) {
        for test in outcome.report.tests {
            if let failure = test.failure {
                console.result("\(console.styled("FAIL", .red)) \(test.name)\n\(failure.description.indented)")
            } else if !console.isQuiet {
                console.result("\(console.styled("ok", .green))   \(test.name)")
            }
        }
        if !outcome.report.tests.isEmpty, !console.isQuiet {
            console.result("\(outcome.report.passed) passed, \(outcome.report.failed) failed")
        }
        if let failure = outcome.failure { console.error("error: \(failure)") }
    }

    private struct Output: Encodable {
        struct Test: Encodable {
            let name: String
            let passed: Bool
            @Nullable var failure: Failure?

            init(_ test: ScriptReport.Test) {
                name = test.name
                passed = test.failure == nil
                failure = test.failure.map(Failure.init)
            }
        }

        struct Failure: Encodable {
            let message: String
            @Nullable var position: String?
            let traceback: [String]

            init(_ failure: ScriptFailure) {
                message = failure.message
                position = failure.position
                traceback = failure.traceback
            }
        }

        let tests: [Test]
        let passed: Int
        let failed: Int
        @Nullable var error: Failure?

        init(_ run: ScriptRun) {
            tests = run.report.tests.map(Test.init)
            passed = run.report.passed
            failed = run.report.failed
            error = run.failure.map(Failure.init)
        }
    }
}

extension String {
    /// Each line moved to the right.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "     \($0)" }.joined(separator: "\n")
    }
}
