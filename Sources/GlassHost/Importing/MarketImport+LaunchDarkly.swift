import GlassBase
import GlassMarkets
import GlassSchema

/// Flags of LaunchDarkly, whose default is what they give while they are off.
///
/// An imported flag never reaches more people: after a lost part that may exclude some, everyone else gets the default.
extension MarketImport {
    /// Adds flags of LaunchDarkly: those of its API, or those that its SDKs read.
    mutating func addLaunchDarkly(_ file: ImportFile) throws {
        var segments: [String: String] = [:]
        for segment in file.tree["segments"]?.members ?? [] {
            segments[segment.key] = try addCondition(segment.key, file) { reader throws(ImportedCondition.Mismatch) in
                for list in ["included", "excluded", "includedContexts", "excludedContexts"]
                where segment.value[list]?.arrayValue?.isEmpty == false {
                    throw ImportedCondition.Mismatch(
                        message: "a condition cannot name people, and the segment has some in \(list)",
                        hint: "let the app set an audience")
                }
                if segment.value["unbounded"]?.boolValue == true {
                    throw ImportedCondition.Mismatch(
                        message: "the file does not list the people of the segment",
                        hint: "let the app set an audience")
                }
                let rules = segment.value["rules"]?.arrayValue ?? []
                guard !rules.isEmpty else {
                    throw ImportedCondition.Mismatch(message: "the segment has no rules")
                }
                var parts: [ConfigurationValue] = []
                for rule in rules {
                    guard rule["weight"]?.intValue == nil else {
                        throw ImportedCondition.Mismatch(message: "a condition cannot be a share of people")
                    }
                    parts.append(try Self.condition(ofRule: rule, &reader, [:]))
                }
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
            // The default is what the service gives while the flag is off, as `enabled = false` does.
            let named = state["offVariation"]?.intValue ?? flag["offVariation"]?.intValue
            let off = named ?? data.firstIndex(of: .boolean(false)) ?? 0
            guard let (field, otherwise) = given(off) else {
                throw ValueConversion.Mismatch("its variation \(off) does not exist")
            }
            var fields: [String: ConfigurationValue] = [
                "kind": .string("operations"), "like": .string("launchDarkly"), "default": otherwise,
            ]
            if let salt = state["salt"]?.stringValue ?? flag["salt"]?.stringValue {
                fields["salt"] = .string("\(name).\(salt)")
            }
            if !isBoolean { fields["variants"] = .map(values: Dictionary(zip(names, data)) { first, _ in first }) }
            if state["on"]?.boolValue != true { fields["enabled"] = .boolean(false) }
            var notes: [String] = []
            if named == nil { notes.append("the file does not say what it gives while it is off") }
            var (reader, rules, isCut) = (conditionReader, [ConfigurationValue](), false)
            /// Loses what may keep people from what follows it, unless it only gives more than the off variation does.
            func cut(_ part: String, giving variations: [Int?]) {
                let excludes =
                    variations.isEmpty || !isBoolean
                    || !variations.allSatisfy { index in index.flatMap(given).map { $0.1 != otherwise } ?? false }
                isCut = excludes
                notes.append(
                    excludes
                        ? "\(part) may exclude people, so nothing after it is imported: the rest get the off variation"
                        : "it is without the lost \(part)")
            }
            if state["prerequisites"]?.arrayValue?.isEmpty == false {
                try lose(
                    file, source + ["prerequisites"], "a flag cannot depend on another",
                    hint: "let both flags name one condition")
                cut("prerequisites", giving: [])
            }
            let targets = (state["targets"]?.arrayValue ?? []) + (state["contextTargets"]?.arrayValue ?? [])
            let people = targets.filter { $0["values"]?.arrayValue?.isEmpty == false }
            if !people.isEmpty {
                try lose(
                    file, source + ["targets"], "a rule cannot name people",
                    hint: "let the app set an audience, and write a rule with when = { audience = \"…\" }")
                if !isCut { cut("targets", giving: people.map { $0["variation"]?.intValue }) }
            }
            for (index, rule) in (state["rules"]?.arrayValue ?? []).enumerated() {
                let part = "rules[\(index)]"
                guard !isCut else {
                    try lose(file, source + [part], Self.follows)
                    continue
                }
                do throws(ImportedCondition.Mismatch) {
                    var own = reader
                    let when = try Self.condition(ofRule: rule, &own, segments)
                    rules += try Self.rules("rule\(index + 1)", when, rule, given, names, isBoolean, &own)
                    reader = own
                } catch {
                    try lose(file, source + [part], error.message, hint: error.hint)
                    let shares = rule["rollout"]?["variations"]?.arrayValue ?? [rule]
                    cut(part, giving: shares.map { $0["variation"]?.intValue })
                }
            }
            let everyone = state["fallthrough"] ?? flag["fallthrough"] ?? .null
            if isCut {
                if everyone["variation"]?.intValue != off { try lose(file, source + ["fallthrough"], Self.follows) }
            } else {
                do throws(ImportedCondition.Mismatch) {
                    var own = reader
                    rules += try Self.rules("everyone", nil, everyone, given, names, isBoolean, &own)
                    reader = own
                } catch {
                    try lose(file, source + ["fallthrough"], error.message, hint: error.hint)
                    notes.append("everyone whom no rule names gets the off variation")
                }
            }
            // A last rule that gives the default to the rest says nothing.
            if case .map(let last)? = rules.last, last["when"] == nil, last["rollout"] == nil,
                last[field]?.value == otherwise
            {
                rules.removeLast()
            }
            try declare(reader.attributes, file, source)
            notes += reader.notes
            if let note = Self.note(rules) { notes.append(note) }
            try addFlag(
                name, fields, flag["description"]?.stringValue, rules, file, source, notes.isEmpty ? .mapped : .guessed,
                notes.isEmpty ? nil : notes.joined(separator: "; "))
        } catch let error as ValueConversion.Mismatch {
            try lose(file, source, error.message)
        }
    }

    /// Why a rule after a lost one is not imported.
    private static let follows = "it follows what is lost, which may exclude people from it"

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
            if clause["negate"]?.boolValue == true {
                // Unlike an attribute, a segment cannot be missing.
                let isSegment = clause["op"]?.stringValue == "segmentMatch"
                part = isSegment ? ImportedCondition.negated(part) : reader.negatedIfPresent(part)
            }
            parts.append(part)
        }
        return ImportedCondition.all(parts)
    }

    /// The rules that give what a rule of LaunchDarkly gives: a variation, or shares of several.
    private static func rules(
        _ ruleName: String, _ when: ConfigurationValue?, _ rule: StrictJSON,
        _ given: (Int) -> (String, ConfigurationValue)?, _ names: [String], _ isBoolean: Bool,
        _ reader: inout ImportedCondition
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
        let kind = rollout?["contextKind"]?.stringValue ?? "user"
        guard kind == "user" else {
            throw ImportedCondition.Mismatch(
                message: "a share cannot be by the key of a \(kind)",
                hint: "declare it in attributes, and write the rule with by")
        }
        var parts: [(index: Int, percent: Double)] = []
        for weight in weights {
            guard let index = weight["variation"]?.intValue, let thousandths = weight["weight"]?.intValue,
                given(index) != nil, (0...100_000).contains(thousandths)
            else { throw ImportedCondition.Mismatch(message: "its weights are not of its variations") }
            parts.append((index, Double(thousandths) / 1000))
        }
        let shared = parts.filter { $0.percent > 0 }
        if isBoolean, shared.count == 1, let (key, value) = given(shared[0].index) {
            // One share is everyone, whatever counts them.
            base[key] = value
            return [.map(values: base)]
        }
        let unit = try Self.unit(rollout?["bucketBy"]?.stringValue ?? "key", &reader)
        var share: [String: ConfigurationValue] = ["by": .string(unit)]
        if let seed = rollout?["seed"]?.intValue { share["salt"] = .string("\(seed)") }
        guard isBoolean else {
            let list = parts.map { ConfigurationValue.list(values: [.string(names[$0.index]), percent($0.percent)]) }
            share["weights"] = .list(values: list)
            base["split"] = .map(values: share)
            return [.map(values: base)]
        }
        // A Boolean flag has two shares: the first in a rule of its own, the rest after it.
        guard shared.count == 2, let (key, value) = given(shared[0].index),
            let (otherKey, other) = given(shared[1].index)
        else { throw ImportedCondition.Mismatch(message: "a Boolean flag has more than two shares") }
        base[key] = value
        var rest = base
        share["percent"] = percent(shared[0].percent)
        base["rollout"] = .map(values: share)
        rest["name"] = .string("\(ruleName)Rest")
        rest[otherKey] = other
        return [.map(values: base), .map(values: rest)]
    }

    private static func percent(_ number: Double) -> ConfigurationValue {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
}
