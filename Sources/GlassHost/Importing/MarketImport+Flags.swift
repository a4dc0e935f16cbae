import GlassBase
import GlassMarkets
import GlassSchema

/// Flags and conditions of services.
extension MarketImport {
    // MARK: Firebase

    /// Adds a Remote Config template: its conditions, and each parameter as the key of its name, or else as a flag.
    mutating func addFirebase(_ file: ImportFile) throws {
        // The conditions that the market has, by their names in the template, in its order.
        var names: [String: String] = [:]
        var order: [String] = []
        for condition in file.tree["conditions"]?.arrayValue ?? [] {
            guard let name = condition["name"]?.stringValue else { continue }
            order.append(name)
            names[name] = try addCondition(name, file) { reader throws(ImportedCondition.Mismatch) in
                try reader.condition(ofFirebase: condition["expression"]?.stringValue ?? "")
            }
        }
        for (name, source, parameter) in Self.parameters(of: file.tree) {
            try addParameter(name, source, parameter, file, names, order)
        }
    }

    private static func parameters(of tree: StrictJSON) -> [(String, [String], StrictJSON)] {
        let own = (tree["parameters"]?.members ?? []).map { ($0.key, ["parameters", $0.key], $0.value) }
        let groups = (tree["parameterGroups"]?.members ?? []).flatMap { group in
            (group.value["parameters"]?.members ?? []).map {
                ($0.key, ["parameterGroups", group.key, $0.key], $0.value)
            }
        }
        return own + groups
    }

    private mutating func addParameter(
        _ name: String, _ source: [String], _ parameter: StrictJSON, _ file: ImportFile, _ names: [String: String],
        _ order: [String]
    ) throws {
        let conditional = parameter["conditionalValues"]
        var texts: [ConditionalText] = []
        // A value that is lost leaves its people to the next one, so a person should look at the rest.
        var isWhole = true
        // The order of the conditions is that of their strength.
        for condition in order {
            guard let value = conditional?[condition] else { continue }
            let place = source + ["conditionalValues", condition]
            guard let when = names[condition] else {
                isWhole = false
                try lose(file, place, "the market does not have its condition")
                continue
            }
            guard let text = value["value"]?.stringValue else {
                isWhole = false
                try lose(file, place, "the value is not in the template")
                continue
            }
            texts.append(ConditionalText(source: place, when: when, text: text))
        }
        let fallback = parameter["defaultValue"]?["value"]?.stringValue
        var why = "no key has this name, so it is a flag"
        if let target = keys.target(of: [name]) {
            return try addKey(target, texts, fallback, file, source, isWhole: isWhole)
        }
        let strings = (texts.map(\.text) + [fallback].compactMap(\.self)).map { StrictJSON.string($0) }
        let guess = keys.guess([name]) { type in
            strings.allSatisfy { ValueConversion.accepts(type, $0, isUntyped: true, isLenient: false) }
        }
        switch guess {
        case .one(let target):
            let message = "the only key with this name and type"
            return try addKey(target, texts, fallback, file, source, isWhole: isWhole, message)
        case .several: why = "several keys have this name, so it is a flag"
        case .none: break
        }
        guard let fallback else {
            return try lose(
                file, source, "the default is in the app's code",
                hint: "write a flag \(name) with that default")
        }
        let kind = Self.kind(of: parameter["valueType"]?.stringValue, [fallback] + texts.map(\.text))
        do {
            var rules: [ConfigurationValue] = []
            for text in texts {
                do throws(ValueConversion.Mismatch) {
                    let value = try flagValue(text.text, kind, name)
                    let when = ConfigurationValue.string(text.when)
                    rules.append(.map(values: ["name": when, "when": when, "value": value]))
                } catch {
                    isWhole = false
                    try lose(file, text.source, error.message)
                }
            }
            if !isWhole { why += "; \(Self.lacks)" }
            let doc = parameter["description"]?.stringValue
            try addFlag(
                name, ["kind": .string("operations"), "default": try flagValue(fallback, kind, name)], doc, rules, file,
                source, .guessed, why)
        } catch let error as ValueConversion.Mismatch {
            try lose(file, source, error.message)
        }
    }

    /// A value where a condition holds.
    private struct ConditionalText {
        let source: [String]
        let when: String
        let text: String
    }

    private static let lacks = "it is without the lost conditional values"

    /// Sets a key to the values of a parameter.
    private mutating func addKey(
        _ target: ImportKeys.Target, _ texts: [ConditionalText], _ fallback: String?, _ file: ImportFile,
        _ source: [String], isWhole: Bool, _ message: String? = nil
    ) throws {
        do {
            var (alternatives, secrets, isWhole) = ([MarketText.Alternative](), [String](), isWhole)
            for text in texts {
                do throws(ValueConversion.Mismatch) {
                    let (value, names) = try converted(
                        .string(text.text), as: target.type, at: target.path, isUntyped: true)
                    alternatives.append(MarketText.Alternative(when: text.when, value: value))
                    secrets += names
                } catch {
                    isWhole = false
                    try lose(file, text.source, error.message, hint: "the key is \(target.path)")
                }
            }
            var otherwise: ConfigurationValue?
            if let fallback {
                let (value, names) = try converted(.string(fallback), as: target.type, at: target.path, isUntyped: true)
                otherwise = value
                secrets += names
            }
            guard !alternatives.isEmpty || otherwise != nil else {
                return try lose(file, source, "the default is in the app's code", hint: "the key is \(target.path)")
            }
            let content: MarketText.Node
            if let otherwise, alternatives.isEmpty {
                content = .value(otherwise)
            } else {
                content = .varied(alternatives, otherwise: otherwise)
            }
            let notes = [message, isWhole ? nil : Self.lacks].compactMap(\.self)
            try add(
                target.path, content, file, source, notes.isEmpty ? .mapped : .guessed,
                notes.isEmpty ? nil : notes.joined(separator: "; "), secret: secrets.first)
        } catch let error as ValueConversion.Mismatch {
            try lose(file, source, error.message, hint: "the key is \(target.path)")
        }
    }

    /// The type of a parameter. Older templates do not name it.
    private static func kind(of name: String?, _ texts: [String]) -> String {
        if let name, name != "STRING", name != "PARAMETER_VALUE_TYPE_UNSPECIFIED" { return name }
        return name == nil && texts.allSatisfy { $0 == "true" || $0 == "false" } ? "BOOLEAN" : "STRING"
    }

    private func flagValue(
        _ text: String, _ kind: String, _ name: String
    ) throws(ValueConversion.Mismatch) -> ConfigurationValue {
        var conversion = ValueConversion(isUntyped: true) { _ in nil }
        let path = ConfigurationPath([.key("flags"), .key(name)])
        switch kind {
        case "BOOLEAN": return try conversion.value(.string(text), as: .boolean, at: path)
        case "NUMBER":
            return try conversion.value(.string(text), as: .number(-Double.infinity...Double.infinity), at: path)
        case "JSON":
            let tree: StrictJSON
            do throws(StrictJSONError) {
                tree = try StrictJSON(reading: Array(text.utf8), limit: ImportFile.maximumBytes, numbers: .all)
            } catch {
                throw ValueConversion.Mismatch("the value is not JSON: \(error)")
            }
            return try conversion.data(tree, at: path)
        default: return try conversion.data(.string(text), at: path)
        }
    }

    // MARK: Parts of all services

    /// Adds a named condition.
    ///
    /// - Returns: Its name in the market; nil if the market cannot have it.
    mutating func addCondition(
        _ name: String, _ file: ImportFile,
        _ read: (inout ImportedCondition) throws(ImportedCondition.Mismatch) -> ConfigurationValue
    ) throws -> String? {
        let source = ["conditions", name]
        let id = Self.identifier([Substring(name)])
        guard StringFormat.identifier.matches(id) else {
            try lose(file, source, "the name has no letters")
            return nil
        }
        var reader = ImportedCondition()
        do {
            let condition = try read(&reader)
            let path = ConfigurationPath([.key("conditions"), .key(id)])
            guard !values.contains(where: { $0.path == path }) else {
                try lose(file, source, "another condition has the name \(id)")
                return nil
            }
            let notes = reader.notes.isEmpty ? nil : reader.notes.joined(separator: "; ")
            try add(path, .value(condition), file, source, notes == nil ? .mapped : .guessed, notes)
            try declare(reader.attributes, file, source)
            return id
        } catch let error as ImportedCondition.Mismatch {
            try lose(file, source, error.message, hint: error.hint)
            return nil
        }
    }

    /// Declares the attributes that conditions of a file test.
    mutating func declare(_ attributes: [String: String], _ file: ImportFile, _ source: [String]) throws {
        for (name, type) in attributes.sorted(by: { $0.key < $1.key }) {
            let path = ConfigurationPath([.key("attributes"), .key(name)])
            guard !values.contains(where: { $0.path == path }) else { continue }
            try add(
                path, .value(.map(values: ["type": .string(type)])), file, source + [name], .guessed,
                "the app must set this attribute")
        }
    }

    /// Adds a flag.
    mutating func addFlag(
        _ name: String, _ fields: [String: ConfigurationValue], _ doc: String?, _ rules: [ConfigurationValue],
        _ file: ImportFile, _ source: [String], _ status: ImportEntry.Status, _ message: String? = nil
    ) throws {
        guard StringFormat.flag.matches(name) else {
            return try lose(file, source, "a flag has \(StringFormat.flag.expectation)")
        }
        var fields = fields
        if let doc, !doc.isEmpty { fields["doc"] = .string(doc) }
        if !rules.isEmpty { fields["rules"] = .list(values: rules) }
        try add(
            ConfigurationPath([.key("flags"), .key(name)]), .table(fields.mapValues { .value($0) }), file, source,
            status, message)
    }
}
