import Foundation
import GlassBase
import GlassSchema

// The type of a key is in the key's own object, and the keys of a section are in the object of its type. Objects are
// nested as little as possible, because JSON is read to 32 levels.

extension SectionDeclaration {
    /// The keys in the form of a record: what a market may contain, without the documentation.
    var recorded: StrictJSON { .object(members) }

    fileprivate var members: [(String, StrictJSON)] {
        [("keys", .object(keys.map { ($0.name, $0.recorded) }))] + (others.map { [("others", $0.type.recorded)] } ?? [])
    }
}

extension KeyDeclaration {
    fileprivate var recorded: StrictJSON {
        .object(
            type.members + (isRequired ? [("required", .boolean(true))] : [])
                + (formerNames.isEmpty ? [] : [("formerly", .array(formerNames.map { .string($0) }))]))
    }
}

extension ValueType {
    fileprivate var recorded: StrictJSON { .object(members) }

    fileprivate var members: [(String, StrictJSON)] {
        func kind(_ kind: String, _ more: [(String, StrictJSON)] = []) -> [(String, StrictJSON)] {
            [("kind", .string(kind))] + more
        }
        switch self {
        case .boolean: return kind("boolean")
        case .integer(let range): return kind("integer", Self.bounds(of: range, from: .min))
        case .number(let range):
            // Infinity stands for a range without an end, which a record omits.
            let ends = [("least", range.lowerBound), ("most", range.upperBound)].filter(\.1.isFinite)
            return kind("number", ends.map { ($0, .string("\($1)")) })
        case .percent: return ValueType.number(0...100).members
        case .string(let format): return kind("string", format.members)
        case .choice(let names): return kind("choice", [("names", .array(names.map { .string($0) }))])
        case .secret: return kind("secret")
        case .scalar: return kind("scalar")
        case .list(let element, let count, let unique):
            return kind(
                "list",
                [("of", element.recorded)] + Self.bounds(of: count, from: 0)
                    + (unique ? [("unique", .boolean(true))] : []))
        // A release only has to know what it accepts, so it records a list.
        case .row(let types, _):
            return ValueType.list(of: .either(types), count: types.count...types.count).members
        case .map(let element, let keys, let count):
            return kind(
                "map",
                [("of", element.recorded), ("keyed", .object(keys.members))] + Self.bounds(of: count, from: 0))
        case .section(let section): return kind("section", section.members)
        case .function: return kind("function")
        case .condition: return kind("condition")
        case .data, .test, .enclosing: return kind("data")
        case .either(let types): return kind("either", [("types", .array(types.map(\.recorded)))])
        }
    }

    /// The bounds of a range, if it has any.
    private static func bounds(of range: ClosedRange<Int>, from lowest: Int) -> [(String, StrictJSON)] {
        (range.lowerBound > lowest ? [("least", .integer(StrictJSON.Integer(range.lowerBound)))] : [])
            + (range.upperBound < .max ? [("most", .integer(StrictJSON.Integer(range.upperBound)))] : [])
    }
}

extension StringFormat {
    fileprivate var members: [(String, StrictJSON)] {
        [("format", .string(name))] + (pattern.map { [("pattern", .string($0))] } ?? [])
    }
}

/// Reads declarations back from a record.
struct DeclarationReader {
    let file: String

    /// Reads the keys of a section.
    func section(
        _ json: StrictJSON?, _ path: ConfigurationPath
    ) throws(CompiledMarketError) -> SectionDeclaration {
        guard let members = json?["keys"]?.members else { throw failure(path, "expected the keys of a section") }
        var keys: [KeyDeclaration] = []
        var names: Set<String> = []
        for member in members {
            let inner = path.appending(member.key)
            let former = (member.value["formerly"]?.arrayValue ?? []).compactMap(\.stringValue)
            // A name with two meanings would trap. The record is a file and not part of the program, so it throws an
            // error.
            for name in [member.key] + former where !names.insert(name).inserted {
                throw failure(inner, "the name \(name.quotedForMessage) appears twice")
            }
            keys.append(
                KeyDeclaration(
                    name: member.key, type: try type(member.value, inner),
                    isRequired: member.value["required"]?.boolValue ?? false, defaultValue: nil, formerNames: former,
                    appliesOn: .all, documentation: ""))
        }
        var others: KeyDeclaration?
        if let json = json?["others"] {
            others = KeyDeclaration(
                name: "*", type: try type(json, path), isRequired: false, defaultValue: nil, appliesOn: .all,
                documentation: "")
        }
        return SectionDeclaration(name: path.description, keys: keys, others: others)
    }

    private func type(_ json: StrictJSON?, _ path: ConfigurationPath) throws(CompiledMarketError) -> ValueType {
        guard let json, let kind = json["kind"]?.stringValue else { throw failure(path, "expected a type") }
        switch kind {
        case "boolean": return .boolean
        case "integer":
            return .integer(try range(json["least"]?.intValue ?? .min, json["most"]?.intValue ?? .max, path))
        case "number":
            let least = try bound(json["least"], path) ?? -.infinity
            return .number(try range(least, try bound(json["most"], path) ?? .infinity, path))
        case "string": return .string(format(json))
        case "choice": return .choice((json["names"]?.arrayValue ?? []).compactMap(\.stringValue))
        case "secret": return .secret
        case "scalar": return .scalar
        case "list":
            return .list(
                of: try type(json["of"], path), count: try count(json, path), unique: json["unique"]?.boolValue ?? false
            )
        case "map":
            return .map(
                of: try type(json["of"], path), keys: format(json["keyed"] ?? .null), count: try count(json, path))
        case "section": return .section(try section(json, path))
        case "function": return .function
        case "condition": return .condition
        case "data": return .data
        case "either":
            var types: [ValueType] = []
            for value in json["types"]?.arrayValue ?? [] { types.append(try type(value, path)) }
            return .either(types)
        default: throw failure(path, "\(kind.quotedForMessage) is not a type")
        }
    }

    private func bound(_ json: StrictJSON?, _ path: ConfigurationPath) throws(CompiledMarketError) -> Double? {
        guard let json else { return nil }
        guard let number = json.stringValue.flatMap(Double.init), number.isFinite else {
            throw failure(path, "expected a number as a string")
        }
        return number
    }

    private func count(_ json: StrictJSON, _ path: ConfigurationPath) throws(CompiledMarketError) -> ClosedRange<Int> {
        try range(json["least"]?.intValue ?? 0, json["most"]?.intValue ?? .max, path)
    }

    private func range<Number: Comparable>(
        _ least: Number, _ most: Number, _ path: ConfigurationPath
    ) throws(CompiledMarketError) -> ClosedRange<Number> {
        guard least <= most else { throw failure(path, "a range ends before it begins") }
        return least...most
    }

    /// The string format of a release, by its pattern. A format without a pattern is assumed to accept every string.
    private func format(_ json: StrictJSON) -> StringFormat {
        let name = json["format"]?.stringValue ?? StringFormat.any.name
        guard let pattern = json["pattern"]?.stringValue else {
            return StringFormat(name: name, expectation: "a string") { _ in true }
        }
        return StringFormat(name: name, expectation: "a string of the form \(pattern)", pattern: pattern) { text in
            text.range(of: pattern, options: .regularExpression) != nil
        }
    }

    private func failure(_ path: ConfigurationPath, _ problem: String) -> CompiledMarketError {
        .unexpected(file, path: path, problem: problem)
    }
}
