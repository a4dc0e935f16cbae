/// The elements of a list.
struct ListDecodingContainer: UnkeyedDecodingContainer {
    let list: [LuaValue]
    let path: PathNode?
    let collector: ErrorCollector?
    var currentIndex = 0

    init(list: [LuaValue], path: PathNode?, collector: ErrorCollector?) {
        self.list = list
        self.path = path
        self.collector = collector
    }

    var codingPath: [any CodingKey] { path?.keys ?? [] }

    var count: Int? { list.count }

    var isAtEnd: Bool { currentIndex >= list.count }

    private func current() throws -> LuaValue {
        guard !isAtEnd else {
            throw LuaDecoder.conversion(
                codingPath + [LuaCodingKey(intValue: currentIndex + 1)], "the list has only \(list.count) elements")
        }
        return list[currentIndex]
    }

    private func decoder() throws -> ValueDecoder {
        let value = try current()
        return ValueDecoder(
            value: value, path: PathNode(path, LuaCodingKey(intValue: currentIndex + 1)), collector: collector)
    }

    private mutating func scalar<T: LuaScalar>(_ type: T.Type) throws -> T {
        let value = try current()
        let decoder = ValueDecoder(value: value, path: path, collector: collector)
        let result = try decoder.scalar(type, at: LuaCodingKey(intValue: currentIndex + 1))
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard try current().isNil else { return false }
        currentIndex += 1
        return true
    }

    private mutating func next<T>(_ decode: (ValueDecoder) throws -> T) throws -> T {
        let value = try decode(decoder())
        currentIndex += 1
        return value
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
    mutating func decode(_ type: String.Type) throws -> String { try scalar(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try next { try $0.decode(type) }
        } catch let stopped as ErrorCollector.Stopped {
            // Nothing stands in for the element, so the list cannot be made; its other elements are checked all the same.
            for index in list.indices.dropFirst(currentIndex + 1) {
                let rest = ValueDecoder(
                    value: list[index], path: PathNode(path, LuaCodingKey(intValue: index + 1)), collector: collector)
                do { _ = try rest.decode(type) } catch { continue }
            }
            throw stopped
        }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
