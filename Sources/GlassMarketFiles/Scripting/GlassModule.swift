import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import LuaBridge

/// The `glass` module of scripts: markets, tests and expectations.
final class GlassModule: Sendable {
    private let markets: any MarketCatalog
    private let tests: ScriptTests
    private let sources: ScriptSources
    private let state = Lock(Contents())
    private let returned = DeferredRelease()
    /// Separate from the markets, because their deep linkers hold it.
    private let openedRoutes = Lock(OpenedRoutes())

    /// The maximum length of a test's name, in bytes. A longer name is shortened.
    private static let maximumNameLength = 256
    /// The maximum number of tests. A script that runs more is stopped by an error.
    private static let maximumTests = 10_000

    /// The maximum output of a test, in bytes.
    private static let outputOfATest = 1 << 20
    /// The maximum number of tests that may exceed a limit. A script with more is stopped, because each of the
    /// remaining tests would also take all of its time.
    private static let maximumEnded = 10

    private struct Contents: Sendable {
        var report = ScriptReport()
        /// The number of tests that exceeded a limit.
        var ended = 0
        var loaded: [String: HeldMarket] = [:]
        /// The bytes charged to the script for the markets that it requested.
        var charged = 0
    }

    /// Creates the module for one run.
    init(markets: any MarketCatalog, tests: ScriptTests = ScriptTests(), sources: ScriptSources = ScriptSources()) {
        self.markets = markets
        self.tests = tests
        self.sources = sources
    }

    /// The results of the tests so far.
    var report: ScriptReport { state.withLock { $0.report } }

    /// The routes that have been opened so far.
    var opened: OpenedRoutes { openedRoutes.withLock { $0 } }

    /// Defines the global `glass` in a state.
    func install(in context: LuaContext) throws(LuaError) {
        var functions: [(String, LuaValue)] = [
            (
                "markets",
                try context.function("glass.markets") { [self] _, _ in
                    [try markets.marketIDs().luaValue]
                }
            ),
            (
                "market",
                try context.function("glass.market") { [self] context, arguments in
                    guard let id = arguments.first?.stringValue else {
                        throw ScriptAssertion("glass.market expects the id of a market, such as \"us\"")
                    }
                    var handle = ScriptMarketHandle(of: self) { try self.market(id, in: $0) }
                    if arguments.count > 1, arguments[1] != .nil {
                        handle = handle.with(try ScriptMarket.attributes(arguments[1], of: "glass.market"))
                    }
                    // Now, so that the script fails where it names the market.
                    _ = try handle.market(context)
                    return [try context.object(handle, ScriptMarket.type)]
                }
            ),
            (
                "test",
                try context.function("glass.test") { [self] context, arguments in
                    try test(arguments, in: context)
                    return []
                }
            ),
            (
                "mock",
                try context.function("glass.mock") { [self] context, arguments in
                    [try mock(arguments, in: context)]
                }
            ),
            (
                "expect",
                try context.function("glass.expect") { context, arguments in
                    [try ScriptExpectation(arguments.first ?? .nil).luaValue(in: context)]
                }
            ),
        ]
        for (name, function) in tests.functions {
            functions.append((name, try context.function("glass.\(name)") { [try function($0, $1)] }))
        }
        try context.setGlobal("glass", .table(LuaTable(fields: functions)))
    }

    /// The ids of all markets.
    func marketIDs() throws -> [String] { try markets.marketIDs() }

    /// A market, loaded when it is first needed.
    func market(_ id: String) throws -> HeldMarket {
        if let market = state.withLock({ $0.loaded[id] }) { return market }
        return try reload(id)
    }

    /// A market that the script requests. Its size counts as the script's memory until the next test gets markets of
    /// its own.
    private func market(_ id: String, in context: LuaContext) throws -> HeldMarket {
        if let held = state.withLock({ $0.loaded[id] }) { return held }
        let held = try reload(id, for: context)
        let bytes = held.market.footprint
        returned.giveBack(in: context)
        try context.charge(bytes: bytes)
        state.withLock { $0.charged += bytes }
        return held
    }

    /// A market in another situation. The same market and attributes give the same object until the next test, so that
    /// what a script opens in it stays open.
    func market(
        _ base: HeldMarket, with data: [String: ConfigurationValue], in context: LuaContext
    ) throws -> HeldMarket {
        let id = base.market.id
        let attributes = try base.market.attributes.context(from: data, zones: .system)
        var whole = base.market.given.live
        whole.values.merge(attributes.values) { $1 }
        let key = "\(id) \(whole.commandText)"
        if let market = state.withLock({ $0.loaded[key] }) { return market }
        let market = try base.market.with(attributes)
        guard market !== base.market else { return base }
        let held = prepared(market)
        let bytes = held.market.footprint
        returned.giveBack(in: context)
        try context.charge(bytes: bytes)
        state.withLock { state in
            state.charged += bytes
            state.loaded[key] = held
        }
        return held
    }

    /// Releases the markets. Objects of them that the script keeps, such as a container, are counted on their own.
    private func forgetMarkets(in context: LuaContext) {
        let charged = state.withLock { state in
            state.loaded = [:]
            defer { state.charged = 0 }
            return state.charged
        }
        context.giveBack(bytes: charged)
    }

    /// Loads a market, even if it was loaded before.
    @discardableResult
    func reload(_ id: String, for context: LuaContext? = nil) throws -> HeldMarket {
        let check = try markets.check(id, within: context?.timeLeft)
        // This is the Lua part only: the rest of the load ran on the script's own thread, which is measured anyway.
        context?.charge(cpuTime: check.cost.cpuTime)
        guard let market = check.market else {
            try context?.checkTime()
            throw MarketError.invalid(id, findings: check.findings)
        }
        sources.insert(market.origin.files)
        let held = prepared(market)
        state.withLock { state in
            state.loaded[id] = held
            // Those in other situations were read from the market before.
            for key in state.loaded.keys where key.hasPrefix("\(id) ") { state.loaded[key] = nil }
        }
        return held
    }

    /// A market whose opened routes are recorded, and whose links wait for nothing.
    private func prepared(_ market: Market) -> HeldMarket {
        let id = market.id
        market.deepLinker.updateHooks { hooks in
            hooks.outcomeHandler = { [openedRoutes, next = hooks.outcomeHandler] result in
                openedRoutes.withLock { $0.insert(result, of: id) }
                next?(result)
            }
        }
        market.preconditions.satisfyAll()
        return HeldMarket(market, returned: returned)
    }

    /// Implements `glass.test(name, body)` and `glass.test(name, cases, body)`.
    private func test(_ arguments: [LuaValue], in context: LuaContext) throws {
        guard let name = arguments.first?.stringValue?.shortened(toBytes: Self.maximumNameLength) else {
            throw ScriptAssertion(
                "glass.test expects a name and a function, or a name, a table of cases and a function")
        }
        if arguments.count > 1, case .function(let body) = arguments[1] { return try test(name, body, [], in: context) }
        guard arguments.count > 2, case .table(let cases) = arguments[1], case .function(let body) = arguments[2] else {
            throw ScriptAssertion(
                "glass.test expects a name and a function, or a name, a table of cases and a function")
        }
        guard !cases.isEmpty else { throw ScriptAssertion("glass.test got no cases for \(name.quotedForMessage)") }
        for (offset, element) in cases.array.enumerated() {
            try test("\(name)\(Self.suffix(ofCase: element, number: offset + 1))", body, [element], in: context)
        }
        // The keys of a table have no order, so the cases run in the order of their names.
        let named = cases.fields.map { field in
            (
                name: field.key.stringValue?.shortened(toBytes: Self.maximumNameLength) ?? field.key.literal,
                value: field.value
            )
        }
        for element in named.sorted(by: { $0.name < $1.name }) {
            try test("\(name): \(element.name)", body, [element.value], in: context)
        }
    }

    /// What distinguishes a case of a list in the name of its test: the case's own name, or else its number.
    private static func suffix(ofCase element: LuaValue, number: Int) -> String {
        guard case .table(let table) = element, let name = table["name"]?.stringValue, !name.isEmpty else {
            return " #\(number)"
        }
        return ": \(name.shortened(toBytes: maximumNameLength))"
    }

    private func test(_ name: String, _ body: LuaFunction, _ arguments: [LuaValue], in context: LuaContext) throws {
        guard tests.runs(name) else { return state.withLock { $0.report.skipped += 1 } }
        guard state.withLock({ $0.report.tests.count }) < Self.maximumTests else {
            throw ScriptAssertion("a script may have at most \(Self.maximumTests) tests")
        }
        tests.willRun(name)
        if tests.isolatesMarkets { forgetMarkets(in: context) }
        var failure: ScriptFailure?
        let start = ContinuousClock.now
        do throws(LuaError) {
            if let limit = tests.limit {
                _ = try context.part(time: limit, outputSize: Self.outputOfATest) { () throws(LuaError) in
                    try context.call(body, arguments)
                }
            } else {
                _ = try context.call(body, arguments)
            }
        } catch {
            if error.isLimit {
                guard tests.limit != nil else { throw error }
                // Instructions are limited for the whole script, so a script that has none left ends here.
                try context.checkTime()
                state.withLock { $0.ended += 1 }
            }
            failure = sources.failure(error)
        }
        let test = ScriptReport.Test(name: name, failure: failure, duration: ContinuousClock.now - start)
        // The report is kept until the script has ended, and is written then.
        try context.charge(bytes: test.byteCount + MemoryLayout<ScriptReport.Test>.stride)
        try context.chargeOutput(bytes: test.byteCount)
        let ended = state.withLock { state in
            state.report.tests.append(test)
            return state.ended
        }
        guard ended <= Self.maximumEnded else {
            throw ScriptAssertion("more than \(Self.maximumEnded) tests exceeded a limit; the rest were skipped")
        }
    }

    /// Implements `glass.mock(market, service)`: the controls of a mock.
    private func mock(_ arguments: [LuaValue], in context: LuaContext) throws -> LuaValue {
        let held: HeldMarket
        if let handle = arguments.first?.object(as: ScriptMarketHandle.self) {
            held = try handle.market(context)
        } else if let id = arguments.first?.stringValue {
            held = try market(id, in: context)
        } else {
            throw ScriptAssertion("glass.mock expects a market and the name of a service")
        }
        guard let name = arguments.dropFirst().first?.stringValue else {
            throw ScriptAssertion("glass.mock expects a market and the name of a service")
        }
        let module = held.market.module
        guard let service = module.service(named: name)?.resolve(in: held.market.container) else {
            let near = Suggestion.nearest(to: name, in: module.services.map(\.name))
            throw ScriptAssertion(
                "the market \(held.market.id) has no service \(name.quotedForMessage)"
                    + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
        }
        guard let mock = service as? any ScriptedMock else {
            throw ScriptAssertion(
                "the service \(name) of this market is not a controllable mock; `test` mocks external services "
                    + "only, --services mock mocks all")
        }
        return try ScriptObject(MockControls(of: mock, name: name), of: held).luaValue(
            in: context, holding: held.market.footprint)
    }
}
