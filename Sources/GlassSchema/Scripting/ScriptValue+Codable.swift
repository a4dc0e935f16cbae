/// A script's value is encoded as JSON that any other reader can decode. A number without a fraction may be decoded as
/// an integer, as in JSON.
extension ScriptValue: Codable {
    /// Reads any JSON.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the input is not JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nil
        } else if let scalar = try? container.decode(ConfigurationScalar.self) {  // otherwise the next kind is tried
            self.init(scalar)
        } else if let list = try? container.decode([ScriptValue].self) {  // as above; the last kind throws
            self = .list(list)
        } else {
            self = .map(try container.decode([String: ScriptValue].self))
        }
    }

    /// Writes the value.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError` if the value is or contains an object; any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .nil: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .map(let values): try container.encode(values)
        case .object(let object):
            throw EncodingError.invalidValue(
                object.scriptTypeName,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "\(object.scriptTypeName) cannot be stored"))
        }
    }
}
