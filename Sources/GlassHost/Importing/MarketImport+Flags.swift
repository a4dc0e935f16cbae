import GlassBase
import GlassMarkets
import GlassSchema

/// Flags and conditions of services.
extension MarketImport {
    // MARK: Firebase

    /// Adds a Remote Config template: its conditions, and each parameter as the key of its name, or else as a flag.
    mutating func addFirebase(_ file: ImportFile) throws {
        // The order of the conditions is that of their strength.
        var conditions: [TemplateCondition] = []
        for condition in file.tree["conditions"]?.arrayValue ?? [] {
            guard let name = condition["name"]?.stringValue else { continue }
            let expression = condition["expression"]?.stringValue ?? ""
            var isForeign = false
            let id = try addCondition(name, file) { reader throws(ImportedCondition.Mismatch) in
                do throws(ImportedCondition.Mismatch) {
                    return try reader.condition(ofFirebase: expression)
                } catch {
                    isForeign = error.isForeign && !["||", "!", "not "].contains { expression.contains($0) }
                    throw error
                }
            }
            conditions.append(TemplateCondition(name: name, id: id, isForeign: isForeign))
        }
        for (name, source, parameter) in Self.parameters(of: file.tree) {
            try addParameter(name, source, parameter, file, conditions)
        }
    }

    /// A condition of a template.
    private struct TemplateCondition {
        let name: String
        /// Its name in the market; nil if it is lost.
        let id: String?
        /// Whether it is lost because no app of a market meets it.
        let isForeign: Bool
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
        _ name: String, _ source: [String], _ parameter: StrictJSON, _ file: ImportFile,
        _ conditions: [TemplateCondition]
    ) throws {
        var texts: [ConditionalText] = []
        for condition in conditions {
            guard let value = parameter["conditionalValues"]?[condition.name] else { continue }
            texts.append(
                ConditionalText(
                    source: source + ["conditionalValues", condition.name], when: condition,
                    text: value["value"]?.stringValue))
        }
        let fallback = parameter["defaultValue"]?["value"]?.stringValue
        var why = "no key has this name, so it is a flag"
        if let target = keys.target(of: [name]) {
            return try addKey(target, texts, fallback, file, source)
        }
        let known = texts.filter { $0.when.id != nil }.compactMap(\.text) + [fallback].compactMap(\.self)
        let strings = known.map { StrictJSON.string($0) }
        let guess = keys.guess([name]) { type in
            strings.allSatisfy { ValueConversion.accepts(type, $0, isUntyped: true, isLenient: false) }
        }
        switch guess {
        case .one(let target):
            let message = "the only key with this name and type"
            return try addKey(target, texts, fallback, file, source, message)
        case .several: why = "several keys have this name, so it is a flag"
        case .none: break
        }
        guard let fallback else {
            for text in texts where text.when.id == nil || text.text == nil {
                try lose(file, text.source, Self.lostCondition(text))
            }
            return try lose(
                file, source, "the default is in the app's code",
                hint: "write a flag \(name) with that default")
        }
        let kind = Self.kind(of: parameter["valueType"]?.stringValue, known)
        let (kept, isWhole) = try keep(texts, file, hint: nil) { market, text throws(ValueConversion.Mismatch) in
            try market.flagValue(text, kind, name)
        }
        do {
            var values = [try flagValue(fallback, kind, name)] + kept.map { $0.value }
            // A flag has one type, and that of 1 and 2.5 is a number.
            if values.contains(where: { if case .number = $0 { true } else { false } }) {
                values = values.map { value -> ConfigurationValue in
                    guard case .integer(let integer) = value else { return value }
                    return .number(Double(integer))
                }
            }
            let rules = zip(kept, values.dropFirst()).map { kept, value in
                ConfigurationValue.map(values: [
                    "name": .string(kept.when), "when": .string(kept.when), "value": value,
                ])
            }
            if !isWhole { why += "; \(Self.lacks)" }
            let fields: [String: ConfigurationValue] = ["kind": .string("operations"), "default": values[0]]
            try addFlag(
                name, fields, parameter["description"]?.stringValue, rules, file, source, .guessed, why)
        } catch let error as ValueConversion.Mismatch {
            try lose(file, source, error.message)
        }
    }

    /// A value where a condition holds.
    private struct ConditionalText {
        let source: [String]
        let when: TemplateCondition
        /// The value; nil if it is not in the template.
        let text: String?
    }

    private static let lacks = "it is without the lost conditional values"

    private static func lostCondition(_ text: ConditionalText) -> String {
        text.when.id == nil ? "the market does not have its condition" : "the value is not in the template"
    }

    /// The conditional values that the market has, each with the condition's name there, and whether these are all.
    ///
    /// A lost value leaves its people to the values below it. So a value below is kept only if it is the same as what
    /// they lost.
    private mutating func keep<Kept>(
        _ texts: [ConditionalText], _ file: ImportFile, hint: String?,
        _ convert: (inout MarketImport, String) throws(ValueConversion.Mismatch) -> Kept
    ) throws -> (kept: [(when: String, value: Kept)], isWhole: Bool) {
        var (kept, isWhole) = ([(when: String, value: Kept)](), true)
        // The values that people have lost so far; nil for one that is unknown.
        var lost: [String?] = []
        for text in texts {
            let message: String
            var advice: String?
            if let when = text.when.id, let value = text.text {
                if lost.allSatisfy({ $0 == value }) {
                    do throws(ValueConversion.Mismatch) {
                        let made = try convert(&self, value)
                        kept.append((when, made))
                        continue
                    } catch {
                        message = error.message
                        advice = hint
                    }
                } else {
                    message = "a condition above it is lost, and this value would reach its users"
                }
            } else {
                message = Self.lostCondition(text)
            }
            isWhole = false
            if !text.when.isForeign { lost.append(text.text) }
            try lose(file, text.source, message, hint: advice)
        }
        return (kept, isWhole)
    }

    /// Sets a key to the values of a parameter.
    private mutating func addKey(
        _ target: ImportKeys.Target, _ texts: [ConditionalText], _ fallback: String?, _ file: ImportFile,
        _ source: [String], _ message: String? = nil
    ) throws {
        let hint = "the key is \(target.path)"
        do {
            let (kept, isWhole) = try keep(texts, file, hint: hint) { market, text throws(ValueConversion.Mismatch) in
                try market.converted(.string(text), as: target.type, at: target.path, isUntyped: true)
            }
            let alternatives = kept.map { MarketText.Alternative(when: $0.when, value: $0.value.value) }
            var secrets = kept.flatMap { $0.value.secrets }
            var otherwise: ConfigurationValue?
            if let fallback {
                let made = try converted(.string(fallback), as: target.type, at: target.path, isUntyped: true)
                otherwise = made.value
                secrets += made.secrets
            }
            guard !alternatives.isEmpty || otherwise != nil else {
                return try lose(file, source, "the default is in the app's code", hint: hint)
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
            try lose(file, source, error.message, hint: hint)
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
        var reader = conditionReader
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
