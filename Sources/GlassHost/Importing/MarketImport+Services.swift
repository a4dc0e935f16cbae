import GlassBase
import GlassMarkets
import GlassSchema

/// Flags of LaunchDarkly and Unleash, which keep the shares that people are in.
extension MarketImport {
    /// The unit of a share whose key a service calls the user's.
    private static let person = "customerID"

    /// The attribute that identifies a unit; nil for one that a market does not have.
    private static func unit(_ name: String) -> String? {
        switch ImportKeys.word(name) {
        case "key", "userid", "user", "default", "": person
        case "installid", "deviceid", "sessionid": "installID"
        default: nil
        }
    }

    /// What to know about a flag with shares by the person; nil for one without.
    private static func note(_ rules: [ConfigurationValue]) -> String? {
        rules.contains { $0.sourceText.contains("by = \"\(person)\"") }
            ? "its shares stay as they are if \(person) is what the app gives the service as the key" : nil
    }

    // MARK: LaunchDarkly

    /// Adds flags of LaunchDarkly: those of its API, or those that its SDKs read.
    mutating func addLaunchDarkly(_ file: ImportFile) throws {
        var segments: [String: String] = [:]
        for segment in file.tree["segments"]?.members ?? [] {
            if segment.value["included"]?.arrayValue?.isEmpty == false {
                try lose(
                    file, ["segments", segment.key, "included"], "a condition cannot name people",
                    hint: "let the app set an audience")
            }
            segments[segment.key] = try addCondition(segment.key, file) { reader throws(ImportedCondition.Mismatch) in
                let rules = segment.value["rules"]?.arrayValue ?? []
                guard !rules.isEmpty else {
                    throw ImportedCondition.Mismatch(message: "the segment has no rules")
                }
                var parts: [ConfigurationValue] = []
                for rule in rules { parts.append(try Self.condition(ofRule: rule, &reader, [:])) }
                return ImportedCondition.any(parts)
            }
        }
        let known = file.tree["flags"]?.members?.map { ($0.key, $0.value) }
        let items = file.tree["items"]?.arrayValue?.map { ($0["key"]?.stringValue ?? "", $0) }
        for (name, flag) in known ?? items ?? [] {
            var state = flag
            if let environments = flag["environments"]?.members {
                guard
                    let chosen = flag["environments"]?["production"]
                        ?? (environments.count == 1 ? environments[0].value : nil)
                else {
                    try lose(file, ["flags", name], "it has several environments, and none is production")
                    continue
                }
                state = chosen
            }
            if flag["archived"]?.boolValue == true {
                try lose(file, ["flags", name], "it is archived")
                continue
            }
            try addLaunchDarklyFlag(name, flag, state, segments, file)
        }
    }

    private mutating func addLaunchDarklyFlag(
        _ name: String, _ flag: StrictJSON, _ state: StrictJSON, _ segments: [String: String], _ file: ImportFile
    ) throws {
        let source = ["flags", name]
        let listed = flag["variations"]?.arrayValue ?? []
        // The API wraps each value, the SDKs read it bare.
        let variations = listed.map { $0["value"] ?? $0 }
        do {
            var conversion = ValueConversion(isUntyped: false) { _ in nil }
            var data: [ConfigurationValue] = []
            for variation in variations {
                data.append(try conversion.data(variation, at: ConfigurationPath([.key("flags"), .key(name)])))
            }
            guard !data.isEmpty else { throw ValueConversion.Mismatch("it has no variations") }
            let isBoolean = data.allSatisfy { if case .boolean = $0 { true } else { false } }
            let names = Self.names(of: listed, data)
            /// What a rule gives for a variation: its value for a Boolean flag, else its name.
            func given(_ index: Int) -> (String, ConfigurationValue)? {
                guard data.indices.contains(index) else { return nil }
                return isBoolean ? ("value", data[index]) : ("variant", .string(names[index]))
            }
            var fields: [String: ConfigurationValue] = [
                "kind": .string("operations"), "like": .string("launchDarkly"),
            ]
            if let salt = state["salt"]?.stringValue ?? flag["salt"]?.stringValue {
                fields["salt"] = .string("\(name).\(salt)")
            }
            if !isBoolean { fields["variants"] = .map(values: Dictionary(zip(names, data)) { first, _ in first }) }
            let isOn = state["on"]?.boolValue ?? false
            if !isOn { fields["enabled"] = .boolean(false) }
            for target in (state["targets"]?.arrayValue ?? []) + (state["contextTargets"]?.arrayValue ?? [])
            where target["values"]?.arrayValue?.isEmpty == false {
                try lose(
                    file, source + ["targets"], "a rule cannot name people",
                    hint: "let the app set an audience, and write a rule with when = { audience = \"…\" }")
                break
            }
            if state["prerequisites"]?.arrayValue?.isEmpty == false {
                try lose(
                    file, source + ["prerequisites"], "a flag cannot depend on another",
                    hint: "let both flags name one condition")
            }
            var reader = ImportedCondition()
            var rules: [ConfigurationValue] = []
            for (index, rule) in (state["rules"]?.arrayValue ?? []).enumerated() {
                let place = source + ["rules[\(index)]"]
                do throws(ImportedCondition.Mismatch) {
                    let when = try Self.condition(ofRule: rule, &reader, segments)
                    rules += try Self.rules("rule\(index + 1)", when, rule, name, given, names, isBoolean)
                } catch {
                    try lose(file, place, error.message, hint: error.hint)
                }
            }
            let off = state["offVariation"]?.intValue ?? flag["offVariation"]?.intValue ?? 0
            let everyone = state["fallthrough"] ?? flag["fallthrough"] ?? .null
            let last = isOn ? everyone["variation"]?.intValue : off
            guard let (_, otherwise) = given(last ?? off) else {
                throw ValueConversion.Mismatch("its variation \(last ?? off) does not exist")
            }
            fields["default"] = otherwise
            if everyone["variation"]?.intValue != last || last == nil {
                do throws(ImportedCondition.Mismatch) {
                    rules += try Self.rules("everyone", nil, everyone, name, given, names, isBoolean)
                } catch {
                    try lose(file, source + ["fallthrough"], error.message, hint: error.hint)
                }
            }
            // A last rule that gives the default to the rest says nothing.
            if case .map(let last)? = rules.last, last["when"] == nil, last["rollout"] == nil,
                last["value"]?.value == otherwise
            {
                rules.removeLast()
            }
            let doc = flag["description"]?.stringValue
            try declare(reader.attributes, file, source)
            let note = Self.note(rules)
            try addFlag(name, fields, doc, rules, file, source, note == nil ? .mapped : .guessed, note)
        } catch let error as ValueConversion.Mismatch {
            try lose(file, source, error.message)
        }
    }

    /// The names of variants: their own, if they can be names and differ, or else numbers.
    private static func names(of listed: [StrictJSON], _ data: [ConfigurationValue]) -> [String] {
        let wanted = zip(listed, data).map { item, value -> String in
            if let name = item["name"]?.stringValue { return identifier([Substring(name)]) }
            if case .string(let text) = value { return text }
            return ""
        }
        let areNames = wanted.allSatisfy { StringFormat.identifier.matches($0) } && Set(wanted).count == wanted.count
        return areNames ? wanted : data.indices.map { "variation\($0)" }
    }

    /// The condition of a rule's clauses, all of which hold.
    private static func condition(
        ofRule rule: StrictJSON, _ reader: inout ImportedCondition, _ segments: [String: String]
    ) throws(ImportedCondition.Mismatch) -> ConfigurationValue {
        var parts: [ConfigurationValue] = []
        for clause in rule["clauses"]?.arrayValue ?? [] {
            let attribute = clause["attribute"]?.stringValue ?? ""
            let values = clause["values"]?.arrayValue ?? []
            let texts = values.compactMap(\.stringValue)
            func compared(_ comparator: String, _ type: String) throws(ImportedCondition.Mismatch) -> ConfigurationValue
            {
                let text = texts.first ?? values.first?.doubleValue.map { Int(exactly: $0).map(String.init) ?? "\($0)" }
                guard let text, values.count == 1, type != "date" || texts.count == 1 else {
                    throw ImportedCondition.Mismatch(message: "\(attribute) is compared with more than one value")
                }
                return try reader.test(attribute, .compared(comparator, text, type: type))
            }
            var part: ConfigurationValue
            switch clause["op"]?.stringValue ?? "" {
            case "in": part = try reader.test(attribute, .oneOf(values))
            case "startsWith": part = try reader.test(attribute, .text("prefix", texts, anyCase: false))
            case "endsWith": part = try reader.test(attribute, .text("suffix", texts, anyCase: false))
            case "contains": part = try reader.test(attribute, .text("contains", texts, anyCase: false))
            case "semVerEqual": part = try reader.test(attribute, .oneOf(values))
            case "semVerGreaterThan": part = try compared(">", "version")
            case "semVerLessThan": part = try compared("<", "version")
            case "greaterThan": part = try compared(">", "number")
            case "greaterThanOrEqual": part = try compared(">=", "number")
            case "lessThan": part = try compared("<", "number")
            case "lessThanOrEqual": part = try compared("<=", "number")
            case "before": part = try compared("<", "date")
            case "after": part = try compared(">", "date")
            case "segmentMatch":
                let known = texts.compactMap { segments[$0] }
                guard known.count == texts.count, !known.isEmpty else {
                    throw ImportedCondition.Mismatch(
                        message: "the market does not have the segment \((texts.first ?? "").quotedForMessage)")
                }
                part = ImportedCondition.any(known.map { .string($0) })
            case let operation:
                throw ImportedCondition.Mismatch(message: "a condition cannot test with \(operation.quotedForMessage)")
            }
            if clause["negate"]?.boolValue == true { part = ImportedCondition.negated(part) }
            parts.append(part)
        }
        return ImportedCondition.all(parts)
    }

    /// The rules that give what a rule of LaunchDarkly gives: a variation, or shares of several.
    private static func rules(
        _ ruleName: String, _ when: ConfigurationValue?, _ rule: StrictJSON, _ flag: String,
        _ given: (Int) -> (String, ConfigurationValue)?, _ names: [String], _ isBoolean: Bool
    ) throws(ImportedCondition.Mismatch) -> [ConfigurationValue] {
        var base: [String: ConfigurationValue] = ["name": .string(ruleName)]
        if let when, when != .boolean(true) { base["when"] = when }
        if let index = rule["variation"]?.intValue {
            guard let (key, value) = given(index) else {
                throw ImportedCondition.Mismatch(message: "its variation \(index) does not exist")
            }
            base[key] = value
            return [.map(values: base)]
        }
        let rollout = rule["rollout"]
        guard let weights = rollout?["variations"]?.arrayValue, !weights.isEmpty else {
            throw ImportedCondition.Mismatch(message: "it gives no variation")
        }
        guard let unit = unit(rollout?["bucketBy"]?.stringValue ?? "key") else {
            throw ImportedCondition.Mismatch(
                message: "a share cannot be by \((rollout?["bucketBy"]?.stringValue ?? "").quotedForMessage)",
                hint: "declare it in attributes, and write the rule with by")
        }
        var share: [String: ConfigurationValue] = ["by": .string(unit)]
        if let seed = rollout?["seed"]?.intValue { share["salt"] = .string("\(seed)") }
        var parts: [(index: Int, percent: Double)] = []
        for weight in weights {
            guard let index = weight["variation"]?.intValue, let thousandths = weight["weight"]?.intValue,
                given(index) != nil, (0...100_000).contains(thousandths)
            else { throw ImportedCondition.Mismatch(message: "its weights are not of its variations") }
            parts.append((index, Double(thousandths) / 1000))
        }
        guard isBoolean else {
            let list = parts.map { ConfigurationValue.list(values: [.string(names[$0.index]), percent($0.percent)]) }
            share["weights"] = .list(values: list)
            base["split"] = .map(values: share)
            return [.map(values: base)]
        }
        // A Boolean flag has two shares: the first in a rule of its own, the rest after it.
        let shared = parts.filter { $0.percent > 0 }
        guard let first = shared.first, shared.count <= 2, let (key, value) = given(first.index) else {
            throw ImportedCondition.Mismatch(message: "a Boolean flag has more than two shares")
        }
        base[key] = value
        guard shared.count == 2, let (otherKey, other) = given(shared[1].index) else { return [.map(values: base)] }
        var rest = base
        share["percent"] = percent(first.percent)
        base["rollout"] = .map(values: share)
        rest["name"] = .string("\(ruleName)Rest")
        rest[otherKey] = other
        return [.map(values: base), .map(values: rest)]
    }

    private static func percent(_ number: Double) -> ConfigurationValue {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }

    // MARK: Unleash

    /// Adds flags of Unleash: those that its SDKs read, or those of its export.
    mutating func addUnleash(_ file: ImportFile) throws {
        var segments: [String: [StrictJSON]] = [:]
        for segment in file.tree["segments"]?.arrayValue ?? [] {
            guard let id = segment["id"]?.intValue else { continue }
            segments["\(id)"] = segment["constraints"]?.arrayValue ?? []
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
            try addUnleashFlag(name, feature, enabled ?? false, strategies, variants, segments, file)
        }
    }

    private mutating func addUnleashFlag(
        _ name: String, _ feature: StrictJSON, _ enabled: Bool, _ strategies: [StrictJSON], _ variants: [StrictJSON],
        _ segments: [String: [StrictJSON]], _ file: ImportFile
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
        var reader = ImportedCondition()
        var rules: [ConfigurationValue] = []
        for (index, strategy) in strategies.enumerated() where strategy["disabled"]?.boolValue != true {
            do throws(ImportedCondition.Mismatch) {
                rules.append(try Self.rule(index, strategy, name, segments, &reader))
            } catch {
                try lose(file, source + ["strategies[\(index)]"], error.message, hint: error.hint)
            }
        }
        // Without a strategy, a flag is on for everyone.
        if strategies.isEmpty { rules = [.map(values: ["name": .string("everyone"), "value": .boolean(true)])] }
        try declare(reader.attributes, file, source)
        var notes = [Self.note(rules)].compactMap(\.self)
        if let type = feature["type"]?.stringValue, ["release", "experiment"].contains(type) {
            notes.append("its kind is operations, because the file has no last day for a \(type)")
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
            guard let own = segments["\(id.intValue ?? -1)"] else {
                throw ImportedCondition.Mismatch(message: "the file does not have its segment")
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
        guard let unit = unit(share.unit) else {
            throw ImportedCondition.Mismatch(
                message: "a share cannot be by \(share.unit.quotedForMessage)",
                hint: "declare it in attributes, and write the rule with by")
        }
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
        if isNegated { part = ImportedCondition.negated(part) }
        return part
    }
}
