/// Where an encoded value is put together. A slot is one value, one list or one table.
final class EncodingSlot: Encoder {
    private enum Content {
        case none
        case value(LuaValue)
        case list([EncodingSlot])
        case table([(key: LuaValue, slot: EncodingSlot)])
    }

    private var content = Content.none
    let path: PathNode?

    init(path: PathNode?) {
        self.path = path
    }

    init(_ value: LuaValue, path: PathNode?) {
        self.path = path
        content = .value(value)
    }

    static func encoded<T: Encodable>(_ value: T, path: PathNode?) throws -> LuaValue {
        let slot = EncodingSlot(path: path)
        try value.encode(to: slot)
        return try slot.finished()
    }

    var codingPath: [any CodingKey] { path?.keys ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var count: Int {
        guard case .list(let elements) = content else { return 0 }
        return elements.count
    }

    func set(_ value: LuaValue) {
        content = .value(value)
    }

    func append(_ make: (PathNode) throws -> EncodingSlot) rethrows {
        var elements: [EncodingSlot] = []
        if case .list(let present) = content { elements = present }
        elements.append(try make(PathNode(path, LuaCodingKey(intValue: elements.count + 1))))
        content = .list(elements)
    }

    func insert(_ slot: EncodingSlot, _ key: any CodingKey) {
        var entries: [(key: LuaValue, slot: EncodingSlot)] = []
        if case .table(let present) = content { entries = present }
        let name = key.intValue.map { LuaValue.integer(Int64($0)) } ?? LuaValue(key.stringValue)
        entries.removeAll { $0.key == name }
        entries.append((name, slot))
        content = .table(entries)
    }

    func finished() throws -> LuaValue {
        switch content {
        case .none: return .table(LuaTable())
        case .value(let value): return value
        case .list(let elements):
            return .table(
                LuaTable(
                    array: try elements.map { slot in
                        let value = try slot.finished()
                        if value.isNil {
                            throw LuaDecoder.conversion(slot.codingPath, "a list of Lua cannot hold nil")
                        }
                        return value
                    }))
        case .table(let entries):
            var elements: [Int64: LuaValue] = [:]
            var fields: [LuaTable.Field] = []
            for entry in entries {
                let value = try entry.slot.finished()
                if value.isNil { continue }
                if case .integer(let index) = entry.key {
                    elements[index] = value
                } else {
                    fields.append(LuaTable.Field(key: entry.key, value: value))
                }
            }
            // 1…n is the list, in whatever order its keys came.
            var list: [LuaValue] = []
            while let element = elements.removeValue(forKey: Int64(list.count) + 1) { list.append(element) }
            fields += elements.sorted { $0.key < $1.key }.map { LuaTable.Field(key: .integer($0.key), value: $0.value) }
            return .table(LuaTable(array: list, entries: fields))
        }
    }

    static func encoded<T: LuaScalar>(_ scalar: T, path: @autoclosure () -> PathNode?) throws -> LuaValue {
        if let value = scalar.luaScalar { return value }
        throw LuaDecoder.conversion(path()?.keys ?? [], "\(scalar) is larger than the integers of Lua")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .none = content { content = .table([]) }
        return KeyedEncodingContainer(TableEncodingContainer<Key>(slot: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .none = content { content = .list([]) }
        return ListEncodingContainer(slot: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleEncodingContainer(slot: self) }
}
