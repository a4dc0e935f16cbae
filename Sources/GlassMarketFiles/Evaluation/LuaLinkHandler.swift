import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import LuaBridge
import LuaSyntax

/// A function of a market file that handles links, within the limits of the market.
final class LuaLinkHandler: LinkHandling {
    /// The environment in which the functions of a market run.
    struct ExecutionContext: Sendable {
        /// The Lua state that owns the functions.
        let state: LuaState
        /// The limits that the handlers of one link share.
        let limits: LuaLimits
        /// Measures what the functions use.
        let meter: MarketMeter
        /// The source files of the market, once all of them are read. They are used to find the column at which a
        /// function failed.
        let texts = Lock<[MarketFile]>([])
    }

    private let function: LuaFunction
    private let place: ExecutionContext

    init(_ function: LuaFunction, _ place: ExecutionContext) {
        self.function = function
        self.place = place
    }

    /// Calls the market's function with the link and the navigation state.
    func handle(_ link: DeepLink, state navigation: DeepLinkNavigationState, routable id: String) throws -> Bool {
        let budget = link.budget ?? HandlerBudget()
        let used = budget.used
        let left = try place.limits.left(after: used)
        do {
            return try perform(link, navigation, id, left, budget)
        } catch {
            throw place.limits.shared(located(error), after: used)
        }
    }

    /// Adds the column to an error that Lua raised, if only one position on the line fits.
    private func located(_ error: any Error) -> any Error {
        guard case LuaError.runtime(var detail) = error, let position = detail.position, position.column == nil,
            let file = place.texts.withLock({ texts in texts.first { $0.file == position.chunk } })
        else { return error }
        let raiser = detail.traceback.first.flatMap { $0.kind == .native ? $0.function : nil }
        detail.position?.column = LuaErrorColumn.find(
            detail.message, line: position.line, in: LuaTree(file.bytes), raisedBy: raiser)
        return LuaError.runtime(detail)
    }

    private func perform(
        _ link: DeepLink, _ navigation: DeepLinkNavigationState, _ id: String, _ limits: LuaLimits,
        _ budget: HandlerBudget
    ) throws -> Bool {
        // The owner thread of the state runs no task of its own, so carry over the caller's container.
        let shared = Container.shared
        return try place.state.perform { context in
            try Container.$shared.withValue(shared) {
                let target = LuaNavigation(navigation)
                // Once the handler has ended, the changes belong to the navigation state and no longer count as Lua
                // memory.
                defer { context.giveBack(bytes: target.charged) }
                defer {
                    let usage = context.usage
                    budget.add(cpuTime: usage.cpuTime, instructions: usage.instructions)
                    place.meter.add(cpuTime: usage.cpuTime, memory: usage.memory)
                }
                return try context.evaluate(limits: limits) {
                    let target = try context.object(target, LuaNavigation.type)
                    switch try context.call(function, passing: LuaLink(link), target, returning: LuaValue.self) {
                    case .nil: return true
                    case .boolean(let taken): return taken
                    default:
                        throw MergeDirectiveError(message: "handle of \(id) must return true or false")
                    }
                }
            }
        }
    }
}

extension LuaLimits {
    /// The part of the limits that is left for the next handler of a link.
    fileprivate func left(after used: HandlerBudget.Usage) throws(LuaError) -> LuaLimits {
        var left = self
        left.cpuTime -= used.cpuTime
        left.instructions -= used.instructions
        if left.cpuTime <= .zero { throw .timeLimit(LuaErrorDetail(message: timeMessage)) }
        if left.instructions <= 0 { throw .instructionLimit(LuaErrorDetail(message: instructionMessage)) }
        return left
    }

    /// Describes a violation in terms of these limits, rather than of the part that was left.
    fileprivate func shared(_ error: any Error, after used: HandlerBudget.Usage) -> any Error {
        guard used.instructions > 0 || used.cpuTime > .zero, let error = error as? LuaError else { return error }
        var detail = error.detail
        switch error {
        case .timeLimit:
            detail.message = timeMessage
            return LuaError.timeLimit(detail)
        case .instructionLimit:
            detail.message = instructionMessage
            return LuaError.instructionLimit(detail)
        default: return error
        }
    }

    private var timeMessage: String {
        let (seconds, attoseconds) = cpuTime.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return "the handlers of the link together exceeded the time limit: \(milliseconds) ms of CPU time"
    }

    private var instructionMessage: String {
        "the handlers of the link together exceeded the instruction limit: \(instructions) instructions"
    }
}

/// A link as it is passed to a market's `handle`.
private struct LuaLink: LuaRepresentable {
    private let link: DeepLink

    init(_ link: DeepLink) {
        self.link = link
    }

    var luaValue: LuaValue {
        // Not a dictionary, so that the parameters keep the order of the link.
        func strings(_ pairs: [(String, String)]) -> LuaValue {
            .table(LuaTable(fields: pairs.map { ($0.0, $0.1.luaValue) }))
        }
        var query: [(String, String)] = []
        for item in link.queryItems where !query.contains(where: { $0.0 == item.name }) {
            query.append((item.name, item.value ?? ""))
        }
        let parameters = link.parameters.elements
        return .table(
            LuaTable(fields: [
                ("url", link.text.luaValue),
                ("scheme", link.scheme.luaValue),
                ("host", link.host.luaValue),
                ("path", link.segments.luaValue),
                ("pattern", link.pattern.luaValue),
                ("parameters", strings(parameters.map { ($0.name, $0.value) })),
                ("rawParameters", strings(parameters.filter(\.isAmbiguous).map { ($0.name, $0.rawValue) })),
                ("query", strings(query)),
            ]))
    }
}

/// The navigation state as it is passed to a market's `handle`.
///
/// The changes of a handler are kept until it has ended, and count as memory of the market until then.
final class LuaNavigation: Sendable {
    private let state: DeepLinkNavigationState
    private let bytes = Lock(0)

    init(_ state: DeepLinkNavigationState) {
        self.state = state
    }

    /// The number of bytes charged to the market.
    var charged: Int { bytes.withLock { $0 } }

    static let type = LuaObjectType(
        name: "navigation",
        methods: [
            "show": method("show") { state, arguments in
                state.show(
                    try arguments.string(0, "screen"), parameters: try arguments.strings(1, "parameters"))
            },
            "select": method("select") { state, arguments in state.select(tab: try arguments.string(0, "tab")) },
            "dismiss": method("dismiss") { state, _ in state.dismiss() },
            "reset": method("reset") { state, _ in state.reset() },
        ]
    ).property("tab") { (navigation: LuaNavigation) in navigation.state.snapshot.tab }

    /// The size of a change in bytes, without its strings.
    private static let bytesOfAChange = 256

    private static func method(
        _ name: String, _ body: @escaping @Sendable (DeepLinkNavigationState, ScriptArguments) throws -> Void
    ) -> LuaObjectType.Method {
        { context, object, arguments in
            guard let navigation = object as? LuaNavigation else { return [] }
            let values = try ScriptArguments(lua: arguments, method: name)
            let bytes = arguments.reduce(bytesOfAChange) { $0 + $1.footprint }
            try context.charge(bytes: bytes)
            navigation.bytes.withLock { $0 += bytes }
            try body(navigation.state, values)
            return []
        }
    }
}
