import GlassDeepLinking
import GlassSchema
import LuaBridge

/// The `glass` module of scripts: markets, tests and expectations.
final class GlassModule: Sendable {
    private let markets: MarketLoader
    private let state = Lock(Contents())

    private struct Contents: Sendable {
        var report = ScriptReport()
        var loaded: [String: Market] = [:]
    }

    init(markets: MarketLoader) {
        self.markets = markets
    }

    /// What the tests came to so far.
    var report: ScriptReport { state.withLock { $0.report } }

    /// Gives a state the global `glass`.
    ///
    /// - Parameter context: The state's context.
    /// - Throws: `LuaError` when the state has no memory for it.
    func install(in context: LuaContext) throws(LuaError) {
        let functions: [(String, LuaValue)] = [
            (
                "markets",
                try context.function("glass.markets") { [self] _, _ in
                    [.table(LuaTable(array: try markets.folder.marketIDs().map { .string(LuaString($0)) }))]
                }
            ),
            (
                "market",
                try context.function("glass.market") { [self] context, arguments in
                    guard let id = arguments.first?.stringValue else {
                        throw ScriptAssertion("glass.market expects the id of a market, such as \"us\"")
                    }
                    return [try context.object(try market(id), ScriptMarket.type)]
                }
            ),
            (
                "test",
                try context.function("glass.test") { [self] context, arguments in
                    guard let name = arguments.first?.stringValue, arguments.count > 1,
                        case .function(let body) = arguments[1]
                    else { throw ScriptAssertion("glass.test expects a name and a function") }
                    try test(name, body, in: context)
                    return []
                }
            ),
            (
                "expect",
                try context.function("glass.expect") { context, arguments in
                    [try context.object(ScriptExpectation(arguments.first ?? .nil), ScriptExpectation.type)]
                }
            ),
        ]
        try context.setGlobal("glass", .table(LuaTable(fields: functions)))
    }

    private func market(_ id: String) throws -> Market {
        if let market = state.withLock({ $0.loaded[id] }) { return market }
        let market = try markets.load(id)
        market.preconditions.satisfyAll()
        state.withLock { $0.loaded[id] = market }
        return market
    }

    private func test(_ name: String, _ body: LuaFunction, in context: LuaContext) throws {
        var failure: ScriptFailure?
        do {
            _ = try context.call(body, [])
        } catch {
            guard !error.isLimit else { throw error }
            failure = ScriptFailure(error)
        }
        let test = ScriptReport.Test(name: name, failure: failure)
        state.withLock { $0.report.tests.append(test) }
    }
}
