import GlassSchema

/// The stored form of a script's value: JSON, which every other reader of the key can decode.
struct ScriptStoredValue: Codable, Sendable {
    let value: ScriptValue

    init(_ value: ScriptValue) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .nil
        } else if let flag = try? container.decode(Bool.self) {  // an error only means that it is another type
            value = .boolean(flag)
        } else if let number = try? container.decode(Int.self) {  // see above
            value = .integer(number)
        } else if let number = try? container.decode(Double.self) {  // see above
            value = .number(number)
        } else if let text = try? container.decode(String.self) {  // see above
            value = .string(text)
        } else if let list = try? container.decode([ScriptStoredValue].self) {  // see above
            value = .list(list.map(\.value))
        } else {
            value = .map(try container.decode([String: ScriptStoredValue].self).mapValues(\.value))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .nil: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .list(let values): try container.encode(values.map(ScriptStoredValue.init))
        case .map(let values): try container.encode(values.mapValues(ScriptStoredValue.init))
        case .object(let object):
            throw EncodingError.invalidValue(
                object.scriptTypeName,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "\(object.scriptTypeName) cannot be stored"))
        }
    }
}
