import GlassMarkets
import GlassSchema
import LuaBridge

/// A word that a market file used: an object that Lua can pass around but not inspect.
final class LuaMergeDirective: Sendable {
    enum Kind: Sendable {
        case append([LuaValue])
        case remove([LuaValue])
        case unset
        case secret(String)
        /// What an `include` that failed stands for; there is a finding for it.
        case missing
    }

    let kind: Kind
    /// How deep words and tables nest in this one. Freeing a word frees what it holds, level by level on the stack.
    private let levels: Int
    /// How deep words and tables may nest.
    private static let maximumLevels = ConfigurationLimits.maximumLevels

    init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .append(let list), .remove(let list): levels = 1 + Self.levels(of: list)
        case .unset, .secret, .missing: levels = 1
        }
    }

    private static func levels(of values: some Sequence<LuaValue>) -> Int {
        values.reduce(0) { deepest, value in
            if case .table(let table) = value {
                return max(deepest, 1 + max(levels(of: table.array), levels(of: table.fields.lazy.map(\.value))))
            }
            return max(deepest, value.object(as: LuaMergeDirective.self)?.levels ?? 0)
        }
    }

    private var footprint: Int {
        switch kind {
        case .append(let values), .remove(let values): values.reduce(32) { $0 + $1.footprint }
        case .unset, .missing: 0
        case .secret(let name): 32 + name.utf8.count
        }
    }

    /// The type under which Lua sees every word.
    static let type = LuaObjectType(
        name: "market word",
        callAsFunction: { _, _, _ in throw MergeDirectiveError(message: "unset stands alone: write key = unset") })

    /// Defines the words that need no files: `append`, `market`, `remove`, `secret` and `unset`.
    static func install(in context: LuaContext) throws(LuaError) {
        func word(_ name: String, _ make: @escaping @Sendable (LuaValue?) throws -> Kind) throws(LuaError) {
            let function = try context.function(name) { context, arguments in
                let word = LuaMergeDirective(try make(arguments.first))
                guard word.levels <= maximumLevels else {
                    throw MergeDirectiveError(message: "words nest deeper than \(maximumLevels) levels")
                }
                // A list is a copy: it counts as memory of the market until Lua has collected the word.
                return [try context.object(word, type, holding: word.footprint)]
            }
            try context.setGlobal(name, function)
        }
        try word("append") { isMissing($0) ? .missing : .append(try list($0, of: "append")) }
        try word("remove") { isMissing($0) ? .missing : .remove(try list($0, of: "remove")) }
        try word("secret") { argument in
            guard let name = argument?.stringValue, !name.isEmpty, StringFormat.identifier.matches(name) else {
                throw MergeDirectiveError(message: "secret expects a name, such as secret \"GLASS_CONSUMER_KEY\"")
            }
            return .secret(name)
        }
        // The same table: it is there for editors, which know its type.
        let market = try context.function("market") { _, arguments in
            guard let values = arguments.first, isTable(values) || isMissing(values) else {
                throw MergeDirectiveError(message: "market expects a table, such as market { id = \"ca\" }")
            }
            return [values]
        }
        try context.setGlobal("market", market)
        try context.setGlobal("unset", try context.object(LuaMergeDirective(.unset), type))
    }

    /// Whether a value is what an `include` gave that failed.
    static func isMissing(_ value: LuaValue?) -> Bool {
        if case .missing? = value?.object(as: LuaMergeDirective.self)?.kind { true } else { false }
    }

    private static func isTable(_ value: LuaValue) -> Bool { if case .table = value { true } else { false } }

    private static func list(_ argument: LuaValue?, of word: String) throws -> [LuaValue] {
        guard case .table(let table)? = argument, table.array.count == table.count else {
            throw MergeDirectiveError(message: "\(word) expects a list, such as \(word){ \"a\", \"b\" }")
        }
        return table.array
    }
}

/// A word of a market file that was used wrongly.
struct MergeDirectiveError: Error, Equatable, CustomStringConvertible {
    let message: String
    var description: String { message }
}
