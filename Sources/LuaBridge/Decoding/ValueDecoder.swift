/// Decodes one value. It is also the container of a single value.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: LuaValue
    let path: PathNode?
    let collector: ErrorCollector?

    init(value: LuaValue, path: PathNode? = nil, collector: ErrorCollector? = nil) {
        self.value = value
        self.path = path
        self.collector = collector
    }

    var codingPath: [any CodingKey] { path?.keys ?? [] }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The value for messages.
    var shown: String {
        switch value {
        case .nil: return "nil"
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .string(let value): return value.count <= 40 ? "\"\(value)\"" : "a string of \(value.count) bytes"
        case .table: return "a table"
        case .function: return "a function"
        case .object(let value): return "an object of type \(value.type.name)"
        case .coroutine: return "a thread"
        case .opaque(.userdata): return "a userdata"
        }
    }

    func mismatch(_ expected: String) -> LuaError {
        LuaDecoder.conversion(codingPath, "expected \(expected), got \(shown)")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .table(let table) = value else { throw mismatch("a table") }
        return KeyedDecodingContainer(try TableDecodingContainer<Key>(table: table, path: path, collector: collector))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .table(let table) = value else { throw mismatch("a list") }
        if let field = table.fields.first {
            guard case .integer(let index) = field.key, index > 0 else {
                throw LuaDecoder.conversion(
                    codingPath, "expected a list, got a table with the key \(ValueDecoder(value: field.key).shown)")
            }
            throw LuaDecoder.conversion(
                codingPath, "expected a list, but [\(table.array.count + 1)] is missing and [\(index)] is present")
        }
        return ListDecodingContainer(list: table.array, path: path, collector: collector)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNil }

    /// Decodes a scalar. `key` is the last step of its path, if the path does not contain it yet.
    func scalar<T: LuaScalar>(_ type: T.Type, at key: (any CodingKey)? = nil) throws -> T {
        do {
            return try T.scalar(value)
        } catch {
            let keys = codingPath + (key.map { [$0] } ?? [])
            let failure: LuaError
            switch error {
            case .expected(let expected): failure = LuaDecoder.conversion(keys, "expected \(expected), got \(shown)")
            case .notUTF8:
                failure = .notUTF8(
                    keyPath: LuaDecoder.keyPath(keys), LuaErrorDetail(message: "the string is not UTF-8"))
            }
            guard let collector else { throw failure }
            collector.add(failure)
            return T.standIn
        }
    }

    func decode<T: LuaScalar>(_ type: T.Type) throws -> T { try scalar(type) }

    /// The elements of a list of scalars; nil if there is an error in it, which the slower path then reports.
    private static func list<T: LuaScalar>(_ type: T.Type, _ value: LuaValue) -> [T]? {
        guard case .table(let table) = value, table.fields.isEmpty else { return nil }
        var list: [T] = []
        list.reserveCapacity(table.array.count)
        for element in table.array {
            do { list.append(try T.scalar(element)) } catch { return nil }
        }
        return list
    }

    /// Decodes the most common lists of configurations without a container, a path and a decoder for each element.
    @inline(__always)
    static func decode<T: Decodable>(_ type: T.Type, _ value: LuaValue, orElse decode: () throws -> T) rethrows -> T {
        if type == [String].self {
            if let list = list(String.self, value) { return itself(list) }
        } else if type == [Int].self {
            if let list = list(Int.self, value) { return itself(list) }
        } else if type == [Double].self {
            if let list = list(Double.self, value) { return itself(list) }
        }
        return try decode()
    }

    /// Casts a list to the type that it is known to have.
    ///
    /// The cast needs the metadata of an optional of that type. Inlined, it would be looked up for each decoded value;
    /// here, it is only for lists.
    @inline(never)
    private static func itself<Element, T>(_ list: [Element]) -> T {
        guard let list = list as? T else { preconditionFailure("a list of \(Element.self) is not a \(T.self)") }
        return list
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try Self.decode(type, value) {
            do {
                return try T(from: self)
            } catch {
                guard let collector else { throw LuaDecoder.translated(error, at: path) }
                if !(error is ErrorCollector.Stopped) { collector.add(LuaDecoder.translated(error, at: path)) }
                guard let standIn = PlaceholderDecoder.make(type) else { throw ErrorCollector.Stopped() }
                return standIn
            }
        }
    }
}
