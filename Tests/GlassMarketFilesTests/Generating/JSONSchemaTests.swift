import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting

struct JSONSchemaTests {
    private let schema = MarketSchema(.platform).declaration.jsonSchema(title: "market", summary: MarketSchema.summary)

    @Test(arguments: ["us", "ca", "mx"])
    func everyRealMarketIsValid(id: String) throws {
        let value = try MarketFixture().loader().load(id).effective.value
        #expect(problems(value, schema, "") == [])
    }

    @Test(
        arguments: [
            ("currency", .string("cad"), "currency does not match \(StringFormat.currency.pattern ?? "")"),
            ("name", .integer(3), "name is no string"),
            ("surplus", .boolean(true), " has the unknown key surplus"),
            ("locales", .list(values: []), "locales has too few elements"),
        ] as [(String, ConfigurationValue, String)])
    func invalidValueIsRejected(key: String, value: ConfigurationValue, problem: String) throws {
        guard case .map(var entries) = try MarketFixture().loader().load("ca").effective.value else { return }
        entries[key] = ConfigurationNode(value)
        #expect(problems(.map(entries), schema, "") == [problem])
        entries[key] = nil
        #expect(problems(.map(entries), schema, "").isEmpty == (key == "surplus"))
    }

    @Test func numberOutOfRangeIsRejected() throws {
        guard case .map(let entries) = schema,
            let retry = entries["properties"]?.node(at: "platform.properties.networking.properties.retry")
        else { return #expect(Bool(false), "the schema has no retry section") }
        #expect(
            problems(.map(values: ["maxRetries": .integer(11)]), retry.value, "retry") == [
                "retry.maxRetries is too large"
            ])
        #expect(
            problems(.map(values: ["jitter": .number(-0.1)]), retry.value, "retry") == ["retry.jitter is too small"])
    }

    /// Evaluates the keywords that the generator uses, according to JSON Schema.
    private func problems(_ value: ConfigurationValue, _ schema: ConfigurationValue, _ path: String) -> [String] {
        guard case .map(let keywords) = schema else { return ["\(path): no schema"] }
        var found: [String] = []
        if let choices = keywords["anyOf"]?.value {
            guard case .list(let schemas) = choices else { return ["\(path): anyOf is no list"] }
            let results = schemas.map { problems(value, $0.value, path) }
            if !results.contains([]) { found += results.last ?? [] }
        }
        if case .list(let allowed)? = keywords["enum"]?.value, !allowed.contains(ConfigurationNode(value)) {
            found.append("\(path) is none of the listed values")
        }
        if let type = keywords["type"]?.value, !hasType(value, type) {
            return ["\(path) is no \(type.names.joined(separator: " or "))"]
        }
        switch value {
        case .string(let text):
            if case .string(let pattern)? = keywords["pattern"]?.value,
                (try? Regex(pattern)).flatMap({ text.firstMatch(of: $0) }) == nil
            {
                found.append("\(path) does not match \(pattern)")
            }
        case .integer, .number:
            let number = value.numberValue
            if let low = keywords["minimum"]?.value.numberValue, number ?? 0 < low {
                found.append("\(path) is too small")
            }
            if let high = keywords["maximum"]?.value.numberValue, number ?? 0 > high {
                found.append("\(path) is too large")
            }
        case .list(let nodes):
            if let low = keywords["minItems"]?.value.numberValue, Double(nodes.count) < low {
                found.append("\(path) has too few elements")
            }
            if let items = keywords["items"] {
                for (index, node) in nodes.enumerated() {
                    found += problems(node.value, items.value, "\(path)[\(index)]")
                }
            }
        case .map(let entries):
            var known: [String: ConfigurationNode] = [:]
            if case .map(let properties)? = keywords["properties"]?.value { known = properties }
            if case .list(let required)? = keywords["required"]?.value {
                for case .string(let name) in required.map(\.value) where entries[name] == nil {
                    found.append("\(path) lacks \(name)")
                }
            }
            for (key, node) in entries.sorted(by: { $0.key < $1.key }) {
                let inner = path.isEmpty ? key : "\(path).\(key)"
                if let schema = known[key] {
                    found += problems(node.value, schema.value, inner)
                } else if case .boolean(false)? = keywords["additionalProperties"]?.value {
                    found.append("\(path) has the unknown key \(key)")
                } else if let other = keywords["additionalProperties"] {
                    found += problems(node.value, other.value, inner)
                }
                if let names = keywords["propertyNames"] {
                    found += problems(.string(key), names.value, "\(inner) as a name")
                }
            }
        default: break
        }
        return found
    }

    private func hasType(_ value: ConfigurationValue, _ type: ConfigurationValue) -> Bool {
        type.names.contains { name in
            switch (name, value) {
            case ("boolean", .boolean), ("integer", .integer), ("number", .integer), ("number", .number),
                ("string", .string),
                ("string", .secret), ("array", .list), ("object", .map):
                true
            default: false
            }
        }
    }
}

extension ConfigurationValue {
    fileprivate var names: [String] {
        switch self {
        case .string(let name): [name]
        case .list(let nodes): nodes.flatMap(\.value.names)
        default: []
        }
    }

    fileprivate var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
