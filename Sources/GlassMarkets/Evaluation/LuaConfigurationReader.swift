import GlassSchema
import LuaBridge

/// Turns what a market file returned into a configuration with positions.
struct LuaConfigurationReader {
    /// Where values were written.
    let positions: MarketPositions
    private(set) var findings: [Finding] = []

    init(positions: MarketPositions) {
        self.positions = positions
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - value: What Lua returned.
    ///   - path: Where it stands in the market.
    /// - Returns: The configuration. What has no form in one is left out and reported in ``findings``.
    mutating func read(_ value: LuaValue, at path: ConfigurationPath) -> ConfigurationNode {
        let place = positions.positions(of: path)
        return ConfigurationNode(
            configurationValue(value, path, place.value), position: place.value, keyPosition: place.key)
    }

    private mutating func configurationValue(
        _ value: LuaValue, _ path: ConfigurationPath, _ position: SourcePosition
    ) -> ConfigurationValue {
        switch value {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int(number))
        case .number(let number): return .number(number)
        case .string(let string):
            guard let text = string.text else {
                report(position, path, "the text is not valid UTF-8", "save the file as UTF-8")
                return .string("")
            }
            return .string(text)
        case .table(let table): return read(table, path, position)
        case .function(let function): return .opaque(OpaqueValue(kind: "a function", payload: function))
        case .nil: return .emptyTable
        default:
            if let word = value.object(as: MarketFileWord.self) { return read(word, path) }
            report(position, path, "a market cannot hold a value of this kind", nil)
            return .emptyTable
        }
    }

    private mutating func read(
        _ table: LuaTable, _ path: ConfigurationPath, _ position: SourcePosition
    ) -> ConfigurationValue {
        if table.isEmpty { return .emptyTable }
        let list = table.array
        if list.count == table.count { return .list(elements(list, path)) }
        if !list.isEmpty, let next = nextElement(behind: list.count, in: table) {
            // Where a list with holes ends is not defined in Lua, so it is no value that can be relied on.
            report(
                positions.positions(of: path.appending(index: next)).value, path,
                "this list has a hole: element \(list.count + 1) is missing, and element \(next) is there",
                "leave nothing out and write no nil in a list")
            return .list(elements(list, path))
        }
        var entries: [String: ConfigurationNode] = [:]
        for entry in table.entries {
            let value = entry.value
            switch entry.key {
            case .string(let string):
                guard let name = string.text else {
                    report(position, path, "a key of this table is not valid UTF-8", "save the file as UTF-8")
                    continue
                }
                entries[name] = read(value, at: path.appending(name))
            case .integer(let index) where !list.isEmpty:
                let place = positions.positions(of: path.appending(index: Int(index)))
                report(
                    place.value, path.appending(index: Int(index)),
                    "this table has both keys and list elements", "give the element a key, or move it to a list")
            case .integer(let index):
                report(
                    positions.positions(of: path.appending(index: Int(index))).key, path,
                    "the key [\(index)] is a number: keys are names, and lists start at 1 and have no holes",
                    "write the key as a text: [\"\(index)\"]")
            default:
                report(
                    position, path, "a key of this table is neither a name nor a list position",
                    "keys are names, such as id = or [\"a b\"] =")
            }
        }
        return .map(entries)
    }

    /// The first element behind a hole, when the table has nothing but elements.
    private func nextElement(behind count: Int, in table: LuaTable) -> Int? {
        var first: Int64?
        for entry in table.entries {
            guard case .integer(let index) = entry.key, index > 0 else { return nil }
            if index > count { first = min(first ?? index, index) }
        }
        return first.map { Int($0) }
    }

    private mutating func read(_ word: MarketFileWord, _ path: ConfigurationPath) -> ConfigurationValue {
        switch word.kind {
        case .append(let list): MarketWord(.append(elements(list, path))).configurationValue
        case .remove(let list): MarketWord(.remove(elements(list, path))).configurationValue
        case .unset: MarketWord(.unset).configurationValue
        case .secret(let name): .secret(Secret(name: name))
        }
    }

    private mutating func elements(_ list: [LuaValue], _ path: ConfigurationPath) -> [ConfigurationNode] {
        var nodes: [ConfigurationNode] = []
        for (offset, element) in list.enumerated() {
            nodes.append(read(element, at: path.appending(index: offset + 1)))
        }
        return nodes
    }

    private mutating func report(
        _ position: SourcePosition, _ path: ConfigurationPath, _ message: String, _ hint: String?
    ) {
        findings.append(Finding(.unrepresentable, at: position, path: path, message, hint: hint))
    }
}
