package import GlassMarkets
import GlassSchema
package import LuaBridge

/// Runs Lua scripts against markets. Implements `glass-host run`.
package struct ScriptRunner: Sendable {
    private let markets: any MarketCatalog
    private let limits: LuaLimits
    private let output: @Sendable (String) -> Void

    /// Creates a runner.
    package init(
        markets: MarketLoader, limits: LuaLimits = .script, output: @escaping @Sendable (String) -> Void
    ) {
        self.init(catalog: markets, limits: limits, output: output)
    }

    /// Creates a runner for markets that are not necessarily Lua files.
    package init(
        catalog markets: any MarketCatalog, limits: LuaLimits = .script,
        output: @escaping @Sendable (String) -> Void
    ) {
        self.markets = markets
        self.limits = limits
        self.output = output
    }

    /// The limits of a script that are given on the command line.
    package static func limits(seconds: Double, megabytes: Int) -> LuaLimits {
        var limits = LuaLimits.script
        limits.cpuTime = .seconds(seconds)
        limits.wallTime = .seconds(seconds)
        limits.memory = megabytes * 1_048_576
        return limits
    }

    /// Runs a script.
    package func run(
        _ path: String, arguments: [String] = [], tests: ScriptTests = ScriptTests()
    ) throws -> ScriptRun {
        let file = ScriptFile(path)
        let sources = ScriptSources()
        let source = try file.script(limit: limits.sourceSize)
        sources.insert([MarketFile(file: path, bytes: source.bytes)])
        let limits = limits
        let output = output
        let state = try LuaState(
            profile: .script, limits: limits, output: { output(String(decoding: $0.bytes, as: UTF8.self) + "\n") },
            moduleLoader: { name in
                let module = try file.module(name, limit: limits.sourceSize)
                if let module { sources.insert([MarketFile(file: module.chunkName, bytes: module.bytes)]) }
                return module
            })
        let module = GlassModule(markets: markets, tests: tests, sources: sources)
        let failure: ScriptFailure? = try state.perform { context in
            do {
                try context.evaluate(limits: limits) {
                    try module.install(in: context)
                    try context.setGlobal("arg", Self.argumentTable(path, arguments))
                    try context.call(try context.load(source))
                }
                return nil
            } catch let error as LuaError {
                return sources.failure(error)
            }
        }
        return ScriptRun(report: module.report, failure: failure, opened: module.opened)
    }

    private static func argumentTable(_ path: String, _ arguments: [String]) -> LuaValue {
        .table(
            LuaTable(
                array: arguments.map { LuaValue($0) },
                entries: [LuaTable.Field(key: .integer(0), value: LuaValue(path))]))
    }
}

/// The tests of a script that run, and the markets that they use.
package struct ScriptTests: Sendable {
    /// A part of the names of the tests to run, regardless of case; nil runs all of them.
    package var filter: String?
    /// Whether each test loads markets of its own. Otherwise the markets live as long as the script.
    package var isolatesMarkets: Bool
    /// The maximum time of each test, both in CPU time and in elapsed time. The time of a test does not count as the
    /// script's then, and exceeding a limit ends the test and not the script. If nil, a test counts like any part of
    /// the script.
    package var limit: Duration?
    /// Functions that the global `glass` has besides the usual ones, by name.
    package var functions: [String: @Sendable (LuaContext, [LuaValue]) throws -> LuaValue] = [:]
    /// Called with the name of each test before it runs.
    package var willRun: @Sendable (String) -> Void = { _ in }

    /// Creates a selection of tests.
    package init(filter: String? = nil, isolatesMarkets: Bool = false) {
        self.filter = filter
        self.isolatesMarkets = isolatesMarkets
    }

    /// Whether a test runs.
    func runs(_ name: String) -> Bool {
        filter.map { name.lowercased().contains($0.lowercased()) } ?? true
    }
}

/// The result of running a script.
package struct ScriptRun: Sendable, Equatable {
    /// The tests that ran.
    package let report: ScriptReport
    /// The error that ended the script, if any.
    package let failure: ScriptFailure?
    /// The routes through which links were opened.
    package let opened: OpenedRoutes

    /// The size of its texts as they are shown, in bytes, including an estimate for the text between them.
    package var byteCount: Int {
        report.tests.reduce(failure?.byteCount ?? 0) { $0 + $1.byteCount }
    }

    /// Whether the script ran to its end and no test failed.
    package var succeeded: Bool { failure == nil && report.failed == 0 }
}

/// The reason why a script could not be run.
package enum ScriptRunnerError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(_ path: String, reason: String)

    /// A message with the path and the reason.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read the script \(path): \(reason)"
        }
    }
}
