import GlassMarkets
import GlassSchema
import LuaBridge

/// A directive or secret of a market file: an object that Lua can pass around but not inspect.
final class LuaMergeDirective: Sendable {
    enum Kind: Sendable {
        case append([LuaValue])
        case prepend([LuaValue])
        case remove([LuaValue])
        /// Alternatives with their conditions, and a default.
        case vary(LuaTable)
        /// Values by locale, and a default.
        case perLocale(LuaTable)
        case unset
        case secret(String)
        /// A value that is only an example, until the market's team decides.
        case undecided(LuaValue)
        /// A value, followed by the rules whose warnings about it are accepted, each with the reason.
        case accept(LuaTable)
        /// The placeholder for a failed `include`, which has its own finding.
        case missing
    }

    let kind: Kind
    /// The nesting depth of directives and tables in this directive. It is limited because freeing a directive frees
    /// its contents recursively, using one level of the stack for each level.
    private let levels: Int
    /// The maximum nesting depth of directives and tables.
    private static let maximumLevels = ConfigurationLimits.maximumLevels

    init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .append(let list), .prepend(let list), .remove(let list): levels = 1 + Self.levels(of: list)
        case .vary(let table), .perLocale(let table), .accept(let table): levels = 1 + Self.levels(of: [.table(table)])
        case .undecided(let value): levels = 1 + Self.levels(of: [value])
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
        case .append(let values), .prepend(let values), .remove(let values): values.reduce(32) { $0 + $1.footprint }
        case .vary(let table), .perLocale(let table), .accept(let table): 32 + LuaValue.table(table).footprint
        case .undecided(let value): 32 + value.footprint
        case .unset, .missing: 0
        case .secret(let name): 32 + name.utf8.count
        }
    }

    /// The Lua type of every directive.
    static let type = LuaObjectType(
        name: "directive",
        callAsFunction: { _, _, _ in throw MergeDirectiveError(message: "unset takes no argument: write key = unset") })

    /// Defines the functions and directives that read no files.
    static func install(in context: LuaContext) throws(LuaError) {
        func directive(_ name: String, _ make: @escaping @Sendable (LuaValue?) throws -> Kind) throws(LuaError) {
            let function = try context.function(name) { context, arguments in
                let directive = LuaMergeDirective(try make(arguments.first))
                guard directive.levels <= maximumLevels else {
                    throw MergeDirectiveError(message: "directives are nested deeper than \(maximumLevels) levels")
                }
                // The list is a copy, so it counts as memory of the market until Lua has collected the directive.
                return [try context.object(directive, type, holding: directive.footprint)]
            }
            try context.setGlobal(name, function)
        }
        try directive("append") { isMissing($0) ? .missing : .append(try list($0, of: "append")) }
        try directive("prepend") { isMissing($0) ? .missing : .prepend(try list($0, of: "prepend")) }
        try directive("remove") { isMissing($0) ? .missing : .remove(try list($0, of: "remove")) }
        try directive("vary") {
            isMissing($0) ? .missing : .vary(try table($0, like: "vary { { when = \"debug\", value = 0 } }"))
        }
        try directive("perLocale") {
            isMissing($0) ? .missing : .perLocale(try table($0, like: "perLocale { en = \"Store\", fr = \"Magasin\" }"))
        }
        try directive("accept") {
            isMissing($0)
                ? .missing
                : .accept(try table($0, like: "accept { \"https://api.walmart.ca\", sharedURL = \"the reason\" }"))
        }
        try installConditions(in: context)
        try directive("secret") { argument in
            guard let name = argument?.stringValue, !name.isEmpty, StringFormat.identifier.matches(name) else {
                throw MergeDirectiveError(message: "secret expects a name, such as secret \"GLASS_CONSUMER_KEY\"")
            }
            return .secret(name)
        }
        try directive("undecided") { argument in
            guard let argument, !argument.isNil else {
                throw MergeDirectiveError(
                    message: "undecided expects a value, such as undecided \"https://api.example.com\"")
            }
            return isMissing(argument) ? .missing : .undecided(argument)
        }
        // Returns the same table: the function is there for editors, which know the type of its parameter.
        let market = try context.function("market") { _, arguments in
            guard let values = arguments.first, isTable(values) || isMissing(values) else {
                throw MergeDirectiveError(message: "market expects a table, such as market { id = \"ca\" }")
            }
            return [values]
        }
        try context.setGlobal("market", market)
        try context.setGlobal("unset", try context.object(LuaMergeDirective(.unset), type))
    }

    /// Defines the words of conditions. A condition is plain data, in the form that compiled markets have too, so that
    /// there is one reader for both.
    private static func installConditions(in context: LuaContext) throws(LuaError) {
        func word(_ name: String, _ make: @escaping @Sendable (LuaValue?) throws -> LuaValue) throws(LuaError) {
            let function = try context.function(name) { _, arguments in
                isMissing(arguments.first)
                    ? [arguments[0]] : [.table(LuaTable(array: [], fields: [(name, try make(arguments.first))]))]
            }
            try context.setGlobal(name, function)
        }
        for name in ["any", "all"] {
            try word(name) {
                .table(LuaTable(array: try list($0, of: name, like: "{ build = \"debug\" }"), fields: []))
            }
        }
        try word("no") { argument in
            guard let argument, !argument.isNil else {
                throw MergeDirectiveError(message: "no expects a value or a condition, such as no \"production\"")
            }
            return argument
        }
        for name in ["missing", "present"] {
            try context.setGlobal(name, .table(LuaTable(array: [], fields: [("is", .string(LuaString(name)))])))
        }
    }

    /// Whether a value is the placeholder for a failed `include`.
    static func isMissing(_ value: LuaValue?) -> Bool {
        if case .missing? = value?.object(as: LuaMergeDirective.self)?.kind { true } else { false }
    }

    private static func isTable(_ value: LuaValue) -> Bool { if case .table = value { true } else { false } }

    private static func list(
        _ argument: LuaValue?, of word: String, like example: String = "\"a\", \"b\""
    ) throws -> [LuaValue] {
        guard case .table(let table)? = argument, table.array.count == table.count else {
            throw MergeDirectiveError(message: "\(word) expects a list, such as \(word){ \(example) }")
        }
        return table.array
    }

    private static func table(_ argument: LuaValue?, like example: String) throws -> LuaTable {
        guard case .table(let table)? = argument else {
            throw MergeDirectiveError(message: "\(example.prefix { $0 != " " }) expects a table, such as \(example)")
        }
        return table
    }
}

/// The error for a directive that is used incorrectly.
struct MergeDirectiveError: Error, Equatable, CustomStringConvertible {
    let message: String
    var description: String { message }
}
