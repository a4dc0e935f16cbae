import GlassSchema

/// A configuration value as JSON; secrets show their name only.
struct JSONValue: Encodable {
    let value: ConfigurationValue

    init(_ value: ConfigurationValue) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .list(let nodes):
            var container = encoder.unkeyedContainer()
            for node in nodes { try container.encode(JSONValue(node.value)) }
        case .map(let entries):
            var container = encoder.container(keyedBy: Name.self)
            for (key, node) in entries { try container.encode(JSONValue(node.value), forKey: Name(stringValue: key)) }
        case .emptyTable:
            _ = encoder.unkeyedContainer()
        default:
            var container = encoder.singleValueContainer()
            switch value {
            case .boolean(let flag): try container.encode(flag)
            case .integer(let number): try container.encode(number)
            case .number(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .secret(let secret): try container.encode("\(secret)")
            case .opaque(let opaque): try container.encode("<\(opaque.kind)>")
            case .list, .map, .emptyTable: break
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
