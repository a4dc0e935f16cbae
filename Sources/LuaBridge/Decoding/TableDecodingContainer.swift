/// The contents of a keyed container, in one object because the standard library copies the container for each key.
private final class TableContents {
    let table: LuaTable
    /// The same table, for looking up keys.
    let lookup: LuaTable.Lookup
    let path: PathNode?
    let collector: ErrorCollector?

    init(table: LuaTable, path: PathNode?, collector: ErrorCollector?) {
        self.table = table
        lookup = table.lookup
        self.path = path
        self.collector = collector
    }
}

/// The keys of a table.
struct TableDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let contents: TableContents
    private var table: LuaTable { contents.table }
    private var path: PathNode? { contents.path }
    private var collector: ErrorCollector? { contents.collector }

    init(table: LuaTable, path: PathNode?, collector: ErrorCollector?) throws {
        contents = TableContents(table: table, path: path, collector: collector)
        guard !table.hasOnlyTextKeys else { return }
        for field in table.fields {
            switch field.key {
            case .string(let name):
                guard !name.isText else { continue }
                throw LuaError.notUTF8(
                    keyPath: LuaDecoder.keyPath(codingPath),
                    LuaErrorDetail(message: "the key \"\(name)\" is not UTF-8")
                )
            case .integer: continue
            default:
                throw LuaDecoder.conversion(
                    codingPath, "a key must be a string or an integer, not a \(field.key.typeName)")
            }
        }
    }

    var codingPath: [any CodingKey] { path?.keys ?? [] }

    var allKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(table.count)
        for index in 0..<table.array.count {
            if let key = Key(intValue: index + 1) { keys.append(key) }
        }
        for field in table.fields {
            if let name = field.key.stringValue, let key = Key(stringValue: name) {
                keys.append(key)
            } else if case .integer(let index) = field.key, let index = Int(exactly: index),
                let key = Key(intValue: index)
            {
                keys.append(key)
            }
        }
        return keys
    }

    private func value(_ key: Key) -> LuaValue? {
        if let index = key.intValue { return table[index] }
        return contents.lookup[key.stringValue]
    }

    private func missing(_ key: Key) -> LuaError {
        LuaDecoder.conversion(codingPath + [key], "the key is missing")
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = value(key) else { throw missing(key) }
        return ValueDecoder(value: value, path: PathNode(path, key), collector: collector)
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { value(key)?.isNil ?? true }

    func decode<T: LuaScalar>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let value = value(key) else {
            guard let collector else { throw missing(key) }
            collector.add(missing(key))
            return T.standIn
        }
        do {
            return try T.scalar(value)
        } catch {
            // Decoded again, for an error with a path.
            return try ValueDecoder(value: value, path: path, collector: collector).scalar(type, at: key)
        }
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let value = value(key) {
            return try ValueDecoder.decode(type, value) {
                try ValueDecoder(value: value, path: PathNode(path, key), collector: collector).decode(type)
            }
        }
        guard let collector else { throw missing(key) }
        collector.add(missing(key))
        guard let standIn = PlaceholderDecoder.make(type) else { throw ErrorCollector.Stopped() }
        return standIn
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let value = value(key), !value.isNil else { return nil }
        do {
            return try decoder(key).decode(type)
        } catch is ErrorCollector.Stopped {
            return nil
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        ValueDecoder(
            value: table["super"] ?? .nil, path: PathNode(path, LuaCodingKey(stringValue: "super")),
            collector: collector)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}
