/// Puts values into a list.
struct ListEncodingContainer: UnkeyedEncodingContainer {
    let slot: EncodingSlot

    var codingPath: [any CodingKey] { slot.codingPath }
    var count: Int { slot.count }

    private func nested() -> EncodingSlot {
        var nested = slot
        slot.append { path in
            nested = EncodingSlot(path: path)
            return nested
        }
        return nested
    }

    mutating func encodeNil() throws { slot.append { EncodingSlot(.nil, path: $0) } }

    mutating func encode<T: LuaScalar>(_ value: T) throws {
        try slot.append { EncodingSlot(try EncodingSlot.encoded(value, path: $0), path: $0) }
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try slot.append { EncodingSlot(try EncodingSlot.encoded(value, path: $0), path: $0) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { nested() }
}
