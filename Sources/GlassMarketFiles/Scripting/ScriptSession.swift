import GlassBase
import GlassDeepLinking
package import GlassMarkets
import GlassSchema
package import LuaBridge
import LuaSyntax

/// An interactive Lua session with the markets. Implements `glass-host repl`.
///
/// Globals live as long as the session; a `local` lives as long as its input, as in Lua's own prompt. The global
/// `market` is the selected market, and each market is also a global with its id as the name.
///
/// ```swift
/// let session = try ScriptSession(markets: MarketLoader(folder: MarketFolder(path: "markets")), market: "ca")
/// session.evaluate("market.config.currency")  // .values(["\"CAD\""])
/// ```
package final class ScriptSession: Sendable {
    /// The result of an input.
    package enum Outcome: Sendable, Equatable {
        /// The input is not complete; more lines may complete it.
        case incomplete
        /// The input ran. The values are Lua source that evaluates to them, with tables on several lines.
        case values([String])
        /// The input was ended by ``ScriptSession/interrupt()``.
        case interrupted
        /// The input raised an error.
        case failure(ScriptFailure)
    }

    /// The name of an input's text in errors.
    package static let inputName = "input"

    private let state: LuaState
    private let limits: LuaLimits
    private let module: GlassModule
    private let sources = ScriptSources()
    private let selected: Lock<String>
    private let run = Lock(Run())

    /// The state of the input that is running.
    private struct Run {
        var isOn = false
        var isInterrupted = false
    }

    /// Starts a session.
    package convenience init(
        markets: MarketLoader, market: String, limits: LuaLimits = .script,
        output: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(catalog: markets, market: market, limits: limits, output: output)
    }

    /// Starts a session with markets that are not necessarily Lua files.
    package init(
        catalog markets: any MarketCatalog, market: String, limits: LuaLimits = .script,
        output: @escaping @Sendable (String) -> Void
    ) throws {
        self.limits = limits
        module = GlassModule(markets: markets, sources: sources)
        selected = Lock(market)
        state = try LuaState(
            profile: .script, limits: limits, output: { output(String(decoding: $0.bytes, as: UTF8.self) + "\n") })
        try select(market)
        let module = module
        let selected = selected
        let ids = marketVariables()
        try state.perform { context in
            try context.evaluate(limits: limits) {
                try module.install(in: context)
                let handle = ScriptMarketHandle(of: module) { _ in try module.market(selected.withLock { $0 }) }
                try context.setGlobal("market", try context.object(handle, ScriptMarket.type))
                for id in ids {
                    let handle = ScriptMarketHandle(of: module) { _ in try module.market(id) }
                    try context.setGlobal(id, try context.object(handle, ScriptMarket.type))
                }
            }
        }
    }

    /// The id of the selected market.
    package var marketID: String { selected.withLock { $0 } }

    /// Selects a market.
    package func select(_ id: String) throws {
        _ = try module.market(id)
        selected.withLock { $0 = id }
    }

    /// Reloads the selected market.
    package func reload() throws -> MarketDifference {
        let before = try module.market(marketID).market
        let after = try module.reload(marketID).market
        return try MarketDifference(
            from: before, to: after, labels: (before: "before", after: "after"), budget: WorkBudget())
    }

    /// Whether an input is running.
    package var isRunning: Bool { run.withLock { $0.isOn } }

    /// Ends the input that is running. Can be called from any thread. A Swift function that the input called runs to
    /// its end.
    package func interrupt() -> Bool {
        run.withLock { run in
            guard run.isOn, !run.isInterrupted else { return false }
            run.isInterrupted = true
            state.interrupt()
            return true
        }
    }

    /// Runs an input, which is an expression or statements.
    package func evaluate(_ input: String) -> Outcome {
        sources.insert([MarketFile(file: Self.inputName, bytes: Array(input.utf8))])
        run.withLock { $0 = Run(isOn: true) }
        let outcome = outcome(of: input)
        let wasInterrupted = run.withLock { run in
            defer { run = Run() }
            // Under the lock, so that an interruption of this input cannot reach the next one.
            if run.isInterrupted { state.endInterruption() }
            return run.isInterrupted
        }
        if wasInterrupted, case .failure = outcome { return .interrupted }
        return outcome
    }

    private func outcome(of input: String) -> Outcome {
        let limits = limits
        do {
            return try state.perform { context in
                try context.evaluate(limits: limits) {
                    guard let function = try Self.load(input, in: context) else { return .incomplete }
                    return .values(try context.call(function).map(\.source))
                }
            }
        } catch LuaError.cycle(let path, let detail) where detail.traceback.isEmpty {
            // The input had ended already: the table that it returned contains itself.
            return .values(["nil --[[ a table that contains itself\(path.isEmpty ? "" : " at \(path)") ]]"])
        } catch let error as LuaError {
            return .failure(sources.failure(error))
        } catch {
            return .failure(
                ScriptFailure(
                    message: "\(error)", place: nil, line: nil, hint: nil, isApproximate: false, traceback: []))
        }
    }

    /// The completions of the last word in a line.
    package func completions(of word: String, behind line: String = "") -> [String] {
        if let names = arguments(behind: line) { return names.filter { $0.hasPrefix(word) }.sorted() }
        let separator = word.lastIndex { $0 == "." || $0 == ":" }
        let prefix = separator.map { String(word[...$0]) } ?? ""
        let start = String(word[(separator.map { word.index(after: $0) } ?? word.startIndex)...])
        let names = separator.map { members(of: String(word[..<$0]), methodsOnly: word[$0] == ":") } ?? globals()
        return names.filter { $0.hasPrefix(start) && StringFormat.identifier.matches($0) }.sorted().map { prefix + $0 }
    }

    /// The possible contents of a string that begins at the end of a line; nil if no string begins there, or if it can
    /// be any.
    private func arguments(behind line: String) -> [String]? {
        guard let quote = line.last, quote == "\"" || quote == "'" else { return nil }
        let call = line.dropLast().filter { $0 != " " && $0 != "(" }
        if call.hasSuffix("container:get") || call.hasSuffix("container:has") {
            // Services that cannot be used from a script are not included. A market that is gone has no services.
            return (try? module.market(marketID))?.serviceNames  // as above
        }
        return call.hasSuffix("glass.market") ? (try? marketIDs()) ?? [] : nil  // no completions without a folder
    }

    /// The ids of the markets that can be selected.
    package func marketIDs() throws -> [String] { try module.marketIDs() }

    private func globals() -> [String] {
        ["glass", "market"] + marketVariables() + Self.libraryNames
    }

    /// The ids of the markets that are variables at the prompt: those that can be names in Lua and are not yet others.
    private func marketVariables() -> [String] {
        // Without a folder, there are no variables; using a market reports the error.
        ((try? marketIDs()) ?? []).filter {
            $0.isLuaName && !Self.globalNames.contains($0)
                && $0 != "market"
        }
    }

    /// The names of the members of a chain of names; empty if the chain leads nowhere.
    private func members(of chain: String, methodsOnly: Bool) -> [String] {
        let names = chain.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ StringFormat.identifier.matches($0) }) else { return [] }
        let limits = limits
        let value: LuaValue?
        do {
            value = try state.perform { context in
                try context.evaluate(limits: limits) {
                    try context.call(try context.load(LuaSource("return \(chain)", chunkName: Self.inputName))).first
                }
            }
        } catch {
            // A chain that leads nowhere has no completions; running the line reports the error.
            return []
        }
        switch value {
        case .table(let table): return methodsOnly ? [] : table.fields.compactMap(\.key.stringValue)
        case .string:
            return methodsOnly
                ? ["byte", "find", "format", "gsub", "len", "lower", "match", "rep", "sub", "upper"] : []
        case .object(let object): return object.type.memberNames
        default: return []
        }
    }

    /// The names that a script can use without declaring them.
    static let globalNames = libraryNames + ["arg", "glass", "require"]

    private static let libraryNames = [
        "assert", "coroutine", "error", "ipairs", "math", "next", "os", "pairs", "pcall", "print", "select", "string",
        "table", "tonumber", "tostring", "type", "utf8", "xpcall",
    ]

    /// Compiles an input as an expression, or else as statements; nil if only its end is missing.
    private static func load(_ input: String, in context: LuaContext) throws(LuaError) -> LuaFunction? {
        do {
            return try context.load(LuaSource("return \(input)", chunkName: inputName))
        } catch {
            if isIncomplete(error) { return nil }
        }
        do {
            return try context.load(LuaSource(input, chunkName: inputName))
        } catch {
            if isIncomplete(error) { return nil }
            throw error
        }
    }

    /// Whether the compiler stopped at the end of the text. It writes the end without quotes, unlike every token.
    private static func isIncomplete(_ error: LuaError) -> Bool {
        if case .syntax(let detail) = error { detail.message.hasSuffix("near <eof>") } else { false }
    }
}
