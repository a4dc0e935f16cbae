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
    mutating func encode(_ value: Bool) throws { slot.append { EncodingSlot(EncodingSlot.value(value, $0), path: $0) } }
    mutating func encode(_ value: String) throws {
        slot.append { EncodingSlot(EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Double) throws {
        slot.append { EncodingSlot(EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Float) throws {
        slot.append { EncodingSlot(EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Int) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Int8) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Int16) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Int32) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: Int64) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: UInt) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: UInt8) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: UInt16) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: UInt32) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
    }
    mutating func encode(_ value: UInt64) throws {
        try slot.append { EncodingSlot(try EncodingSlot.value(value, $0), path: $0) }
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
