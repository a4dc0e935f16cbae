import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct TestCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs the Lua tests of the markets.",
        usage: "glass-host test [<options>] [<files> ...]",
        discussion: """
            Runs the named scripts, those of the named folders that end with _test.lua, or all scripts/*_test.lua and \
            policies/*_test.lua beside the markets folder. In a test script, glass.test(name, fn) is a test, and \
            glass.test(name, cases, fn) is one for each case of a table. Each test gets its own markets. Services that reach \
            beyond the machine are mocks unless --services live is given, and so are permissions and the place: \
            glass.mock(market, "Networking"), "LocationPermissionProvider", "LocationUpdatesProvider" and "HostClock" have \
            what a test can tell them. glass.fixture { extends = "us", … } is a market, and glass.change { rule = … } a \
            change, that a test writes down; their denials() are what the policies deny.

            A test that raises an error or takes longer than --test-timeout fails, and the others run; --timeout is for what \
            a script does outside of its tests. --coverage adds which routes and handlers of each market no test opened.

            Ends with 1 when a test fails or a script raises an error, with 2 when there is no test to run.

            --watch runs them again whenever a Lua file beside or below the scripts or in the markets folder changes, until \
            Ctrl-C; with --format json each run is an object on one line.

            EXAMPLES
              glass-host test
              glass-host test scripts/links_test.lua --filter account -v
              glass-host test policies/
              glass-host test --watch -q
              glass-host test --junit test-results.xml
            """
    ).asSubcommand

    static let servicesByDefault = ServiceSet.scripted
    /// Twice what one script may print, so that a script that prints too much is told so itself.
    private static let maximumBytes = 2 * OutputLimit.bytes

    var resultLimit: Int? { watch ? nil : Self.maximumBytes }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @OptionGroup(title: "Limits") var limits: ScriptLimitOptions

    @Option(
        help: ArgumentHelp(
            "How long each test may run, in seconds of CPU time and of the clock.", valueName: "seconds"))
    var testTimeout = 10.0

    @Flag(help: "Add which routes and handlers no test opened.")
    var coverage = false

    @Option(help: ArgumentHelp("Run only tests whose name contains this text.", valueName: "text"))
    var filter: String?

    @Option(help: ArgumentHelp("Also write the results as JUnit XML, for CI systems.", valueName: "file"))
    var junit: String?

    @Flag(help: "Run again after every change, until Ctrl-C.")
    var watch = false

    @Flag(help: "With --watch: poll the folders twice a second, for file systems that do not report changes.")
    var poll = false

    @OptionGroup var policies: PolicyOptions

    @Argument(help: "The test scripts, or folders with some.", completion: .file(extensions: ["lua"]))
    var files: [String] = []

    func validate() throws {
        if poll, !watch { throw ValidationError("--poll requires --watch") }
        guard testTimeout > 0, testTimeout <= 86_400 else {
            throw ValidationError("--test-timeout takes more than 0 and at most 86400 seconds, got \(testTimeout)")
        }
    }

    func run(in session: Session) throws {
        guard watch else { return try runOnce(in: session) }
        try keepRunning(in: session) { try runOnce(in: session.forOneResult(limit: Self.maximumBytes)) }
    }

    /// Runs the tests once.
    func runOnce(in session: Session) throws {
        let runs = try runAll(in: session)
        if let junit { try OutputFile.write(JUnitReport(suites: runs).text, to: junit) }
        let tests = runs.flatMap(\.run.report.tests)
        if tests.isEmpty, !runs.contains(where: { $0.run.failure != nil }) {
            throw CommandFailure(
                status: .impossible,
                filter.map { "no test has \($0.quotedForMessage) in its name" } ?? "the scripts have no test")
        }
        guard runs.allSatisfy(\.run.succeeded) else { throw CommandFailure(status: .no) }
    }

    /// Runs every script and prints what became of it.
    private func runAll(in session: Session) throws -> [(file: String, run: ScriptRun)] {
        let console = session.console
        let markets = try session.markets()
        let runner = ScriptRunner(catalogue: markets, limits: limits.limits) { text in
            console.printed(DisplayText(lines: text))
        }
        let progress = Progress(console)
        defer { progress.finish() }
        var choice = ScriptTests(filter: filter, isolatesMarkets: true)
        choice.limit = .seconds(testTimeout)
        let start = ContinuousClock.now
        let files = try testFiles()
        let loader = try session.loader()
        let usual = try session.policies(in: policies.policies)
        // The reports are kept until the last script has ended.
        let kept = OutputLimit(bytes: Self.maximumBytes)
        let runs = try files.enumerated().map { index, entry in
            let file = entry.path
            progress.show("running", file, index, of: files.count)
            let own = entry.folder.map { PolicySet(reading: MarketFolder(path: $0)) }
            choice.bench = PolicyTestHarness(policies: own ?? usual, markets: loader)
            choice.willRun = { progress.show("running \(file): \($0)") }
            do {
                let run = try session.reporting { try runner.run(file, tests: choice) }
                kept.spend(run.byteCount)
                if !console.isJSON { print(run, of: file, on: console) }
                return (file: file, run: run)
            } catch let error as ScriptRunnerError {
                throw CommandFailure(error, script: file, scripts: options.scripts)
            }
        }
        let elapsed = ContinuousClock.now - start
        let covered = coverage ? try Coverage(runs.map(\.run.opened), markets) : nil
        if console.isJSON {
            let output = Output(runs, elapsed: elapsed, covered)
            try watch ? console.line(json: output) : console.result(json: output)
        } else {
            if let covered { console.result(covered.text) }
            if !console.isQuiet { printSummary(of: runs, elapsed, on: console) }
        }
        return runs
    }

    /// How many tests passed and failed, and last the names of those that failed, each on a line.
    private func printSummary(
        of runs: [(file: String, run: ScriptRun)], _ elapsed: Duration, on console: Console
    ) {
        let reports = runs.map(\.run.report)
        let skipped = reports.map(\.skipped).reduce(0, +)
        let broken = runs.count { $0.run.failure != nil }
        console.result(
            "\(reports.map(\.passed).reduce(0, +)) passed, \(reports.map(\.failed).reduce(0, +)) failed"
                + (broken > 0 ? ", \(broken) \(broken == 1 ? "script" : "scripts") ended by an error" : "")
                + (skipped > 0 ? ", \(skipped) left out by the filter" : "") + " in \(elapsed.milliseconds) ms")
        for (file, run) in runs {
            for test in run.report.tests where test.failure != nil {
                console.result("\("FAIL", .red) \(file): \(test.name)")
            }
            if run.failure != nil { console.result("\("FAIL", .red) \(file): the script did not run to its end") }
        }
    }

    private func print(_ run: ScriptRun, of file: String, on console: Console) {
        if !console.isQuiet { console.result("\(file, .bold)") }
        console.print(run.report.tests)
        if let failure = run.failure { console.error("error: \(console.text(of: failure))") }
    }

    /// A test script, and the folder that the user named, which then is that of the policies.
    private typealias TestFile = (path: String, folder: String?)

    /// The files that the user named, else the tests beside the scripts and the policies.
    private func testFiles() throws -> [TestFile] {
        if !files.isEmpty { return try files.flatMap(testFiles(named:)) }
        let folder = options.scripts
        let ofPolicies =
            try policies.policies.map { try testNames(ConfinedDirectory($0)) ?? [] }
            ?? testNames(ConfinedDirectory(found: options.policies)) ?? []
        let ofScripts = try testNames(ConfinedDirectory(found: folder))
        guard ofScripts != nil || !ofPolicies.isEmpty else {
            throw CommandFailure(status: .impossible, "there is no folder \(folder) here; name the test scripts")
        }
        let tests = (ofScripts ?? []) + ofPolicies
        guard !tests.isEmpty else {
            throw CommandFailure(status: .impossible, "there is no \(folder)/*_test.lua; write one, or name a script")
        }
        return tests.map { ($0, nil) }
    }

    /// A script, or the tests of a folder.
    private func testFiles(named name: String) throws -> [TestFile] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue else {
            return [(name, nil)]
        }
        let folder = MarketFolder(path: name).path
        guard let tests = try testNames(ConfinedDirectory(folder)), !tests.isEmpty else {
            throw CommandFailure(status: .impossible, "there is no \(folder)/*_test.lua; write one, or name a script")
        }
        return tests.map { ($0, folder) }
    }

    /// The tests of a folder; nil where there is none.
    private func testNames(_ folder: ConfinedDirectory) throws(CommandFailure) -> [String]? {
        do throws(FileFailure) {
            return try folder.names().filter { $0.hasSuffix("_test.lua") }.sorted().map { "\(folder.path)/\($0)" }
        } catch {
            if error.kind == .missing { return nil }
            throw CommandFailure(status: .impossible, "cannot read the folder \(folder.path): \(error.reason)")
        }
    }

    private struct Output: Encodable {
        struct File: Encodable {
            let file: String
            let tests: [ScriptTestOutput]
            @Nullable var error: ScriptFailureOutput?

            init(_ file: String, _ run: ScriptRun) {
                self.file = file
                tests = run.report.tests.map(ScriptTestOutput.init)
                error = run.failure.map(ScriptFailureOutput.init)
            }
        }

        let files: [File]
        @Nullable var coverage: Coverage?
        let passed: Int
        let failed: Int
        let skipped: Int
        let milliseconds: Double

        init(_ runs: [(file: String, run: ScriptRun)], elapsed: Duration, _ coverage: Coverage?) {
            self.coverage = coverage
            files = runs.map(File.init)
            passed = runs.map(\.run.report.passed).reduce(0, +)
            failed = runs.map(\.run.report.failed).reduce(0, +)
            skipped = runs.map(\.run.report.skipped).reduce(0, +)
            milliseconds = elapsed.milliseconds
        }
    }
}
