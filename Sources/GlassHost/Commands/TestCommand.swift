import ArgumentParser
import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import GlassAuthoring

struct TestCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs the Lua tests of the markets.",
        usage: "glass-host test [<options>] [<files> ...]",
        discussion: """
            Runs the named scripts and all files ending in _test.lua in the named folders or, by default, all \
            scripts/*_test.lua and policies/*_test.lua next to the markets folder. In a test script, glass.test(name, \
            fn) defines a test, and glass.test(name, cases, fn) defines one for each case in a table. Each test gets \
            its own markets. Unless you pass --services live, permissions, location, and services that access external \
            systems are mocks. To control a mock, call glass.mock(market, name), where the name is "Networking", \
            "LocationPermissionProvider", "LocationUpdatesProvider", or "HostClock". glass.fixture { extends = "us", ... \
            } creates a market for a test, and glass.change { rule = ... } creates a change; their denials() method \
            returns what the policies deny.

            A test that raises an error or takes longer than --test-timeout fails, but the others still run. --timeout \
            limits the code outside the tests. For each market, --coverage lists the routes that no test opened and \
            the handlers that no test ran.

            Exits with 1 if a test fails or a script raises an error, and with 2 if there are no tests to run.

            --watch runs the tests again whenever a Lua file changes in the folders of the scripts, the policies, or \
            the markets, until you press Ctrl-C. With --format json, each run is printed as an object on one line.

            EXAMPLES
              glass-host test
              glass-host test scripts/links_test.lua --filter account -v
              glass-host test policies/
              glass-host test --watch -q
              glass-host test --junit test-results.xml
            """
    )

    static let servicesByDefault = ServiceSet.scripted
    /// Twice the limit of one script, so that a script that prints too much reaches its own limit first.
    private static var maximumBytes: Int { 2 * CommandContext.current.outputLimit }

    var resultLimit: Int? { watch ? nil : Self.maximumBytes }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @OptionGroup(title: "Limits") var limits: ScriptLimitOptions

    @Option(
        help: ArgumentHelp(
            "The maximum CPU time and elapsed time of each test, in seconds.", valueName: "seconds"))
    var testTimeout = 10.0

    @Flag(help: "List the routes that no test opened and the handlers that no test ran.")
    var coverage = false

    @Option(help: ArgumentHelp("Run only tests whose name contains this text.", valueName: "text"))
    var filter: String?

    @Option(help: ArgumentHelp("Also write the results as JUnit XML, for CI systems.", valueName: "file"))
    var junit: String?

    @Flag(help: "Run the tests again after every change, until you press Ctrl-C.")
    var watch = false

    @Flag(help: "With --watch, poll the folders twice a second, for file systems that do not report changes.")
    var poll = false

    @OptionGroup var policies: PolicyOptions

    @Argument(help: "The test scripts, or folders that contain them.", completion: .file(extensions: ["lua"]))
    var files: [String] = []

    func validateArguments() throws {
        if poll, !watch { throw ValidationError("--poll requires --watch") }
        guard testTimeout > 0, testTimeout <= 86_400 else {
            throw ValidationError("--test-timeout takes more than 0 and at most 86400 seconds, got \(testTimeout)")
        }
    }

    func run(in session: Session) throws {
        guard watch else { return try runOnce(in: session) }
        try keepRunning(in: session) {
            try runOnce(in: session.forOneRequest.forOneResult(limit: Self.maximumBytes))
        }
    }

    /// Runs the tests once.
    func runOnce(in session: Session) throws {
        let runs = try runAll(in: session)
        if let junit { try OutputFile.write(JUnitReport(suites: runs).text, to: junit) }
        let tests = runs.flatMap(\.run.report.tests)
        if tests.isEmpty, !runs.contains(where: { $0.run.failure != nil }) {
            throw CommandFailure(
                status: .impossible,
                filter.map { "no test name contains \($0.quotedForMessage)" } ?? "the scripts contain no tests")
        }
        guard runs.allSatisfy(\.run.succeeded) else { throw CommandFailure(status: .no) }
    }

    /// Runs every script and prints its results.
    private func runAll(in session: Session) throws -> [(file: String, run: ScriptRun)] {
        let console = session.console
        let markets = try session.markets()
        let runner = ScriptRunner(catalog: markets, limits: limits.limits) { text in
            console.printed(DisplayText(lines: text))
        }
        let progress = Progress(console)
        defer { progress.finish() }
        var choice = ScriptTests(filter: filter, isolatesMarkets: true)
        choice.limit = .seconds(testTimeout)
        let start = ContinuousClock.now
        let files = try testFiles()
        let loader = try session.loader()
        var usual = try session.policies(in: policies.policies)
        // Tests have limits of their own, and the result of one must not depend on those before it.
        usual.account = nil
        // The reports stay in memory until the last script has ended.
        let kept = OutputLimit(bytes: Self.maximumBytes)
        let runs = try files.enumerated().map { index, entry in
            let file = entry.path
            progress.show("running", file, index, of: files.count)
            let own = entry.folder.map { PolicySet(reading: MarketFolder(path: $0)) }
            choice.functions = PolicyTestHarness(policies: own ?? usual, markets: loader).functions
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
        let covered = coverage ? try Coverage(runs.map(\.run.opened), markets, session) : nil
        if console.isJSON {
            let output = json(of: runs, elapsed: elapsed, covered)
            try watch ? console.line(json: output) : console.result(json: output)
        } else {
            if let covered { console.result(covered.text) }
            if !console.isQuiet { printSummary(of: runs, elapsed, on: console) }
        }
        return runs
    }

    /// Prints how many tests passed and failed, and then the names of those that failed, one per line.
    private func printSummary(
        of runs: [(file: String, run: ScriptRun)], _ elapsed: Duration, on console: Console
    ) {
        let reports = runs.map(\.run.report)
        let skipped = reports.map(\.skipped).reduce(0, +)
        let broken = runs.count { $0.run.failure != nil }
        console.result(
            "\(reports.map(\.passed).reduce(0, +)) passed, \(reports.map(\.failed).reduce(0, +)) failed"
                + (broken > 0 ? ", \(broken) \(broken == 1 ? "script" : "scripts") ended with an error" : "")
                + (skipped > 0 ? ", \(skipped) skipped by the filter" : "") + " in \(elapsed.milliseconds) ms")
        for (file, run) in runs {
            for test in run.report.tests where test.failure != nil {
                console.result("\("FAIL", .red) \(file): \(test.name)")
            }
            if run.failure != nil { console.result("\("FAIL", .red) \(file): the script did not finish") }
        }
    }

    private func print(_ run: ScriptRun, of file: String, on console: Console) {
        if !console.isQuiet { console.result("\(file, .bold)") }
        console.print(run.report.tests)
        if let failure = run.failure { console.error("error: \(console.text(of: failure))") }
    }

    /// A test script and, if the user named its folder, that folder, which then contains the policies, too.
    private typealias TestFile = (path: String, folder: String?)

    /// The files that the user named, or else the tests in the scripts and policies folders.
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

    /// The named script, or the tests in the named folder.
    private func testFiles(named name: String) throws -> [TestFile] {
        guard ConfinedDirectory.isFolder(name) else { return [(name, nil)] }
        let folder = MarketFolder(path: name).path
        guard let tests = try testNames(ConfinedDirectory(folder)), !tests.isEmpty else {
            throw CommandFailure(status: .impossible, "there is no \(folder)/*_test.lua; write one, or name a script")
        }
        return tests.map { ($0, folder) }
    }

    /// The tests in a folder; nil if the folder does not exist.
    private func testNames(_ folder: ConfinedDirectory) throws(CommandFailure) -> [String]? {
        do throws(FileFailure) {
            return try folder.names().filter { $0.hasSuffix("_test.lua") }.sorted().map { "\(folder.path)/\($0)" }
        } catch {
            if error.kind == .missing { return nil }
            throw CommandFailure(status: .impossible, "cannot read the folder \(folder.path): \(error.reason)")
        }
    }

    private func json(
        of runs: [(file: String, run: ScriptRun)], elapsed: Duration, _ coverage: Coverage?
    ) -> JSONObject {
        let files: [JSONObject] = runs.map { file, run in
            ["file": file, "tests": run.report.tests.map(\.json), "error": run.failure?.json]
        }
        let reports = runs.map(\.run.report)
        return [
            "files": files, "coverage": coverage?.json, "passed": reports.map(\.passed).reduce(0, +),
            "failed": reports.map(\.failed).reduce(0, +), "skipped": reports.map(\.skipped).reduce(0, +),
            "milliseconds": elapsed.milliseconds,
        ]
    }
}

extension TestCommand {
    /// Runs the tests now and after every change of a script or a market, until a signal ends the process.
    func keepRunning(in session: Session, _ runOnce: () throws -> Void) throws -> Never {
        let console = session.console
        let folders = Self.watchedFolders(
            scripts: files, usual: options.scripts, policies: policies.policies ?? options.policies,
            markets: options.markets)
        let watch: LuaFileWatch
        do {
            watch = try LuaFileWatch(folders, method: poll ? .polling(every: .milliseconds(500)) : .automatic)
        } catch {
            throw CommandFailure(status: .impossible, "\(error) (--poll)")
        }
        note("watching \(folders.joined(separator: ", ")) (\(watch.method)); Ctrl-C ends", on: console)
        var hasPassed: Bool?
        while true {
            // Taken before the run, so that changes during the run are detected, too.
            let before = watch.files()
            let hadPassed = hasPassed
            do {
                try runOnce()
                hasPassed = true
            } catch {
                hasPassed = false
                let message = (error as? CommandFailure).map(\.message) ?? "\(error)"
                if let message { console.error(message) }
            }
            note(Self.verdict(hasPassed, after: hadPassed, at: Date.now.clockTime), on: console)
            let changed = watch.changes(since: before)
            let others: DisplayText = changed.count > 1 ? " and \(changed.count - 1) more" : ""
            note("\n\(Date.now.clockTime) \(changed[0])\(others) changed", on: console)
        }
    }

    /// The line after a run: when it ended, and whether the tests pass again.
    static func verdict(_ hasPassed: Bool?, after hadPassed: Bool?, at time: String) -> DisplayText {
        switch (hadPassed, hasPassed) {
        case (false?, true?): "\(time) green again"
        case (_, true?): "\(time) green"
        case (false?, _): "\(time) still red"
        default: "\(time) red"
        }
    }

    /// Prints progress for people; JSON output is for programs.
    private func note(_ text: DisplayText, on console: Console) {
        if !console.isJSON, !console.isQuiet { console.result(text.styled(.dim)) }
    }

    /// The folders that the tests depend on: the scripts with what they require, the policies, and the markets.
    static func watchedFolders(scripts: [String], usual: String, policies: String, markets: String) -> [String] {
        let folders = scripts.map { script in
            if ConfinedDirectory.isFolder(script) { return MarketFolder(path: script).path }
            guard let slash = script.lastIndex(of: "/") else { return "." }
            return slash == script.startIndex ? "/" : String(script[..<slash])
        }
        var seen: Set<String> = []
        let others = (ConfinedDirectory.isFolder(policies) ? [policies] : []) + [MarketFolder(path: markets).path]
        return ((folders.isEmpty ? [usual] : folders) + others)
            .filter { seen.insert($0).inserted }
    }
}
