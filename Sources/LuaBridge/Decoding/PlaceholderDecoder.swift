/// Decodes a placeholder, so that decoding can continue after an error: zero, an empty string, `nil`, an empty list.
struct PlaceholderDecoder: Decoder, SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns nil if the type accepts none of these.
    static func make<T: Decodable>(_ type: T.Type) -> T? {
        if let cases = type as? any CaseIterable.Type, let first = firstCase(of: cases) as? T { return first }
        return try? T(from: PlaceholderDecoder())  // a type that rejects the placeholders has none, whatever the reason
    }

    private static func firstCase<C: CaseIterable>(of type: C.Type) -> Any? { C.allCases.first }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>())
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ListDecodingContainer(list: [], path: nil, collector: nil)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode<T: LuaScalar>(_ type: T.Type) throws -> T { type.standIn }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try standIn(type) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { false }
        func decodeNil(forKey key: Key) throws -> Bool { true }

        func decode<T: LuaScalar>(_ type: T.Type, forKey key: Key) throws -> T { type.standIn }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try standIn(type) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            KeyedDecodingContainer(Keyed<Nested>())
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            ListDecodingContainer(list: [], path: nil, collector: nil)
        }

        func superDecoder() throws -> any Decoder { PlaceholderDecoder() }
        func superDecoder(forKey key: Key) throws -> any Decoder { PlaceholderDecoder() }
    }
}

private func standIn<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = PlaceholderDecoder.make(type) else { throw ErrorCollector.Stopped() }
    return value
}
