import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import LuaBridge

/// The Lua types for a market in a script.
enum ScriptMarket {
    /// The Lua type of a `Market`.
    static let type: LuaObjectType = LuaObjectType(
        name: "market",
        methods: [
            "with": { context, object, arguments in
                guard let handle = object as? ScriptMarketHandle else { return [] }
                let other = handle.with(try attributes(arguments.first ?? .nil, of: "market:with"))
                // Now, so that the script fails where it names the situation.
                _ = try other.market(context)
                return [try context.object(other, type)]
            },
            "open": method { market, context, arguments in
                let result = market.open(try arguments.string(0, "url"))
                return [try ScriptConversion.luaValue(result.scriptValue, in: context)]
            },
            "canRoute": method { market, _, arguments in
                [.boolean(market.deepLinker.canRoute(deepLink: try arguments.string(0, "url")))]
            },
            "explain": method { market, context, arguments in
                // In a copy, so that the navigation state of the script's market stays as it is.
                let trial = LinkTrial(try market.copy(), holding: market.preconditions.unmet)
                let explanation = try trial.explanation(
                    of: try arguments.string(0, "url"), budget: budget(in: context))
                return [try ScriptConversion.luaValue(explanation.scriptValue, in: context)]
            },
            "link": method { market, context, arguments in
                let parameters = try arguments.strings(1, "parameters")
                let link = try market.link(
                    to: try arguments.string(0, "routable"), parameters: parameters, budget: budget(in: context))
                return [LuaValue(link)]
            },
            "flag": method { market, context, arguments in
                let name = try arguments.string(0, "name")
                guard let flag = market.flags.set.flags[name] else {
                    let near = Suggestion.nearest(to: name, in: market.flags.set.flags.keys.sorted())
                    throw ScriptAssertion(
                        "the market \(market.id) has no flag \(name.quotedForMessage)"
                            + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
                }
                let found = flag.evaluate(in: market.situation.live)
                var result: [String: ScriptValue] = [
                    "value": ScriptValue(found.outcome.value), "reason": .string(found.reason.rawValue),
                ]
                result["variant"] = found.outcome.variant.map { .string($0) }
                result["rule"] = found.rule.map { .string(flag.rules[$0].name) }
                result["missingUnit"] = found.missingUnit.map { .string($0) }
                return [try ScriptConversion.luaValue(.map(result), in: context)]
            },
            "flags": method { market, context, _ in
                let values = market.flags.set.flags.mapValues { flag in
                    ScriptValue(flag.evaluate(in: market.situation.live).outcome.value)
                }
                return [try ScriptConversion.luaValue(.map(values), in: context)]
            },
        ],
        properties: [
            "container": held(as: container),
            "preconditions": held(as: preconditions),
            "id": property { market, _ in market.id.luaValue },
            "name": property { market, _ in market.definition.name.luaValue },
            "config": property { market, context in
                let config = try market.effective(at: "", spending: budget(in: context), on: .listing)
                return try config.map {
                    try ScriptConfiguration.luaValue($0.value, of: market.schema.declaration, in: context)
                } ?? .nil
            },
            "routes": property { market, context in
                let routes = try market.routes(budget: budget(in: context)).map { route in
                    ScriptValue.map(["routable": .string(route.routable), "pattern": .string(route.pattern)])
                }
                return try ScriptConversion.luaValue(.list(routes), in: context)
            },
        ])

    /// The attributes of a situation in a script's table.
    static func attributes(
        _ value: LuaValue, of function: String
    ) throws -> [String: ConfigurationValue] {
        guard case .table(let table) = value, table.array.isEmpty else {
            throw ScriptAssertion("\(function) expects a table of attributes, such as { build = \"debug\" }")
        }
        var attributes: [String: ConfigurationValue] = [:]
        for field in table.fields {
            guard let name = field.key.stringValue else {
                throw ScriptAssertion("\(function) expects a table of attributes, such as { build = \"debug\" }")
            }
            guard let value = ConfigurationValue(attribute: field.value) else {
                throw ScriptAssertion(
                    "\(function): \(name): expected text, a number, true, false, or a list of names")
            }
            attributes[name] = value
        }
        return attributes
    }

    /// The budget for one request to a market: as many steps as a command has, within the script's remaining time.
    private static func budget(in context: LuaContext) -> WorkBudget {
        let usual = WorkBudget().cpuTime
        return WorkBudget(cpuTime: context.timeLeft.map { min($0, usual) } ?? usual)
    }

    /// Runs a request with a budget; if the script's own time ran out, throws the script's limit.
    private static func asking<Result>(in context: LuaContext, _ question: () throws -> Result) throws -> Result {
        do {
            return try question()
        } catch let exceeded as WorkBudget.Exceeded {
            try context.checkTime()
            throw exceeded
        }
    }

    /// The services of a market.
    static let container = LuaObjectType(
        name: "container",
        methods: [
            "has": { _, object, arguments in
                let name = try ScriptArguments(lua: arguments, method: "has").string(0, "name")
                return [.boolean(service(name, in: object) != nil)]
            },
            "get": { context, object, arguments in
                let name = try ScriptArguments(lua: arguments, method: "get").string(0, "name")
                guard let held = object as? HeldMarket, let service = held.market.module.service(named: name),
                    service.resolve(in: held.market.container) != nil
                else {
                    let near = Suggestion.nearest(to: name, in: services(of: object).map(\.name))
                    throw ScriptAssertion(
                        "the container has no service \(name.quotedForMessage)"
                            + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
                }
                guard let callable = service.scriptObject(in: held.market.container) else {
                    throw ScriptAssertion(
                        "the service \(name) cannot be used from a script: its type must conform "
                            + "to ScriptCallable")
                }
                return [
                    try ScriptObject(callable, of: held).luaValue(in: context, holding: held.market.footprint)
                ]
            },
            "services": { _, object, _ in
                let names = services(of: object).map(\.name).filter { service($0, in: object) != nil }
                return [names.luaValue]
            },
        ],
        properties: [:])

    /// The preconditions of a market, for a script.
    static let preconditions = LuaObjectType(
        name: "preconditions",
        methods: [
            "satisfy": preconditionMethod("satisfy") { registry, name in try registry.satisfy(name) },
            "reset": preconditionMethod("reset") { registry, name in try registry.reset(name) },
            "unmet": { _, object, _ in
                let names = (object as? HeldMarket)?.market.preconditions.unmet ?? []
                return [names.luaValue]
            },
        ],
        properties: [:])

    private static func service(_ name: String, in object: any AnyObject & Sendable) -> Any? {
        guard let held = object as? HeldMarket else { return nil }
        return held.market.module.service(named: name)?.resolve(in: held.market.container)
    }

    private static func services(of object: any AnyObject & Sendable) -> [Service] {
        (object as? HeldMarket)?.market.module.services ?? []
    }

    private static func method(
        _ body: @escaping @Sendable (Market, LuaContext, ScriptArguments) throws -> [LuaValue]
    ) -> LuaObjectType.Method {
        { context, object, arguments in
            guard let handle = object as? ScriptMarketHandle else { return [] }
            let held = try handle.market(context)
            let arguments = try ScriptArguments(lua: arguments, method: "market")
            let results = try asking(in: context) { try body(held.market, context, arguments) }
            try held.settle(in: context)
            return results
        }
    }

    private static func property(
        _ body: @escaping @Sendable (Market, LuaContext) throws -> LuaValue
    ) -> LuaObjectType.Getter {
        { context, object in
            guard let handle = object as? ScriptMarketHandle else { return .nil }
            let market = try handle.market(context).market
            return try asking(in: context) { try body(market, context) }
        }
    }

    /// An object that keeps the market's values and its Lua state alive, even after the next test has got a market of
    /// its own. So each counts as much of the script's memory as the market takes: more than they take together, but
    /// never less.
    private static func held(as type: @escaping @autoclosure @Sendable () -> LuaObjectType) -> LuaObjectType.Getter {
        { context, object in
            guard let handle = object as? ScriptMarketHandle else { return .nil }
            let held = try handle.market(context)
            return try context.object(held, type(), holding: held.market.footprint)
        }
    }

    private static func preconditionMethod(
        _ method: String, _ body: @escaping @Sendable (MarketPreconditions, String) throws -> Void
    ) -> LuaObjectType.Method {
        { context, object, arguments in
            guard let held = object as? HeldMarket else { return [] }
            try body(
                held.market.preconditions, try ScriptArguments(lua: arguments, method: method).string(0, "name"))
            // Links that waited for it have been opened by now.
            try held.settle(in: context)
            return []
        }
    }
}

/// A script's reference to a market. It gives the current market on each use, so that a script may keep it in a local
/// while each of its tests gets a market of its own.
final class ScriptMarketHandle: Sendable {
    /// Returns the market.
    let market: @Sendable (LuaContext) throws -> HeldMarket
    private let module: GlassModule

    init(of module: GlassModule, _ market: @escaping @Sendable (LuaContext) throws -> HeldMarket) {
        self.module = module
        self.market = market
    }

    /// A reference to the same market in another situation.
    func with(_ attributes: [String: ConfigurationValue]) -> ScriptMarketHandle {
        ScriptMarketHandle(of: module) { [module, market] context in
            try module.market(market(context), with: attributes, in: context)
        }
    }
}

extension ConfigurationValue {
    /// The value of an attribute in a script; nil if no attribute has values of its kind.
    fileprivate init?(attribute value: LuaValue) {
        switch value {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(Int(number))
        case .number(let number): self = .number(number)
        case .string(let string):
            guard let text = string.text else { return nil }
            self = .string(text)
        case .table(let table) where table.array.count == table.count:
            let values = table.array.compactMap { ConfigurationValue(attribute: $0) }
            guard values.count == table.count else { return nil }
            self = values.isEmpty ? .emptyTable : .list(values: values)
        default: return nil
        }
    }
}
