/// Puts values into a table.
struct TableEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: EncodingSlot

    var codingPath: [any CodingKey] { slot.codingPath }

    private func put(_ value: LuaValue, _ key: Key) {
        slot.insert(EncodingSlot(value, path: PathNode(slot.path, key)), key)
    }

    private func nested(_ key: any CodingKey) -> EncodingSlot {
        let nested = EncodingSlot(path: PathNode(slot.path, key))
        slot.insert(nested, key)
        return nested
    }

    mutating func encodeNil(forKey key: Key) throws { put(.nil, key) }

    mutating func encode<T: LuaScalar>(_ value: T, forKey key: Key) throws {
        put(try EncodingSlot.encoded(value, path: PathNode(slot.path, key)), key)
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        put(try EncodingSlot.encoded(value, path: PathNode(slot.path, key)), key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(LuaCodingKey(stringValue: "super")) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}
