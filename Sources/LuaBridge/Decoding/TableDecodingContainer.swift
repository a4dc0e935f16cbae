/// The keys of a table.
struct TableDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let table: LuaTable
    let codingPath: [any CodingKey]
    let allKeys: [Key]

    init(table: LuaTable, codingPath: [any CodingKey]) throws {
        self.table = table
        self.codingPath = codingPath
        var keys: [Key] = []
        keys.reserveCapacity(table.count)
        for index in 0..<table.array.count {
            if let key = Key(intValue: index + 1) { keys.append(key) }
        }
        for field in table.fields {
            switch field.key {
            case .string(let name):
                guard let text = name.text else {
                    throw LuaError.notUTF8(
                        keyPath: LuaDecoder.keyPath(codingPath),
                        LuaErrorDetail(message: "the key \"\(name)\" is not UTF-8")
                    )
                }
                if let key = Key(stringValue: text) { keys.append(key) }
            case .integer(let index):
                if let index = Int(exactly: index), let key = Key(intValue: index) { keys.append(key) }
            default:
                throw LuaDecoder.conversion(
                    codingPath, "a key must be a string or an integer, not a \(field.key.typeName)")
            }
        }
        allKeys = keys
    }

    private func value(_ key: Key) -> LuaValue? {
        if let index = key.intValue { return table[index] }
        return table[key.stringValue]
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = value(key) else {
            throw LuaDecoder.conversion(codingPath + [key], "the key is missing")
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { value(key)?.isNil ?? true }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).decode(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }

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
        ValueDecoder(value: table["super"] ?? .nil, codingPath: codingPath + [LuaCodingKey(stringValue: "super")])
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}
