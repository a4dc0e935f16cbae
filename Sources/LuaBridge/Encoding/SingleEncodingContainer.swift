/// Puts one value into a slot.
struct SingleEncodingContainer: SingleValueEncodingContainer {
    let slot: EncodingSlot

    var codingPath: [any CodingKey] { slot.codingPath }

    mutating func encodeNil() throws { slot.set(.nil) }
    mutating func encode(_ value: Bool) throws { slot.set(EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: String) throws { slot.set(EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Double) throws { slot.set(EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Float) throws { slot.set(EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Int) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Int8) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Int16) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Int32) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: Int64) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: UInt) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: UInt8) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: UInt16) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: UInt32) throws { slot.set(try EncodingSlot.value(value, slot.path)) }
    mutating func encode(_ value: UInt64) throws { slot.set(try EncodingSlot.value(value, slot.path)) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        slot.set(try EncodingSlot.encoded(value, path: slot.path))
    }
}
