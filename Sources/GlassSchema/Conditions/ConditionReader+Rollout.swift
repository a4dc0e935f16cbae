package import GlassBase

/// The keys of a share, in conditions, in rules of flags and in splits.
package enum RolloutKeys {
    /// The share, in percent.
    package static let percent = "percent"
    /// The attribute that identifies a unit.
    package static let unit = "by"
    /// The text that makes shares independent of each other.
    package static let salt = "salt"
    /// The vendor whose rule is followed.
    package static let like = "like"
}

extension ConditionReader {
    /// Reads `{ percent = 10, by = "customerID" }`; nil if it has an error.
    package mutating func rollout(
        _ node: ConfigurationNode, at path: ConfigurationPath, into findings: inout FindingList
    ) throws(WorkBudget.Exceeded) -> Rollout? {
        guard case .map(let entries) = node.value else {
            try findings.add(
                .invalidPercent, at: node.position, path: path, "expected a table, got \(node.value.found)",
                hint: "write rollout = { percent = 10, by = \"installID\" }")
            return nil
        }
        let keys = [RolloutKeys.percent, RolloutKeys.unit, RolloutKeys.salt, RolloutKeys.like]
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
            let budget = budget
            try findings.add(
                .unknownKey, at: value.keyPosition ?? value.position, path: path.appending(key), "unknown key",
                advice: try Advice.nearest(to: key, in: keys, budget: budget))
            return nil
        }
        guard let bucketing = try bucketing(entries, of: node, at: path, into: &findings) else { return nil }
        guard let share = entries[RolloutKeys.percent] else {
            try findings.add(
                .missingKey, at: node.position, path: path.appending(RolloutKeys.percent),
                "missing: expected a percentage from 0 to 100")
            return nil
        }
        let inner = path.appending(RolloutKeys.percent)
        guard let percent = try percent(share, bucketing.vendor, at: inner, into: &findings) else { return nil }
        let isInherited = share.position.map { inheritedFiles.contains($0.file) } ?? false
        if percent == 0, !isInherited {
            // How a rollout is stopped at once, or prepared.
            try findings.add(
                .invalidPercent, severity: .note, at: share.position, path: inner, "0 % is nobody",
                hint: "increase it to begin, or remove the rule once it is not needed anymore")
        }
        if percent == 100, !isInherited {
            try findings.add(
                .invalidPercent, severity: .warning, at: share.position, path: inner,
                "100 % is everybody with \(bucketing.unit)", hint: "remove the rollout, unless it is to shrink again")
        }
        return Rollout(bucketing, percent: percent)
    }

    /// Reads how units are spread: `by`, `salt` and `like`; nil with a finding if one of them has an error.
    ///
    /// - Parameter like: The vendor that an outer table names.
    package mutating func bucketing(
        _ entries: [String: ConfigurationNode], of node: ConfigurationNode, at path: ConfigurationPath,
        like outer: Bucketing.Vendor? = nil, into findings: inout FindingList
    ) throws(WorkBudget.Exceeded) -> Bucketing? {
        try budget.spend(on: .validating)
        guard let unit = try unit(entries[RolloutKeys.unit], of: node, at: path, into: &findings) else { return nil }
        var vendor = outer ?? self.vendor
        if let like = entries[RolloutKeys.like] {
            guard let known = try self.vendor(like, at: path.appending(RolloutKeys.like), into: &findings) else {
                return nil
            }
            vendor = known
        }
        guard let salt = try salt(entries[RolloutKeys.salt], of: node, at: path, into: &findings) else { return nil }
        return Bucketing(salt: salt, unit: unit, vendor: vendor)
    }

    /// Reads the name of the attribute that identifies a unit.
    private func unit(
        _ unit: ConfigurationNode?, of node: ConfigurationNode, at path: ConfigurationPath,
        into findings: inout FindingList
    ) throws(WorkBudget.Exceeded) -> String? {
        let path = path.appending(RolloutKeys.unit)
        guard let unit else {
            try findings.add(
                .invalidUnit, at: node.position, path: path,
                "missing: expected the attribute whose values are spread over the percentages",
                hint: "write by = \"installID\", or \"customerID\" where a person must see the same on all devices")
            return nil
        }
        let units = attributes.values.filter(\.isUnit).map(\.name).sorted()
        guard case .string(let name) = unit.value, units.contains(name) else {
            let (budget, isKnown) = (budget, unit.value.stringValue.map { attributes[$0] != nil } ?? false)
            try findings.add(
                isKnown ? .invalidUnit : .unknownAttribute, at: unit.position, path: path,
                isKnown
                    ? "\(unit.value.found) has the same value for many people, so that a percentage of it means nothing"
                    : "no attribute \(unit.value.found)",
                advice: try unit.value.stringValue.flatMap { name throws(WorkBudget.Exceeded) in
                    try Advice.nearest(to: name, in: units, budget: budget)
                } ?? Advice("the units are \(units.joined(separator: ", "))"))
            return nil
        }
        return name
    }

    private func salt(
        _ salt: ConfigurationNode?, of node: ConfigurationNode, at path: ConfigurationPath,
        into findings: inout FindingList
    ) throws(WorkBudget.Exceeded) -> String? {
        let path = path.appending(RolloutKeys.salt)
        let limit = Bucketing.maximumSaltLength
        guard let salt else {
            if let name = self.salt ?? names.last, name.utf8.count <= limit { return name }
            try findings.add(
                .missingKey, at: node.position, path: path,
                "missing: a share outside of a flag or a named condition needs a salt",
                hint: "give the condition a name in conditions, or write a salt of at most \(limit) bytes")
            return nil
        }
        guard case .string(let text) = salt.value, !text.isEmpty, text.utf8.count <= limit else {
            try findings.add(
                .invalidFormat, at: salt.position, path: path,
                "expected a text of 1 to \(limit) bytes, got \(salt.value.found)")
            return nil
        }
        return text
    }

    /// Reads the name of a vendor. One that this version does not know is an error, because guessing would move units.
    package func vendor(
        _ node: ConfigurationNode, at path: ConfigurationPath, into findings: inout FindingList
    ) throws(WorkBudget.Exceeded) -> Bucketing.Vendor? {
        let names = Bucketing.Vendor.flags.map(\.rawValue)
        if case .string(let name) = node.value, names.contains(name) { return Bucketing.Vendor(rawValue: name) }
        let budget = budget
        if let text = node.value.stringValue, let other = Bucketing.Generation(text) {
            try findings.add(
                .invalidChoice, at: node.position, path: path, other.message,
                advice: other.advice(for: text))
            return nil
        }
        try findings.add(
            .invalidChoice, at: node.position, path: path,
            "expected \(ValueType.choice(names).expectation), got \(node.value.found)",
            advice: try node.value.stringValue.flatMap { name throws(WorkBudget.Exceeded) in
                try Advice.nearest(to: name, in: names, budget: budget)
            })
        return nil
    }

    /// The advice for a percentage in quotes, such as "10%".
    private static func advice(forPercent text: String) -> Advice? {
        guard text.utf8.count <= 20 else { return nil }
        let number = text.trimmingWhitespace.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        let rest = String(text.trimmingWhitespace.dropFirst(number.count)).trimmingWhitespace
        guard let percent = Double(number), (0...100).contains(percent), rest.isEmpty || rest == "%" else { return nil }
        return Advice("write \(number), without quotes", .rewrite(String(number), isUnambiguous: true))
    }

    /// Reads a percentage with at most three decimal places; nil with a finding if it is invalid.
    package func percent(
        _ node: ConfigurationNode, _ vendor: Bucketing.Vendor?, at path: ConfigurationPath,
        into findings: inout FindingList
    ) throws(WorkBudget.Exceeded) -> Double? {
        let found: Double
        switch node.value {
        case .integer(let number): found = Double(number)
        case .number(let number): found = number
        default:
            try findings.add(
                .invalidPercent, at: node.position, path: path,
                "expected a percentage from 0 to 100, got \(node.value.found)",
                advice: node.value.stringValue.flatMap(Self.advice(forPercent:)))
            return nil
        }
        guard (0...100).contains(found) else {
            try findings.add(
                .invalidPercent, at: node.position, path: path,
                "expected a percentage from 0 to 100, got \(node.value.found)")
            return nil
        }
        // The steps in which units can be told apart, in percent.
        let (step, reason): (Double, String) =
            switch vendor {
            case .unleash?: (1, "Unleash knows whole percents only")
            case .unleashVariants?: (0.1, "Unleash divides variants by tenths of a percent only")
            case .growthbook?, .optimizely?: (0.01, "the vendor divides units by hundredths of a percent only")
            case .growthbookNamespace?: (0.1, "GrowthBook divides namespaces by tenths of a percent only")
            default: (0.001, "units are divided by thousandths of a percent")
            }
        let steps = (found / step).rounded()
        guard abs(steps * step - found) < 1e-9 else {
            try findings.add(
                .invalidPercent, at: node.position, path: path, "\(node.value.found) is too exact: \(reason)",
                hint: "write \(ContextValue.number((steps * step * 1000).rounded() / 1000))")
            return nil
        }
        return (found * 1000).rounded() / 1000
    }
}

extension ContextAttribute {
    /// Whether the values identify units, so that a percentage of them means something.
    package var isUnit: Bool {
        switch type {
        case .text, .integer: true
        default: false
        }
    }
}

extension ConfigurationValue {
    /// The text of a string; nil for anything else.
    package var stringValue: String? { if case .string(let text) = self { text } else { nil } }
}
