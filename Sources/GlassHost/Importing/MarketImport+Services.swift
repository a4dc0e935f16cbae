import GlassBase
import GlassMarkets
import GlassSchema

/// Flags of Unleash, and what they have in common with those of LaunchDarkly: the shares that people are in.
extension MarketImport {
    /// The unit of a share whose key a service calls the user's.
    private static let person = "customerID"

    /// A reader that knows the attributes of every market.
    var conditionReader: ImportedCondition { ImportedCondition(schema.module.contextAttributes) }

    /// The attribute that identifies a unit.
    static func unit(
        _ name: String, _ reader: inout ImportedCondition
    ) throws(ImportedCondition.Mismatch) -> String {
        switch ImportKeys.word(name) {
        case "key", "userid", "user", "default", "": return person
        case "installid", "deviceid":
            reader.note("its shares stay as they are if installID is what the app gives the service as \(name)")
            return "installID"
        case "sessionid":
            throw ImportedCondition.Mismatch(
                message: "a share cannot be by session, because sessions change",
                hint: "write the rule with by = \"installID\": the share stays the same, the people do not")
        default:
            throw ImportedCondition.Mismatch(
                message: "a share cannot be by \(name.quotedForMessage)",
                hint: "declare it in attributes, and write the rule with by")
        }
    }

    /// What to know about a flag with shares by the person; nil for one without.
    static func note(_ rules: [ConfigurationValue]) -> String? {
        rules.contains { $0.sourceText.contains("by = \"\(person)\"") }
            ? "its shares stay as they are if \(person) is what the app gives the service as the key" : nil
    }

    // MARK: Unleash

    /// Adds flags of Unleash: those that its SDKs read, or those of its export.
    mutating func addUnleash(_ file: ImportFile) throws {
        // Some exports only name the segments. Without constraints, one would hold for everyone.
        var segments: [String: [StrictJSON]] = [:]
        for segment in file.tree["segments"]?.arrayValue ?? [] {
            guard let id = Self.segmentID(segment["id"]) else { continue }
            segments[id] = segment["constraints"]?.arrayValue ?? []
        }
        // An export has the dependencies beside the features, each with the flags that one depends on.
        var dependent: Set<String> = []
        for dependency in file.tree["dependencies"]?.arrayValue ?? []
        where dependency["dependencies"]?.arrayValue?.isEmpty != true {
            let child = dependency["feature"] ?? dependency["child"] ?? dependency["featureName"]
            if let name = child?.stringValue { dependent.insert(name) }
        }
        for feature in file.tree["features"]?.arrayValue ?? [] {
            let name = feature["name"]?.stringValue ?? ""
            var strategies = feature["strategies"]?.arrayValue ?? []
            var (enabled, variants) = (feature["enabled"]?.boolValue, feature["variants"]?.arrayValue ?? [])
            if let exported = file.tree["featureStrategies"]?.arrayValue {
                let own = exported.filter { $0["featureName"]?.stringValue == name }
                let states = (file.tree["featureEnvironments"]?.arrayValue ?? [])
                    .filter { $0["featureName"]?.stringValue == name }
                let environments = Set(states.compactMap { $0["environment"]?.stringValue })
                let chosen = environments.contains("production") ? "production" : environments.first
                guard environments.count <= 1 || chosen == "production" else {
                    try lose(file, ["features", name], "it has several environments, and none is production")
                    continue
                }
                strategies = own.filter { $0["environment"] == nil || $0["environment"]?.stringValue == chosen }
                let state = states.first { $0["environment"]?.stringValue == chosen }
                enabled = state?["enabled"]?.boolValue
                variants = state?["variants"]?.arrayValue ?? variants
            }
            let isDependent = dependent.contains(name) || feature["dependencies"]?.arrayValue?.isEmpty == false
            try addUnleashFlag(name, feature, enabled ?? false, isDependent, strategies, variants, segments, file)
        }
    }

    /// The number of a segment, which some files have in quotes.
    private static func segmentID(_ json: StrictJSON?) -> String? {
        json?.intValue.map { "\($0)" } ?? json?.stringValue
    }

    private mutating func addUnleashFlag(
        _ name: String, _ feature: StrictJSON, _ enabled: Bool, _ isDependent: Bool, _ strategies: [StrictJSON],
        _ variants: [StrictJSON], _ segments: [String: [StrictJSON]], _ file: ImportFile
    ) throws {
        let source = ["features", name]
        let kind = feature["type"]?.stringValue == "permission" ? "permission" : "operations"
        var fields: [String: ConfigurationValue] = [
            "kind": .string(kind), "like": .string("unleash"), "default": .boolean(false),
        ]
        if !enabled { fields["enabled"] = .boolean(false) }
        let hasVariants = !variants.isEmpty || strategies.contains { $0["variants"]?.arrayValue?.isEmpty == false }
        if hasVariants {
            try lose(
                file, source + ["variants"], "the flag is only on or off: its variants are not imported",
                hint: "write a flag with variants, and a rule with split")
        }
        var reader = conditionReader
        var (rules, notes) = ([ConfigurationValue](), hasVariants ? ["it is without the lost variants"] : [])
        for (index, strategy) in strategies.enumerated() where strategy["disabled"]?.boolValue != true {
            do throws(ImportedCondition.Mismatch) {
                var own = reader
                rules.append(try Self.rule(index, strategy, name, segments, &own))
                reader = own
            } catch {
                try lose(file, source + ["strategies[\(index)]"], error.message, hint: error.hint)
                notes.append("it is without the lost strategies[\(index)]")
            }
        }
        if isDependent {
            try lose(
                file, source + ["dependencies"], "a flag cannot depend on another",
                hint: "let both flags name one condition")
            (rules, reader) = ([], conditionReader)
            notes.append("it is off for everyone, because what it depends on is lost")
        } else if strategies.isEmpty {
            // Without a strategy, a flag is on for everyone.
            rules = [.map(values: ["name": .string("everyone"), "value": .boolean(true)])]
        }
        try declare(reader.attributes, file, source)
        notes += reader.notes
        if let note = Self.note(rules) { notes.append(note) }
        if let type = feature["type"]?.stringValue, ["release", "experiment"].contains(type) {
            let phrase = type == "release" ? "a release" : "an experiment"
            notes.append("its kind is operations, because the file has no last day for \(phrase)")
        }
        try addFlag(
            name, fields, feature["description"]?.stringValue, rules, file, source,
            notes.isEmpty ? .mapped : .guessed, notes.isEmpty ? nil : notes.joined(separator: "; "))
    }

    private static func rule(
        _ index: Int, _ strategy: StrictJSON, _ flag: String, _ segments: [String: [StrictJSON]],
        _ reader: inout ImportedCondition
    ) throws(ImportedCondition.Mismatch) -> ConfigurationValue {
        let parameters = strategy["parameters"]
        func text(_ name: String) -> String? {
            parameters?[name]?.stringValue ?? parameters?[name]?.intValue.map(String.init)
        }
        var rule: [String: ConfigurationValue] = ["name": .string("strategy\(index + 1)"), "value": .boolean(true)]
        var constraints = strategy["constraints"]?.arrayValue ?? []
        for id in strategy["segments"]?.arrayValue ?? [] {
            guard let own = Self.segmentID(id).flatMap({ segments[$0] }), !own.isEmpty else {
                throw ImportedCondition.Mismatch(message: "the file does not have the constraints of its segment")
            }
            constraints += own
        }
        var parts: [ConfigurationValue] = []
        for constraint in constraints { parts.append(try condition(ofConstraint: constraint, &reader)) }
        let when = ImportedCondition.all(parts)
        if !parts.isEmpty { rule["when"] = when }
        let kind = strategy["name"]?.stringValue ?? strategy["strategyName"]?.stringValue ?? ""
        let share: (percent: String, unit: String)
        switch kind {
        case "default": return .map(values: rule)
        case "flexibleRollout": share = (text("rollout") ?? "100", text("stickiness") ?? "default")
        case "gradualRolloutUserId": share = (text("percentage") ?? "100", "userId")
        case "gradualRolloutSessionId": share = (text("percentage") ?? "100", "sessionId")
        case "userWithId", "remoteAddress", "applicationHostname":
            throw ImportedCondition.Mismatch(
                message: "a rule cannot name people or machines", hint: "let the app set an audience")
        default:
            throw ImportedCondition.Mismatch(
                message: "a rule cannot do what the strategy \(kind.quotedForMessage) does")
        }
        guard let percent = Int(share.percent), (0...100).contains(percent) else {
            throw ImportedCondition.Mismatch(message: "its percentage is not a whole number from 0 to 100")
        }
        if percent == 100 { return .map(values: rule) }
        if percent == 0 {
            throw ImportedCondition.Mismatch(message: "it is for nobody, with a percentage of 0")
        }
        let unit = try Self.unit(share.unit, &reader)
        var rollout: [String: ConfigurationValue] = ["percent": .integer(percent), "by": .string(unit)]
        if let group = text("groupId"), group != flag { rollout["salt"] = .string(group) }
        rule["rollout"] = .map(values: rollout)
        return .map(values: rule)
    }

    private static func condition(
        ofConstraint constraint: StrictJSON, _ reader: inout ImportedCondition
    ) throws(ImportedCondition.Mismatch) -> ConfigurationValue {
        let name = constraint["contextName"]?.stringValue ?? ""
        let values = constraint["values"]?.arrayValue ?? []
        let texts = values.compactMap(\.stringValue)
        let value = constraint["value"]?.stringValue ?? ""
        let anyCase = constraint["caseInsensitive"]?.boolValue == true
        var isNegated = constraint["inverted"]?.boolValue == true
        var part: ConfigurationValue
        switch constraint["operator"]?.stringValue ?? "" {
        case "IN": part = try reader.test(name, .oneOf(values))
        case "NOT_IN":
            part = try reader.test(name, .oneOf(values))
            isNegated.toggle()
        case "STR_STARTS_WITH": part = try reader.test(name, .text("prefix", texts, anyCase: anyCase))
        case "STR_ENDS_WITH": part = try reader.test(name, .text("suffix", texts, anyCase: anyCase))
        case "STR_CONTAINS": part = try reader.test(name, .text("contains", texts, anyCase: anyCase))
        case "NUM_EQ": part = try reader.test(name, .compared("=", value, type: "number"))
        case "NUM_GT": part = try reader.test(name, .compared(">", value, type: "number"))
        case "NUM_GTE": part = try reader.test(name, .compared(">=", value, type: "number"))
        case "NUM_LT": part = try reader.test(name, .compared("<", value, type: "number"))
        case "NUM_LTE": part = try reader.test(name, .compared("<=", value, type: "number"))
        case "SEMVER_EQ": part = try reader.test(name, .compared("=", value, type: "version"))
        case "SEMVER_GT": part = try reader.test(name, .compared(">", value, type: "version"))
        case "SEMVER_LT": part = try reader.test(name, .compared("<", value, type: "version"))
        case "DATE_AFTER": part = try reader.test(name, .compared(">", value, type: "date"))
        case "DATE_BEFORE": part = try reader.test(name, .compared("<", value, type: "date"))
        case let operation:
            throw ImportedCondition.Mismatch(message: "a condition cannot test with \(operation.quotedForMessage)")
        }
        // Unleash inverts the result, so that a constraint also holds without the attribute, as in a market.
        if isNegated { part = ImportedCondition.negated(part) }
        return part
    }
}
