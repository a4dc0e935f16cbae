import GlassAuthoring
import GlassBase
import GlassMarkets
import GlassSchema
import GlassSites

/// The values that files give a new market, and the report of what happened to each.
///
/// A value gets its place by name and type. Whether the whole is a market decides its check: a value that the check
/// rejects is reported as lost, with the message of the finding.
struct MarketImport {
    /// A value for the market.
    struct Value {
        let path: ConfigurationPath
        let content: MarketText.Node
        /// Its entries in the report, of which a list has several.
        var entries: [Int]
        /// Whether only a part of the name is that of the key.
        var isGuess = false
    }

    /// The maximum number of values in all files.
    static let maximumValues = 5_000
    /// The number of steps of a value, in addition to those of its name.
    private static let stepsOfAValue = 50
    /// The maximum number of unknown names for which the nearest key is looked for.
    private static let maximumSuggestions = 200

    let id: String
    let schema: MarketSchema
    let keys: ImportKeys
    private let budget: WorkBudget
    var entries: [ImportEntry] = []
    var values: [Value] = []
    /// The schemes of other apps that the market inherits; nil without a base.
    var inheritedSchemes: [String]?
    /// The text with the values that the check has not rejected so far.
    var text: MarketText?
    private var unknownNames = 0
    var places = ImportPlaces()
    /// The keys for which files have several values, of which none has the key's whole name.
    private var contradicted: Set<ConfigurationPath> = []
    private var secretNames: [String: ConfigurationPath] = [:]

    /// - Parameter budget: The budget of the command, which pays for each value by the length of its name.
    init(id: String, schema: MarketSchema, budget: WorkBudget) {
        self.budget = budget
        self.id = id
        self.schema = schema
        keys = ImportKeys(schema)
    }

    /// Adds the values of a file.
    mutating func add(_ file: ImportFile) throws {
        switch file.format {
        case .json, .plist: try addTree(file.tree, [], file)
        case .xcconfig: try addSettings(file)
        case .infoPlist: try addInfo(file)
        case .association: try addAssociation(file)
        case .assetLinks: try addAssetLinks(file)
        }
    }

    // MARK: Keys by name

    /// Adds a tree whose names are those of keys.
    mutating func addTree(_ json: StrictJSON, _ names: [String], _ file: ImportFile) throws {
        if case .object(let members) = json {
            let type = names.isEmpty ? nil : keys.target(of: names)?.type
            // A table is the value of a key only if nothing in it is a key.
            let isWhole = type.map { $0.section == nil && !$0.isMap } ?? false
            if !isWhole {
                for member in members { try addTree(member.value, names + [member.key], file) }
                if members.isEmpty, !names.isEmpty { try lose(file, names, "the table is empty") }
                return
            }
        }
        try budget.spend(Self.stepsOfAValue + names.reduce(0) { $0 + $1.utf8.count } / 16, on: .reading)
        if names.isEmpty {
            return try lose(file, ["(file)"], "expected a table of keys, got \(json.kind)")
        }
        if case .null = json { return try lose(file, names, "it has no value that a market can have") }
        if let target = keys.target(of: names) {
            return try set(target, json, file, names, .mapped)
        }
        switch guess(names, json, file) {
        case .one(let target):
            return try set(target, json, file, names, .guessed, "the only key with this name and type")
        case .several(let paths):
            return try loseUnknown(
                file, names, json, "several keys have this name",
                hint: "write one of \(paths.prefix(4).map(\.description).joined(separator: ", "))")
        case .none: break
        }
        // A key can have the name without taking the value.
        switch keys.guess(names, accepts: { _ in true }) {
        case .one(let target): try set(target, json, file, names, .guessed, "the only key with this name")
        case .several(let paths):
            try loseUnknown(
                file, names, json, "several keys have this name, and none takes \(json.kind) like this",
                hint: "the keys are \(paths.prefix(4).map(\.description).joined(separator: ", "))")
        case .none:
            // Looking for the nearest name takes longer than everything else, so only the first unknown names get one.
            unknownNames += 1
            let nearest = unknownNames <= Self.maximumSuggestions ? keys.nearest(to: names) : nil
            try loseUnknown(
                file, names, json, "no key has this name", hint: nearest.map { "the nearest is \($0)" })
        }
    }

    /// The key that a value means, first by the type that it has.
    private func guess(_ names: [String], _ json: StrictJSON, _ file: ImportFile) -> ImportKeys.Guess {
        for isLenient in [false, true] {
            let found = keys.guess(names) {
                ValueConversion.accepts($0, json, isUntyped: file.format.isUntyped, isLenient: isLenient)
            }
            if case .none = found { continue }
            return found
        }
        return .none
    }

    /// Reports a value without a key. A credential is one that others may have read.
    private mutating func loseUnknown(
        _ file: ImportFile, _ names: [String], _ json: StrictJSON, _ message: String, hint: String?
    ) throws {
        let path = ConfigurationPath(names.map { .key($0) })
        guard let text = json.stringValue, let kind = Credential.kind(of: text, at: path),
            let prefix = schema.module.secretPrefixes.first
        else { return try lose(file, names, message, hint: hint) }
        let name = Credential.secretName(prefix: prefix, market: id, path)
        try lose(
            file, names, "\(message), and the value looks like \(kind)",
            hint: "revoke it, and write secret \"\(name)\" for the key that needs it")
    }

    /// Sets a key to a value of a file.
    mutating func set(
        _ target: ImportKeys.Target, _ json: StrictJSON, _ file: ImportFile, _ names: [String],
        _ status: ImportEntry.Status, _ message: String? = nil
    ) throws {
        do {
            let made = try converted(
                json, as: target.type, at: target.path, isUntyped: file.format.isUntyped, leavesOutFields: true)
            for field in made.lost {
                let place = field.path.elements.dropFirst(target.path.elements.count).map { element -> String in
                    switch element {
                    case .key(let name): return name
                    case .index(let number): return "[\(number - 1)]"
                    }
                }
                try lose(file, names + place, field.message, hint: "the key is \(target.path)")
            }
            let isGuess = status == .guessed
            var (status, message) = (status, message)
            if !made.lost.isEmpty {
                status = .guessed
                message = [message, "it is without the lost fields"].compactMap(\.self).joined(separator: "; ")
            }
            try add(
                target.path, .value(made.value), file, names, status, message, secret: made.secrets.first,
                isGuess: isGuess)
        } catch let error as ValueConversion.Mismatch {
            try lose(file, names, error.message, hint: "the key is \(target.path)")
        }
    }

    /// The value of a key, with secrets in place of what must not be written, and the names of these.
    ///
    /// - Parameter leavesOutFields: Whether tables in lists may lose fields that do not fit.
    mutating func converted(
        _ json: StrictJSON, as type: ValueType, at path: ConfigurationPath, isUntyped: Bool,
        leavesOutFields: Bool = false
    ) throws(ValueConversion.Mismatch) -> ConvertedValue {
        let prefix = schema.module.secretPrefixes.first
        var names = secretNames
        var made: [String: ConfigurationPath] = [:]
        let id = id
        func name(_ path: ConfigurationPath) -> String? {
            guard let prefix else { return nil }
            var (name, number) = (Credential.secretName(prefix: prefix, market: id, path), 2)
            let first = name
            while let other = names[name], other != path {
                name = "\(first)_\(number)"
                number += 1
            }
            names[name] = path
            made[name] = path
            return name
        }
        let converted = try withoutActuallyEscaping(name) { name throws(ValueConversion.Mismatch) in
            var conversion = ValueConversion(isUntyped: isUntyped, secretName: name)
            let value = try conversion.value(
                json, as: type, at: path, ValueConversion.Mode(leavesOutFields: leavesOutFields))
            return ConvertedValue(value: value, secrets: conversion.secrets, lost: conversion.lostFields)
        }
        secretNames.merge(made) { old, _ in old }
        return converted
    }

    // MARK: The report

    /// Adds a value, unless its key has one. A value with the whole name of the key replaces one whose key was guessed, in
    /// whatever order they come, and of two guesses neither is taken.
    mutating func add(
        _ path: ConfigurationPath, _ content: MarketText.Node, _ file: ImportFile, _ source: [String],
        _ status: ImportEntry.Status, _ message: String? = nil, secret: String? = nil, isGuess: Bool = false
    ) throws {
        if isGuess, contradicted.contains(path) { return try loseContradiction(path, file, source) }
        if let index = places.index(overlapping: path), values[index].isGuess, values[index].path == path,
            values[index].content != content
        {
            let winner = "\(file.path): \(Self.name(source))"
            remove(
                index,
                isGuess
                    ? Self.contradiction(path) : "\(path) is set by \(winner), which matches the whole name of the key")
            if isGuess {
                contradicted.insert(path)
                return try loseContradiction(path, file, source)
            }
        }
        if let index = places.index(overlapping: path) {
            let other = values[index]
            guard other.path != path || other.content != content else {
                // If the check rejects the value, all files that have it lose it.
                values[index].entries.append(entries.count)
                values[index].isGuess = values[index].isGuess && isGuess
                return try report(
                    ImportEntry(
                        file: file.path, source: Self.name(source), status: status, key: path, message: message,
                        secret: secret))
            }
            let first = entries[other.entries[0]]
            return try lose(file, source, "\(other.path) is already set by \(first.file): \(first.source)")
        }
        var message = message
        if let secret {
            let note = "the value is left out: set it as \(secret), and revoke it if the file was shared"
            message = message.map { "\($0); \(note)" } ?? note
        }
        places.add(path, values.count)
        values.append(Value(path: path, content: content, entries: [entries.count], isGuess: isGuess))
        try report(
            ImportEntry(
                file: file.path, source: Self.name(source), status: status, key: path, message: message,
                secret: secret))
    }

    private static func contradiction(_ path: ConfigurationPath) -> String {
        "the files have several different values that could belong to \(path)"
    }

    private mutating func loseContradiction(
        _ path: ConfigurationPath, _ file: ImportFile, _ source: [String]
    ) throws {
        try lose(file, source, Self.contradiction(path), hint: "set \(path) to the value that you want")
    }

    /// Takes a value out, whose entries then say why.
    private mutating func remove(_ index: Int, _ message: String) {
        let value = values.remove(at: index)
        for entry in value.entries {
            entries[entry].status = .lost
            entries[entry].key = nil
            entries[entry].secret = nil
            entries[entry].message = message
            entries[entry].hint = "the key is \(value.path)"
        }
        indexPlaces()
    }

    /// Finds the places of the values again, after some were taken out.
    mutating func indexPlaces() {
        places = ImportPlaces()
        for (index, value) in values.enumerated() { places.add(value.path, index) }
    }

    /// Adds an element to a list that several values of files make up.
    mutating func append(
        _ element: ConfigurationValue, to path: ConfigurationPath, _ file: ImportFile, _ source: [String]
    ) throws {
        guard let index = values.firstIndex(where: { $0.path == path }), !values[index].isGuess,
            case .value(.list(let nodes)) = values[index].content
        else { return try add(path, .value(.list(values: [element])), file, source, .mapped) }
        let isNew = !nodes.contains { $0.value == element }
        let content = isNew ? .value(.list(nodes + [ConfigurationNode(element)])) : values[index].content
        try replace(index, content, file, source, .mapped)
    }

    /// Replaces a value by one that also has what another value of a file says.
    mutating func replace(
        _ index: Int, _ content: MarketText.Node, _ file: ImportFile, _ source: [String],
        _ status: ImportEntry.Status, _ message: String? = nil
    ) throws {
        let old = values[index]
        values[index] = Value(path: old.path, content: content, entries: old.entries + [entries.count])
        try report(
            ImportEntry(file: file.path, source: Self.name(source), status: status, key: old.path, message: message))
    }

    /// Reports a value that the market does not have.
    mutating func lose(
        _ file: ImportFile, _ source: [String], _ message: String, hint: String? = nil
    ) throws {
        try report(
            ImportEntry(file: file.path, source: Self.name(source), status: .lost, message: message, hint: hint))
    }

    mutating func report(_ entry: ImportEntry) throws {
        guard entries.count < Self.maximumValues else {
            throw CommandFailure(
                status: .impossible, .tooLarge,
                "\(entry.file): the files have more than \(Self.maximumValues.grouped) values: import a part of them")
        }
        entries.append(entry)
    }

    /// Names on a path, as people find them in a file.
    static func name(_ names: [String]) -> String {
        names.reduce(into: "") { text, name in
            text += text.isEmpty || name.hasPrefix("[") ? name : ".\(name)"
        }.shortenedForFinding
    }
}
