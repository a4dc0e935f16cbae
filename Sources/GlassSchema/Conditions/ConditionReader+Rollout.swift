package import GlassBase

extension ConditionReader {
    /// Reads a table as a section; nil if it has an error.
    mutating func section<Section: BucketedSection>(
        _: Section.Type, _ node: ConfigurationNode, at path: ConfigurationPath, into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Section? {
        let found = FindingList()
        try ConfigurationValidator.validate(node, as: Section.valueType, path: path, into: found, budget: budget)
        for finding in found.sorted() { findings.append(finding.explainingVendor(in: node, below: path, like: vendor)) }
        return found.hasErrors ? nil : Section(validated: node.value)
    }

    /// Reads `{ percent = 10, by = "customerID" }`; nil if it has an error.
    package mutating func rollout(
        _ node: ConfigurationNode, at path: ConfigurationPath, into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Rollout? {
        guard let definition = try section(RolloutDefinition.self, node, at: path, into: findings) else { return nil }
        return try rollout(definition, node, at: path, into: findings)
    }

    /// Reads a share whose form is valid; nil if it has an error.
    package mutating func rollout(
        _ definition: RolloutDefinition, _ node: ConfigurationNode, at path: ConfigurationPath,
        into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Rollout? {
        guard let bucketing = try bucketing(definition, of: node, at: path, into: findings),
            let share = node.node(at: "percent")
        else { return nil }
        let inner = path.appending("percent")
        guard let percent = try percent(share, bucketing.vendor, at: inner, into: findings) else { return nil }
        let isInherited = share.position.map { inheritedFiles.contains($0.file) } ?? false
        if percent == 0, !isInherited {
            // How a rollout is stopped at once, or prepared.
            try findings.add(
                .invalidPercent, severity: .note, at: share.position, path: inner, "0% includes nobody",
                hint: "increase it to start the rollout, or remove the rule when it is no longer needed")
        }
        if percent == 100, !isInherited {
            try findings.add(
                .invalidPercent, severity: .warning, at: share.position, path: inner,
                "100% includes every \(bucketing.unitNoun)",
                hint: "remove the rollout, unless you plan to reduce it again")
        }
        return Rollout(bucketing, percent: percent)
    }

    /// Reads how units are spread; nil with a finding if the attribute or the salt has an error.
    package mutating func bucketing(
        _ definition: some BucketedSection, of node: ConfigurationNode, at path: ConfigurationPath,
        into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Bucketing? {
        try budget.spend(on: .validating)
        guard try isUnit(definition.by, node.node(at: "by"), at: path.appending("by"), into: findings),
            let salt = try salt(definition.salt, of: node, at: path, into: findings)
        else { return nil }
        return Bucketing(
            salt: salt, unit: definition.by,
            vendor: definition.like.flatMap { Bucketing.Vendor(rawValue: $0) } ?? vendor)
    }

    /// Whether a name is that of an attribute that identifies a unit.
    private func isUnit(
        _ name: String, _ node: ConfigurationNode?, at path: ConfigurationPath, into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Bool {
        let units = attributes.values.filter(\.isUnit).map(\.name).sorted()
        guard !units.contains(name) else { return true }
        let (budget, isKnown) = (budget, attributes[name] != nil)
        try findings.add(
            isKnown ? .invalidUnit : .unknownAttribute, at: node?.position, path: path,
            isKnown
                ? "\(name.quotedForMessage) has the same value for many people, so it cannot be used for percentages"
                : "unknown attribute \(name.quotedForMessage)",
            advice: try Advice.nearest(to: name, in: units, budget: budget)
                ?? Advice("use \(units.inProse("or"))"))
        return false
    }

    private func salt(
        _ salt: String?, of node: ConfigurationNode, at path: ConfigurationPath, into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> String? {
        let path = path.appending("salt")
        let limit = Bucketing.maximumSaltLength
        guard let salt else {
            if let name = self.salt ?? names.last, name.utf8.count <= limit { return name }
            try findings.add(
                .missingKey, at: node.position, path: path,
                "missing: a share outside a flag or a named condition needs a salt",
                hint: "name the condition in conditions, or write a salt of at most \(limit) bytes")
            return nil
        }
        guard !salt.isEmpty, salt.utf8.count <= limit else {
            try findings.add(
                .invalidFormat, at: node.node(at: "salt")?.position, path: path,
                "expected a string of 1 to \(limit) bytes, got \(salt.quotedForMessage)")
            return nil
        }
        return salt
    }

    /// Reads a percentage in the steps of a vendor; nil with a finding if it is invalid.
    package func percent(
        _ node: ConfigurationNode, _ vendor: Bucketing.Vendor?, at path: ConfigurationPath,
        into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Double? {
        if let problem = Percentage.problem(of: node.value, like: vendor) {
            try findings.add(.invalidPercent, at: node.position, path: path, problem.message, hint: problem.hint)
            return nil
        }
        return node.value.percent.map { ($0 * 1000).rounded() / 1000 }
    }
}

extension Finding {
    /// The finding; if it is about a share, with what follows from its vendor: why a vendor or a generation of one cannot
    /// be continued, and in which steps the vendor divides units.
    ///
    /// - Parameters:
    ///   - root: The values that contain the share.
    ///   - prefix: The path of the root.
    ///   - outer: The vendor that a share follows if nothing in the root says it.
    package func explainingVendor(
        in root: ConfigurationNode, below prefix: ConfigurationPath = ConfigurationPath(),
        like outer: Bucketing.Vendor? = nil
    ) -> Finding {
        let inner = path.elements.dropFirst(prefix.elements.count)
        guard code == .invalidChoice || code == .invalidPercent,
            let value = root.node(at: ConfigurationPath(Array(inner)))?.value
        else { return self }
        var finding = self
        if code == .invalidPercent {
            guard value.percent != nil else { return self }
            var vendor = outer
            for length in inner.indices.reversed() {
                let table = root.node(at: ConfigurationPath(Array(inner[..<length])))
                guard let name = table?.node(at: "like")?.value.stringValue else { continue }
                vendor = Bucketing.Vendor(rawValue: name)
                break
            }
            if vendor == .unleash, inner.contains(.key("weights")) { vendor = .unleashVariants }
            guard let problem = Percentage.problem(of: value, like: vendor) else { return self }
            (finding.message, finding.hint) = (problem.message, problem.hint)
        } else if path.isOfVendor {
            if let generation = value.stringValue.flatMap(Bucketing.Generation.init) {
                let advice = generation.advice(for: value.stringValue ?? "")
                (finding.message, finding.hint, finding.correction) = (
                    generation.message, advice.hint, advice.correction
                )
            } else if hint == nil {
                finding.hint = "remove like: shares of other vendors cannot be continued, so everyone is re-bucketed"
            }
        }
        return finding
    }
}

extension ConfigurationPath {
    /// Whether it is that of the vendor that a flag or a share follows. A layer follows no other vendor than GrowthBook.
    fileprivate var isOfVendor: Bool {
        guard lastKey == "like", elements.count >= 3, elements.first != .key("layers") else { return false }
        return elements.first == .key("flags") || elements[elements.count - 2] == .key(RolloutDefinition.key)
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
