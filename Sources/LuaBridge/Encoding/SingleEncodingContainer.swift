/// Puts one value into a slot.
struct SingleEncodingContainer: SingleValueEncodingContainer {
    let slot: EncodingSlot

    var codingPath: [any CodingKey] { slot.codingPath }

    mutating func encodeNil() throws { slot.set(.nil) }

    mutating func encode<T: LuaScalar>(_ value: T) throws {
        slot.set(try EncodingSlot.encoded(value, path: slot.path))
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        slot.set(try EncodingSlot.encoded(value, path: slot.path))
    }
}
