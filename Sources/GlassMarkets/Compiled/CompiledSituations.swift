import GlassBase
import GlassSchema

/// The part of a compiled market that is about situations: the attributes that its conditions test, and the conditions.
///
/// Each market has exactly one spelling. Conditions are sorted by their text, and each one decides about a value; each
/// attribute is tested by a condition, which may be one of a flag. A market without any has no such members.
///
/// ```json
/// {"attributes":{"build":{"pace":"build","type":"choice","values":["debug","beta","release"]}},
///  "conditions":[{"build":"debug"}], …}
/// ```
struct CompiledSituations: Sendable {
    /// An attribute that a condition tests.
    struct Attribute: Sendable {
        /// Its declaration.
        let declaration: ContextAttribute
        /// Whether the market declares it. All others belong to the app.
        let isOwn: Bool
    }

    /// The attributes, sorted by name.
    let attributes: [Attribute]
    /// The conditions. Varied values refer to them by their positions in this list.
    let conditions: [Condition]

    /// The names of the members.
    static let header = ["attributes", "conditions"]
    /// The maximum number of conditions.
    static let maximumConditions = 4096

    // MARK: Writing

    /// Describes the conditions that decide about the values of a market.
    ///
    /// - Parameter flags: The flags of the file, whose conditions are in the flags themselves.
    init(_ conditions: [Condition], flags: FlagSet, of situations: SituationRules?, app: [ContextAttribute]) {
        self.conditions = conditions
        let tested = (conditions + flags.conditions).reduce(into: Set<String>()) { $0.formUnion($1.attributes) }
        let known = Set(app.map(\.name))
        attributes = (situations?.attributes ?? []).filter { tested.contains($0.name) }.sorted { $0.name < $1.name }
            .map { Attribute(declaration: $0, isOwn: !known.contains($0.name)) }
    }

    /// The members of the file.
    func members() throws(CompiledTree.Failure) -> [(String, StrictJSON)] {
        var list: [StrictJSON] = []
        for condition in conditions { list.append(try Self.json(of: condition)) }
        var declarations: [(String, StrictJSON)] = []
        for attribute in attributes {
            guard let json = attribute.json else {
                throw CompiledTree.Failure(
                    path: ConfigurationPath([.key("attributes"), .key(attribute.declaration.name)]),
                    problem: "a compiled market cannot contain an attribute of this type")
            }
            declarations.append((attribute.declaration.name, json))
        }
        return (declarations.isEmpty ? [] : [("attributes", .object(declarations))])
            + (list.isEmpty ? [] : [("conditions", .array(list))])
    }

    /// The data form of a condition.
    static func json(of condition: Condition) throws(CompiledTree.Failure) -> StrictJSON {
        try CompiledTree.json(of: condition.dataForm, at: "conditions")
    }

    // MARK: Reading

    /// Reads the members of a file.
    init(reading json: StrictJSON, file: String) throws(CompiledMarketError) {
        func failure(_ path: ConfigurationPath, _ problem: String) -> CompiledMarketError {
            .unexpected(file, path: path, problem: problem)
        }
        let declarations = json["attributes"]?.members ?? []
        guard json["attributes"] == nil || !declarations.isEmpty else {
            throw failure("attributes", "expected an object with attributes")
        }
        guard declarations.count <= ConditionLimit.maximumAttributes else {
            throw failure(
                "attributes",
                "the conditions test \(declarations.count.grouped) attributes; the maximum is "
                    + "\(ConditionLimit.maximumAttributes)")
        }
        var attributes: [Attribute] = []
        for member in declarations {
            attributes.append(try Attribute(reading: member.value, named: member.key, file: file))
        }
        let list = json["conditions"]?.arrayValue ?? []
        guard json["conditions"] == nil || !list.isEmpty else {
            throw failure("conditions", "expected a list of conditions")
        }
        guard list.count <= Self.maximumConditions else {
            throw failure(
                "conditions",
                "there are \(list.count.grouped) conditions; the maximum is \(Self.maximumConditions.grouped)")
        }
        var reader = ConditionReader(attributes: attributes.map(\.declaration), zones: .utc)
        var tree = CompiledTreeReader(file: file, places: nil)
        var conditions: [Condition] = []
        var before: [UInt8] = []
        for (offset, json) in list.enumerated() {
            let path = ConfigurationPath("conditions").appending(index: offset + 1)
            let condition = try Self.condition(try tree.node(json, at: path), &reader, at: path, file)
            let text = json.text()
            guard condition != .always, condition != .never, (try? Self.json(of: condition)) == json,  // nil: not equal
                before.lexicographicallyPrecedes(text)
            else { throw failure(path, "the condition is not in its canonical form, or is out of order") }
            before = text
            conditions.append(condition)
        }
        self.attributes = attributes
        self.conditions = conditions
    }

    /// Reads a condition. What this version does not know, it must not skip, because the value would be wrong.
    private static func condition(
        _ node: ConfigurationNode, _ reader: inout ConditionReader, at path: ConfigurationPath, _ file: String
    ) throws(CompiledMarketError) -> Condition {
        let findings = FindingList()
        var condition: Condition?
        do throws(WorkBudget.Exceeded) {
            condition = try reader.condition(node, at: path, into: findings)
        } catch {
            throw .unexpected(file, path: path, problem: "\(error)")
        }
        guard let condition else {
            let finding = findings.sorted().first
            throw .unknownForm(
                file, path: finding?.path ?? path, problem: finding?.message ?? "it is not a condition",
                known: CompiledMarket.format)
        }
        return condition
    }
}

extension CompiledSituations.Attribute {
    private static let paces: [(name: String, pace: ContextPace)] = [
        ("build", .build), ("start", .start), ("live", .live),
    ]

    /// The declaration as it is written; nil if its type or its pace has no form.
    fileprivate var json: StrictJSON? {
        guard let type = declaration.type.written,
            let pace = Self.paces.first(where: { $0.pace == declaration.pace })?.name
        else { return nil }
        var members: [(String, StrictJSON)] = [("pace", .string(pace)), ("type", .string(type.name))]
        if let values = type.values { members.append(("values", .array(values.map { .string($0) }))) }
        if declaration.isPersonal { members.append(("personal", .boolean(true))) }
        if isOwn { members.append(("own", .boolean(true))) }
        return .object(members)
    }

    fileprivate init(reading json: StrictJSON, named name: String, file: String) throws(CompiledMarketError) {
        let path = ConfigurationPath([.key("attributes"), .key(name)])
        let values = json["values"]?.arrayValue?.compactMap(\.stringValue)
        guard let type = json["type"]?.stringValue else {
            throw .unexpected(file, path: path, problem: "expected an object with a type")
        }
        guard let contextType = ContextType(written: type, values: values) else {
            throw .unknownForm(
                file, path: path.appending("type"), problem: "unknown type \(type.quotedForMessage)",
                known: CompiledMarket.format)
        }
        let pace = json["pace"]?.stringValue ?? ""
        guard let found = Self.paces.first(where: { $0.name == pace }) else {
            throw .unknownForm(
                file, path: path.appending("pace"), problem: "unknown pace \(pace.quotedForMessage)",
                known: CompiledMarket.format)
        }
        declaration = ContextAttribute(
            name, contextType, pace: found.pace, isPersonal: json["personal"]?.boolValue ?? false)
        isOwn = json["own"]?.boolValue ?? false
        guard self.json == json, !ContextAttribute.reservedNames.contains(name) else {
            throw .unexpected(file, path: path, problem: "the attribute is not in its canonical form")
        }
    }
}

extension ContextType {
    /// The name of the type, and the names of its values; nil for a type that this format does not have.
    fileprivate var written: (name: String, values: [String]?)? {
        switch self {
        case .boolean: ("boolean", nil)
        case .integer: ("integer", nil)
        case .number: ("number", nil)
        case .choice(let names): ("choice", names)
        case .text: ("text", nil)
        case .version: ("version", nil)
        case .date: ("date", nil)
        case .localDate: ("localDate", nil)
        case .set(let names): ("set", names)
        // The locales are those of the market.
        case .locale: ("locale", nil)
        case .region: ("region", nil)
        case .bucket: nil
        }
    }

    fileprivate init?(written name: String, values: [String]?) {
        switch name {
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = .number
        case "choice": self = .choice(values ?? [])
        case "text": self = .text
        case "version": self = .version
        case "date": self = .date
        case "localDate": self = .localDate
        case "set": self = .set(values)
        case "locale": self = .locale([])
        case "region": self = .region
        default: return nil
        }
    }

    /// Whether values of one type are values of the other, regardless of their names.
    func isSameKind(as other: ContextType) -> Bool { written?.name == other.written?.name }
}

// MARK: Varied values

/// Writes the forms of varied values.
///
/// ```json
/// {"$vary":{"else":0.25,"first":[[2,0.5],[0]]}}
/// ```
///
/// The first condition that holds decides, by its position among the conditions of the file. An entry without a value,
/// and a form without `else`, stand for a key that is absent.
final class VariedFormWriter {
    /// The numbers in the order in which conditions were found.
    private var numbers: [Condition: Int] = [:]
    private var found: [Condition] = []

    /// The form of a value; nil if the key is absent in every situation. An alternative after which nothing changes is
    /// omitted.
    func json(of varied: VariedValue, at path: ConfigurationPath) throws(CompiledTree.Failure) -> StrictJSON? {
        var first: [(number: Int, value: StrictJSON?)] = []
        var seen: Set<Int> = []
        var other: StrictJSON?
        for alternative in varied.alternatives where alternative.condition != .never {
            var value: StrictJSON?
            if let node = alternative.node { value = try CompiledTree.json(of: node.value, at: path, varied: self) }
            if alternative.condition == .always {
                other = value
                break
            }
            let number = number(of: alternative.condition)
            if seen.insert(number).inserted { first.append((number, value)) }
        }
        while let last = first.last, last.value == other { first.removeLast() }
        guard !first.isEmpty else { return other }
        let entries = first.map {
            StrictJSON.array([.integer(StrictJSON.Integer($0.number))] + ($0.value.map { [$0] } ?? []))
        }
        return .object([
            (CompiledTree.vary, .object([("first", .array(entries))] + (other.map { [("else", $0)] } ?? [])))
        ])
    }

    private func number(of condition: Condition) -> Int {
        if let number = numbers[condition] { return number }
        numbers[condition] = found.count
        found.append(condition)
        return found.count - 1
    }

    /// The values with the final numbers of their conditions, which are those that occur, sorted by their text.
    func finished(
        _ members: [(String, StrictJSON)]
    ) throws(CompiledTree.Failure) -> (members: [(String, StrictJSON)], conditions: [Condition]) {
        var used: Set<Int> = []
        for (_, json) in members { json.forEachNumber { used.insert($0) } }
        var texts: [(number: Int, text: [UInt8])] = []
        for number in used { texts.append((number, try CompiledSituations.json(of: found[number]).text())) }
        texts.sort { $0.text.lexicographicallyPrecedes($1.text) }
        let final = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1.number, $0) })
        return (
            members.map { ($0, $1.renumbered { final[$0] ?? $0 }) }, texts.map { found[$0.number] }
        )
    }
}

extension StrictJSON {
    /// The content of a varied value.
    fileprivate var varied: (first: [StrictJSON], other: StrictJSON?)? {
        guard let members, members.count == 1, members[0].key == CompiledTree.vary else { return nil }
        return (members[0].value["first"]?.arrayValue ?? [], members[0].value["else"])
    }

    fileprivate func forEachNumber(_ body: (Int) -> Void) {
        if let varied {
            for entry in varied.first {
                let parts = entry.arrayValue ?? []
                if let number = parts.first?.intValue { body(number) }
                for value in parts.dropFirst() { value.forEachNumber(body) }
            }
            varied.other?.forEachNumber(body)
        } else {
            for value in arrayValue ?? members?.map(\.value) ?? [] { value.forEachNumber(body) }
        }
    }

    fileprivate func renumbered(_ number: (Int) -> Int) -> StrictJSON {
        if let varied {
            let first = varied.first.map { entry -> StrictJSON in
                let parts = entry.arrayValue ?? []
                return .array(
                    parts.prefix(1).map { .integer(Integer(number($0.intValue ?? 0))) }
                        + parts.dropFirst().map { $0.renumbered(number) })
            }
            let other = varied.other.map { [("else", $0.renumbered(number))] } ?? []
            return .object([(CompiledTree.vary, .object([("first", .array(first))] + other))])
        }
        return switch self {
        case .array(let values): .array(values.map { $0.renumbered(number) })
        case .object(let members): .object(members.map { ($0.key, $0.value.renumbered(number)) })
        default: self
        }
    }
}

extension ConfigurationPath {
    /// The path of the alternative with a condition, or of the one without.
    func alternative(_ number: Int?) -> ConfigurationPath {
        let varied = appending(CompiledTree.vary)
        return number.map { varied.appending(index: $0 + 1) } ?? varied.appending("else")
    }
}

extension ConfigurationNode {
    /// Trees that together contain each value that a key has in some situation, and that have no varied values.
    ///
    /// They need not be those of situations: in each, every key has one of its values.
    var variants: [ConfigurationNode] {
        if case .varied(let varied) = value { return varied.alternatives.flatMap { $0.node?.variants ?? [] } }
        guard case .map(let entries) = value else { return [self] }
        let all = entries.mapValues(\.variants).filter { !$0.value.isEmpty }
        return (0..<max(1, all.values.map(\.count).max() ?? 1)).map { index in
            var variant = self
            variant.value = entries.isEmpty ? value : .map(all.mapValues { $0[min(index, $0.count - 1)] })
            return variant
        }
    }
}
