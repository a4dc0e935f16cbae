import Foundation
import GlassBase

@testable import GlassSchema

/// The vectors that implementations of conditions share, in `Fixtures`.
enum ConditionVectors {
    private static let folder = URL(filePath: #filePath).appending(path: "../../Fixtures").standardizedFileURL

    /// The rows of a table, without the one that names the columns.
    static func rows(of name: String) throws -> [[String]] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The cases of a file with one JSON object per line.
    static func objects(in name: String) throws -> [StrictJSON] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try StrictJSON(reading: Array(line.utf8), limit: 1 << 16, numbers: .all)
        }
    }
}

extension StrictJSON {
    var node: ConfigurationNode { ConfigurationNode(configuration) }

    private var configuration: ConfigurationValue {
        switch self {
        case .null: .emptyTable
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value.value ?? 0)
        case .number(let value): .number(value)
        case .string(let value): .string(value)
        case .array(let elements): .list(elements.map(\.node))
        case .object(let members):
            .map(Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.node) }))
        }
    }

    var text: String { if case .string(let value) = self { value } else { "" } }
    var flag: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var number: Int { if case .integer(let value) = self { value.value ?? -1 } else { -1 } }
    var elements: [StrictJSON] { if case .array(let elements) = self { elements } else { [] } }
    var fields: [(key: String, value: StrictJSON)] {
        if case .object(let members) = self { members.map { ($0.key, $0.value) } } else { [] }
    }
}

/// Reads a condition without names, and expects that it has no errors.
func read(
    _ data: ConfigurationValue, _ attributes: [ContextAttribute], named: [String: ConfigurationValue] = [:],
    zones: ZoneRules = .utc
) throws -> (condition: Condition?, findings: [Finding]) {
    var reader = ConditionReader(
        attributes: attributes, named: named.mapValues { ConfigurationNode($0) }, zones: zones)
    let findings = FindingList()
    let condition = try reader.condition(ConfigurationNode(data), at: "when", into: findings)
    return (condition, findings.sorted())
}
