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

    mutating func decode<T: LuaScalar>(_ type: T.Type) throws -> T {
        let value = try current()
        let decoder = ValueDecoder(value: value, path: path, collector: collector)
        let result = try decoder.scalar(type, at: LuaCodingKey(intValue: currentIndex + 1))
        currentIndex += 1
        return result
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try next { try $0.decode(type) }
        } catch let stopped as ErrorCollector.Stopped {
            // The element has no placeholder, so the list cannot be created, but its other elements are still checked.
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
