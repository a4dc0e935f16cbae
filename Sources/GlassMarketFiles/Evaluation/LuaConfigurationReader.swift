import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// Converts the value returned by a market file to a configuration with positions.
struct LuaConfigurationReader {
    /// The positions of the values in the source.
    let positions: MarketPositions
    /// The environment in which functions run.
    private let functions: LuaLinkHandler.ExecutionContext
    private let findings: FindingList
    /// The values that are only examples, and the sections whose inherited values are meant.
    private(set) var decisions = MarketDecisions()
    /// Whether a table at a path can say `inherit`.
    private let canInherit: (ConfigurationPath) -> Bool
    /// The warnings that the file accepts.
    private(set) var acceptances: [MarketAcceptance] = []
    /// The `accept`s around the current value, outermost first.
    private var accepting: [Accepting] = []
    /// The type that the schema requires at a path; nil if it has no such path.
    private let type: (ConfigurationPath) -> ValueType?
    /// The languages of the market's locales, as the file lists them.
    private(set) var languages: [String] = []
    private let budget: WorkBudget

    /// The approximate size of a value in bytes, including what merging and decoding create from it.
    private static let bytesOfANode = 400

    init(
        positions: MarketPositions, functions: LuaLinkHandler.ExecutionContext, findings: FindingList,
        type: @escaping (ConfigurationPath) -> ValueType?,
        canInherit: @escaping (ConfigurationPath) -> Bool = { _ in false }, budget: WorkBudget
    ) {
        self.type = type
        self.canInherit = canInherit
        self.functions = functions
        self.positions = positions
        self.findings = findings
        self.budget = budget
    }

    mutating func read(
        _ value: LuaValue, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        try budget.spend(on: .evaluating)
        var bytes = Self.bytesOfANode
        if case .string(let text) = value { bytes += text.count }
        try budget.hold(bytes: bytes, for: .evaluating)
        if case .accept(let table)? = value.object(as: LuaMergeDirective.self)?.kind {
            return try readAccepted(table, at: path)
        }
        let place = try place(of: path)
        if case .undecided(let example)? = value.object(as: LuaMergeDirective.self)?.kind {
            decisions.add(example: path, at: place.value)
            return try read(example, at: path)
        }
        if !accepting.isEmpty { note(place, of: value, at: path) }
        return ConfigurationNode(
            try configurationValue(value, path, place.value), position: place.value, keyPosition: place.key)
    }

    /// Adds where a value is written to the `accept`s around it.
    private mutating func note(
        _ place: (key: SourcePosition, value: SourcePosition), of value: LuaValue, at path: ConfigurationPath
    ) {
        let last = accepting.count - 1
        var end = place.value
        // A finding may be about a part of a text.
        if let text = value.stringValue, let column = end.column { end.column = column + text.unicodeScalars.count + 1 }
        accepting[last].places.add(MarketAcceptance.Place(place.value, end))
        if path.elements.count > accepting[last].depth {
            accepting[last].places.add(MarketAcceptance.Place(place.key, place.key))
        }
    }

    /// Reads what is inside an `accept`, and returns where it is written.
    mutating func collectingPlaces(
        atDepth depth: Int,
        _ read: (inout LuaConfigurationReader) throws(WorkBudget.Exceeded) -> ConfigurationNode
    ) throws(WorkBudget.Exceeded) -> (node: ConfigurationNode, places: [MarketAcceptance.Place]) {
        accepting.append(Accepting(depth: depth))
        let node = try read(&self)
        let places = accepting.removeLast().places
        if !accepting.isEmpty { for place in places { accepting[accepting.count - 1].places.add(place) } }
        return (node, places)
    }

    /// Records what an `accept` accepts.
    mutating func add(_ acceptance: MarketAcceptance) { acceptances.append(acceptance) }

    /// Adds a finding about an `accept`.
    func addFinding(_ finding: Finding) throws(WorkBudget.Exceeded) { findings.append(finding) }

    /// Leaves out findings about a value that an `accept` does not have.
    func leaveOut(below path: ConfigurationPath) { findings.leaveOut(below: path) }

    /// The budget of the load.
    var workBudget: WorkBudget { budget }

    /// The positions of a key and its value.
    ///
    /// The value that is accepted is the first element of a table in the file, which its path does not mention.
    func place(
        of path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> (key: SourcePosition, value: SourcePosition) {
        guard !accepting.isEmpty else { return try positions.positions(of: path) }
        var elements = path.elements
        for accepted in accepting.reversed() { elements.insert(.index(1), at: accepted.depth) }
        return try positions.positions(of: ConfigurationPath(elements))
    }

    private mutating func configurationValue(
        _ value: LuaValue, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> ConfigurationValue {
        switch value {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int(number))
        case .number(let number): return .number(number)
        case .string(let string):
            guard let text = string.text else {
                try report(position, path, "the string is not valid UTF-8", "save the file as UTF-8")
                return .string("")
            }
            return .string(text)
        case .table(let table): return try read(table, path, position)
        case .function(let function):
            return .opaque(OpaqueValue(kind: "a function", payload: LuaLinkHandler(function, functions)))
        case .nil: return .emptyTable
        default:
            if let directive = value.object(as: LuaMergeDirective.self) { return try read(directive, path, position) }
            try report(position, path, "a market cannot contain a value of this kind", nil)
            return .emptyTable
        }
    }

    private mutating func read(
        _ table: LuaTable, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> ConfigurationValue {
        if table.isEmpty { return .emptyTable }
        let list = table.array
        guard try canRead(table.count, list.count == table.count ? "list" : "table", path, position) else {
            return .emptyTable
        }
        if list.count == table.count { return .list(try elements(list, path)) }
        let reader = self  // copied for the autoclosures of the reports
        if !list.isEmpty, let next = nextElement(behind: list.count, in: table) {
            // Lua does not define where a list with holes ends, so its value is not reliable.
            try report(
                try reader.place(of: path.appending(index: next)).value, path,
                "this list has a hole: element \(list.count + 1) is missing, but element \(next) exists",
                "do not skip indices or use nil in a list")
            return .list(try elements(list, path))
        }
        if table.entries.contains(where: { if case .integer(0) = $0.key { true } else { false } }), isList(path) {
            try findings.add(
                .unrepresentable, at: try place(of: path.appending(index: 0)).key, path: path,
                subject: "0", "lists start at 1 in Lua, so [0] is not an element",
                advice: Advice("write the elements without [0] =", .elementZero))
            return .list(try elements(list, path))
        }
        if path.elements.isEmpty { languages = Self.languages(of: table) }
        var entries: [String: ConfigurationNode] = [:]
        if !list.isEmpty { try reportElements(list, besideKeysOf: table, path) }
        for entry in table.entries {
            let value = entry.value
            switch entry.key {
            case .string(let string):
                guard let name = string.text else {
                    try report(position, path, "a key of this table is not valid UTF-8", "save the file as UTF-8")
                    continue
                }
                guard try isShort(name, path, position) else { continue }
                guard name != MarketDecisions.inherit || !canInherit(path) else {
                    try readInherit(value, at: path)
                    continue
                }
                entries[name] = try read(value, at: path.appending(name))
            case .integer where !list.isEmpty: break
            case .integer(let index):
                let place = try place(of: path.appending(index: Int(index))).key
                try findings.add(
                    .unrepresentable, at: place, path: path, subject: "\(index)",
                    "the key [\(index)] is a number: keys are names, and lists start at 1 and have no holes",
                    advice: Advice("write the key as a string: [\"\(index)\"]", .textKey("\(index)")))
            default:
                try report(
                    position, path, "a key of this table is neither a name nor a list index",
                    "keys are names, such as id = or [\"a b\"] =")
            }
        }
        return .map(entries)
    }

    /// Reports the elements of a table that has keys as well.
    private mutating func reportElements(
        _ list: [LuaValue], besideKeysOf table: LuaTable, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        let (inner, reader) = (path.appending(index: 1), self)
        let place = try place(of: inner).value
        if case .integer(0...)? = list.first {
            for field in table.fields {
                guard case .integer(let whole) = field.value, let name = field.key.stringValue else { continue }
                let before = try reader.place(of: path.appending(name)).value
                guard before.file == place.file, before.line == place.line, let start = before.column,
                    place.column == start + "\(whole)".utf8.count + 1
                else { continue }
                findings.leaveOut(below: path.appending(name))
                return try findings.add(
                    .unrepresentable, at: before, path: path.appending(name),
                    "a comma separates elements in Lua, so this is two numbers",
                    hint: "write a decimal point, as in \(name.luaKey) = \(whole).5")
            }
        }
        var hint = "give the element a key, or move it to a list"
        if let name = list.first?.stringValue, let type = type(path.appending(name)) {
            hint = "write \(name.luaKey) = \(type.exampleOfTable)"
        }
        try report(place, inner, "this table has both keys and list elements", hint)
    }

    private func isList(_ path: ConfigurationPath) -> Bool { if case .list? = type(path) { true } else { false } }

    /// The languages of the locales that a market file lists, without those that occur again.
    private static func languages(of file: LuaTable) -> [String] {
        guard case .table(let locales)? = file["locales"] else { return [] }
        var languages: [String] = []
        for locale in locales.array.prefix(8) {
            guard let language = locale.stringValue?.prefix(while: \.isLetter), (2...3).contains(language.count),
                !languages.contains(String(language))
            else { continue }
            languages.append(String(language))
        }
        return languages
    }

    /// Whether a key is short enough for all that compares names; reports it otherwise.
    mutating func isShort(
        _ name: String, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> Bool {
        guard name.utf8.count > ConfigurationLimits.maximumKeyLength else { return true }
        try findings.add(
            .tooLarge, at: position, path: path, subject: name,
            "the key \(name.quotedForMessage) has \(name.utf8.count.grouped) bytes; the maximum is "
                + "\(ConfigurationLimits.maximumKeyLength)", hint: "use a shorter name")
        return false
    }

    /// Reads `inherit = true`, which is about the file and not a value of the market.
    private mutating func readInherit(_ value: LuaValue, at path: ConfigurationPath) throws(WorkBudget.Exceeded) {
        if case .boolean(true) = value { return decisions.add(inheriting: path) }
        let inner = path.appending(MarketDecisions.inherit)
        try findings.add(
            .wrongType, at: try place(of: inner).value, path: inner, "expected true",
            hint: "write inherit = true, or leave it out")
    }

    /// The first element after a hole, if the table contains only elements.
    private func nextElement(behind count: Int, in table: LuaTable) -> Int? {
        var first: Int64?
        for entry in table.entries {
            guard case .integer(let index) = entry.key, index > 0 else { return nil }
            if index > count { first = min(first ?? index, index) }
        }
        return first.map { Int($0) }
    }

    private mutating func read(
        _ directive: LuaMergeDirective, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> ConfigurationValue {
        switch directive.kind {
        case .append(let list):
            guard try canRead(list.count, "list", path, position) else { return .emptyTable }
            return .directive(MergeDirective(.append(try elements(list, path))))
        case .prepend(let list):
            guard try canRead(list.count, "list", path, position) else { return .emptyTable }
            return .directive(MergeDirective(.prepend(try elements(list, path))))
        case .remove(let list):
            guard try canRead(list.count, "list", path, position) else { return .emptyTable }
            return .directive(MergeDirective(.remove(try elements(list, path))))
        case .unset: return .directive(MergeDirective(.unset))
        case .vary(let table), .perLocale(let table):
            guard try canRead(table.count, "table", path, position) else { return .emptyTable }
            let isPerLocale = if case .perLocale = directive.kind { true } else { false }
            let choices =
                isPerLocale
                ? try choicesByLocale(table, path, position) : try choices(table, path, position)
            return .directive(MergeDirective(.vary(choices, isPerLocale: isPerLocale)))
        case .secret(let name): return .secret(Secret(name: name))
        case .undecided(let example): return try read(example, at: path).value
        case .accept(let table): return try readAccepted(table, at: path).value
        case .missing:
            findings.leaveOut(below: path)
            return .emptyTable
        }
    }

    /// Whether a table is within the limits of size and depth; reports it otherwise. Directives count as well, because
    /// they can contain each other.
    private mutating func canRead(
        _ count: Int, _ kind: String, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> Bool {
        guard path.elements.count < ConfigurationLimits.maximumLevels else {
            try findings.add(
                .tooLarge, at: position, path: path,
                "the market is nested deeper than \(ConfigurationLimits.maximumLevels) levels")
            return false
        }
        guard count <= ConfigurationLimits.maximumElements else {
            let item = kind == "list" ? "elements" : "keys"
            try findings.add(
                .tooLarge, at: position, path: path,
                "the \(kind) has \(count.grouped) \(item); "
                    + "the maximum is \(ConfigurationLimits.maximumElements.grouped)")
            return false
        }
        return true
    }

    private mutating func elements(
        _ list: [LuaValue], _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [ConfigurationNode] {
        var nodes: [ConfigurationNode] = []
        nodes.reserveCapacity(list.count)
        for (offset, element) in list.enumerated() {
            nodes.append(try read(element, at: path.appending(index: offset + 1)))
        }
        return nodes
    }

    private mutating func report(
        _ position: @autoclosure () throws(WorkBudget.Exceeded) -> SourcePosition, _ path: ConfigurationPath,
        _ message: @autoclosure () -> String, _ hint: @autoclosure () -> String?
    ) throws(WorkBudget.Exceeded) {
        try findings.add(.unrepresentable, at: try position(), path: path, message(), hint: hint())
    }
}
