import GlassBase
import GlassSchema

/// The values of a market as JSON. Each value has exactly one spelling, and no two values share one.
///
/// Strings, booleans, integers, and numbers with a fraction represent themselves. An object whose only key begins with
/// a single `$` is something that JSON cannot express: `{"$secret":"NAME"}`, `{"$number":"40.0"}` for a floating-point
/// number without a fraction, and `{"$table":{}}` for a table whose last key was removed, while `{}` is one that was
/// written empty. A market's own keys that begin with `$` get an additional `$`. A value that depends on the
/// situation is `{"$vary":…}`; see ``VariedFormWriter``.
enum CompiledTree {
    /// The key that marks a secret.
    static let secret = "$secret"
    /// The key that marks a number without a fraction.
    static let number = "$number"
    /// The key that marks a table without keys.
    static let table = "$table"
    /// The key that marks a value that depends on the situation.
    static let vary = "$vary"
    /// Marks an opaque value such as a function. Occurs only in overridden values, which are never used.
    static let opaque = "$opaque"

    /// The reason why a value cannot be expressed, and its path.
    struct Failure: Error {
        let path: ConfigurationPath
        let problem: String
    }

    /// The JSON of a value.
    static func json(
        of value: ConfigurationValue, at path: ConfigurationPath = ConfigurationPath(), keepingKinds: Bool = false,
        varied: VariedFormWriter? = nil
    ) throws(Failure) -> StrictJSON {
        switch value {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(StrictJSON.Integer(number))
        case .number(let number):
            guard number.isFinite else {
                throw Failure(path: path, problem: "a compiled market cannot contain the number \(number)")
            }
            return number.hasFraction ? .number(number) : .object([(Self.number, .string("\(number)"))])
        case .string(let text): return .string(text)
        case .secret(let secret): return .object([(Self.secret, .string(secret.name))])
        case .emptyTable: return .object([(String, StrictJSON)]())
        case .list(let nodes):
            var values: [StrictJSON] = []
            for (offset, node) in nodes.enumerated() {
                values.append(
                    try json(of: node.value, at: path.appending(index: offset + 1), keepingKinds: keepingKinds))
            }
            return .array(values)
        case .map(let entries):
            let members = try members(of: entries, at: path, keepingKinds: keepingKinds, varied: varied)
            return .object(members.isEmpty ? [(table, .object([(String, StrictJSON)]()))] : members)
        case .opaque, .directive, .varied:
            guard keepingKinds else {
                throw Failure(path: path, problem: "a compiled market cannot contain \(value.found)")
            }
            return .object([(opaque, .string(value.found))])
        }
    }

    /// The members of a table that has keys, in any order.
    static func members(
        of entries: [String: ConfigurationNode], at path: ConfigurationPath, keepingKinds: Bool = false,
        varied: VariedFormWriter? = nil
    ) throws(Failure) -> [(String, StrictJSON)] {
        var members: [(String, StrictJSON)] = []
        for (key, node) in entries.inOrder {
            let inner = path.appending(key)
            let value: StrictJSON
            if let varied, case .varied(let alternatives) = node.value {
                guard let form = try varied.json(of: alternatives, at: inner) else { continue }
                value = form
            } else {
                value = try json(of: node.value, at: inner, keepingKinds: keepingKinds, varied: varied)
            }
            members.append((key.hasPrefix("$") ? "$" + key : key, value))
        }
        return members
    }
}

extension Double {
    fileprivate var hasFraction: Bool { self != rounded(.towardZero) }
}

/// Reads the values of a compiled market, and rejects any spelling but the one that is written.
struct CompiledTreeReader {
    /// The file's name in findings.
    let file: String
    /// The positions of the values. Without them, the positions are in the compiled file itself, which is one line.
    let places: MarketProvenance?
    /// Whether kinds of functions are read.
    let keepingKinds: Bool
    /// The conditions of varied values; nil if no value can be varied.
    let conditions: [Condition]?
    /// The conditions that decide about a value.
    private(set) var used: Set<Int> = []
    /// The number of lists around the current value. A list varies as a whole.
    private var listDepth = 0
    /// The number of values that were read.
    private(set) var count = 0
    /// The approximate size of the values, in bytes.
    private(set) var bytes = 0

    /// The maximum number of values: as many as a market of Lua files can have.
    private static let maximumValues = 160_000
    /// The approximate size of a value in bytes, including what merging and decoding create from it.
    private static let bytesOfAValue = 400

    init(file: String, places: MarketProvenance?, keepingKinds: Bool = false, conditions: [Condition]? = nil) {
        self.file = file
        self.places = places
        self.keepingKinds = keepingKinds
        self.conditions = conditions
    }

    /// Reads a value.
    mutating func node(_ json: StrictJSON, at path: ConfigurationPath) throws(CompiledMarketError) -> ConfigurationNode
    {
        node(try value(json, at: path), at: path)
    }

    /// Reads the members of a table.
    mutating func table(
        _ members: [StrictJSON.Member], at path: ConfigurationPath
    ) throws(CompiledMarketError) -> ConfigurationNode {
        var entries: [String: ConfigurationNode] = [:]
        guard members.count <= ConfigurationLimits.maximumElements else {
            throw failure(path, "a table has \(members.count.grouped) keys; the maximum is \(maximumText)")
        }
        for member in members {
            var key = member.key
            if key.hasPrefix("$") {
                guard key.hasPrefix("$$") else {
                    throw failure(path, "\(key.quotedForMessage) is not a valid value form")
                }
                key.removeFirst()
            }
            guard key.utf8.count <= ConfigurationLimits.maximumKeyLength else {
                throw failure(
                    path,
                    "a key has \(key.utf8.count.grouped) bytes; the maximum is \(ConfigurationLimits.maximumKeyLength)")
            }
            // Names in JSON are compared as bytes, but keys of a table as strings, for which `é` and `e` with an accent
            // are equal.
            if entries.updateValue(try node(member.value, at: path.appending(key)), forKey: key) != nil {
                throw failure(path, "two keys are equal to \(key.quotedForMessage)")
            }
        }
        return node(.map(entries), at: path)
    }

    private mutating func value(
        _ json: StrictJSON, at path: ConfigurationPath
    ) throws(CompiledMarketError) -> ConfigurationValue {
        count += 1
        bytes += Self.bytesOfAValue
        guard count <= Self.maximumValues else {
            throw failure(path, "the market has more than \(Self.maximumValues.grouped) values")
        }
        switch json {
        case .null: throw failure(path, "null is not allowed")
        case .boolean(let flag): return .boolean(flag)
        case .integer(let integer):
            guard let number = integer.value else {
                throw failure(path, "the integer \(integer.digits.prefix(40)) has more than 64 bits")
            }
            return .integer(number)
        case .number(let number):
            guard number.hasFraction else {
                throw failure(path, "a number without a fraction must be written as {\"$number\":\"\(number)\"}")
            }
            return .number(number)
        case .string(let text):
            bytes += text.utf8.count
            return .string(text)
        case .array(let values):
            guard values.count <= ConfigurationLimits.maximumElements else {
                throw failure(path, "a list has \(values.count.grouped) elements; the maximum is \(maximumText)")
            }
            var nodes: [ConfigurationNode] = []
            nodes.reserveCapacity(values.count)
            listDepth += 1
            defer { listDepth -= 1 }
            for (offset, value) in values.enumerated() {
                nodes.append(try node(value, at: path.appending(index: offset + 1)))
            }
            return .list(nodes)
        case .object(let members):
            if members.isEmpty { return .emptyTable }
            if members.count == 1, let form = try form(members[0], at: path) { return form }
            return try table(members, at: path).value
        }
    }

    /// The value that an object with one member represents, if the member's key begins with a single `$`.
    private mutating func form(
        _ member: StrictJSON.Member, at path: ConfigurationPath
    ) throws(CompiledMarketError) -> ConfigurationValue? {
        switch (member.key, member.value) {
        case (CompiledTree.secret, .string(let name)):
            guard StringFormat.identifier.matches(name) else {
                throw failure(path, "\(name.quotedForMessage) is not a valid name of a secret")
            }
            return .secret(Secret(name: name))
        case (CompiledTree.number, .string(let text)):
            guard let number = Double(text), number.isFinite, !number.hasFraction, "\(number)" == text else {
                throw failure(
                    path, "\(text.quotedForMessage) is not the spelling of a number without a fraction")
            }
            return .number(number)
        case (CompiledTree.table, .object(let members)) where members.isEmpty: return .map([:])
        case (CompiledTree.opaque, .string(let kind)) where keepingKinds:
            return .opaque(OpaqueValue(kind: kind, payload: Unknown()))
        case (CompiledTree.vary, .object(let members)):
            guard let conditions, listDepth == 0 else { return nil }
            return try varied(member.value, members, conditions, at: path)
        default: return nil
        }
    }

    /// Reads a varied value.
    private mutating func varied(
        _ json: StrictJSON, _ members: [StrictJSON.Member], _ conditions: [Condition], at path: ConfigurationPath
    ) throws(CompiledMarketError) -> ConfigurationValue {
        let other = json["else"]
        guard let first = json["first"]?.arrayValue, !first.isEmpty, members.count == (other == nil ? 1 : 2) else {
            throw failure(path, "a varied value must have a list of alternatives, and may have one other value")
        }
        guard first.count <= SituationReader.maximumAlternatives else {
            throw failure(
                path,
                "a value has \(first.count.grouped) alternatives; the maximum is \(SituationReader.maximumAlternatives)"
            )
        }
        guard first.last?.arrayValue?.dropFirst().first != other else {
            throw failure(path, "the last alternative has no effect")
        }
        var alternatives: [VariedValue.Alternative] = []
        var seen: Set<Int> = []
        for entry in first {
            guard let parts = entry.arrayValue, (1...2).contains(parts.count), let number = parts[0].intValue,
                conditions.indices.contains(number), seen.insert(number).inserted
            else {
                throw failure(
                    path, "an alternative must have a value and the number of a condition that no other one has")
            }
            let inner = path.alternative(number)
            alternatives.append(
                VariedValue.Alternative(
                    conditions[number], try parts.count == 2 ? alternative(parts[1], at: inner) : nil,
                    position: places?[inner.appending("$when")]?.position))
        }
        used.formUnion(seen)
        if let other {
            alternatives.append(VariedValue.Alternative(.always, try alternative(other, at: path.alternative(nil))))
        }
        return .varied(VariedValue(alternatives))
    }

    private mutating func alternative(
        _ json: StrictJSON, at path: ConfigurationPath
    ) throws(CompiledMarketError) -> ConfigurationNode {
        let node = try node(json, at: path)
        guard !node.value.isVaried else { throw failure(path, "an alternative cannot be a varied value itself") }
        return node
    }

    /// A function that a file contained and that can no longer be called.
    private final class Unknown: Sendable {}

    private func node(_ value: ConfigurationValue, at path: ConfigurationPath) -> ConfigurationNode {
        guard let place = places?[path] else {
            return ConfigurationNode(value, position: SourcePosition(file: file, line: 1))
        }
        return ConfigurationNode(
            value, position: place.position ?? SourcePosition(file: file, line: 1), keyPosition: place.keyPosition,
            overridden: place.replaced)
    }

    private var maximumText: String { ConfigurationLimits.maximumElements.grouped }

    private func failure(_ path: ConfigurationPath, _ problem: String) -> CompiledMarketError {
        .unexpected(file, path: path, problem: problem)
    }
}
