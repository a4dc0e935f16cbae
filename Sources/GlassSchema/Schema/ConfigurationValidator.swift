package import GlassBase

/// Checks a value against a type, and reports all problems at once.
package struct ConfigurationValidator {
    /// Returns the position of a byte of a string, for a finding about a part of it; nil if it is not known.
    package typealias SourceLocator = (_ offset: Int, _ node: ConfigurationNode) -> SourcePosition?

    private let findings: FindingList
    private let budget: WorkBudget
    private let place: SourceLocator
    private let unknownKeys: (ConfigurationPath) -> Finding.Severity
    /// The section that is validated as a whole, and its path, for keys that belong elsewhere in it.
    private let root: (section: SectionDeclaration, path: ConfigurationPath)?
    /// The number of findings that are not errors, so that the values can be read.
    private var tolerated = 0

    /// Validates a whole configuration.
    package static func findings(
        in root: ConfigurationNode, section: SectionDeclaration, path: ConfigurationPath = ConfigurationPath()
    ) -> [Finding] {
        findings(in: root, type: .section(section), path: path)
    }

    /// Validates a value.
    package static func findings(
        in node: ConfigurationNode, type: ValueType, path: ConfigurationPath
    ) -> [Finding] {
        let findings = FindingList()
        do {
            try validate(node, as: type, path: path, into: findings, budget: .unlimited)
        } catch {
            findings.append(Finding(.limit, at: node.position, path: path, "\(error)"))
        }
        return findings.sorted()
    }

    /// Validates a value within a budget.
    package static func validate(
        _ node: ConfigurationNode, as type: ValueType, path: ConfigurationPath = ConfigurationPath(),
        into findings: FindingList, budget: WorkBudget,
        unknownKeys: @escaping (ConfigurationPath) -> Finding.Severity = { _ in .error },
        place: @escaping SourceLocator = { _, _ in nil }
    ) throws(WorkBudget.Exceeded) {
        var validator = ConfigurationValidator(
            findings: findings, budget: budget, unknownKeys: unknownKeys, root: type.section.map { ($0, path) },
            place: place)
        try validator.validate(node, as: type, at: path)
    }

    private init(
        findings: FindingList, budget: WorkBudget, unknownKeys: @escaping (ConfigurationPath) -> Finding.Severity,
        root: (section: SectionDeclaration, path: ConfigurationPath)?, place: @escaping SourceLocator
    ) {
        self.root = root
        self.findings = findings
        self.budget = budget
        self.unknownKeys = unknownKeys
        self.place = place
    }

    /// Validates a value and its contents: first its kind and, only if that is right, the details.
    private mutating func validate(
        _ node: ConfigurationNode, as type: ValueType, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        let budget = budget  // for the closures that build hints
        // Charged before the work, so that a value that is too large fails here and not after the work.
        try budget.spend(node.value.weight, on: .validating)
        guard type.accepts(kindOf: node.value) else {
            return try reportWrongKind(node, type, path)
        }
        switch (type, node.value) {
        case (.either(let types), let value):
            // The first type that accepts this kind of value is the intended one.
            if let fitting = types.first(where: { $0.accepts(kindOf: value) }) {
                try validate(node, as: fitting, at: path)
            }
        case (.percent, let value):
            guard let problem = Percentage.problem(of: value) else { break }
            try findings.add(.invalidPercent, at: node.position, path: path, problem.message, hint: problem.hint)
        case (.row(let types, _), .list(let nodes)):
            let wrong = zip(nodes, types).filter { !$1.accepts(kindOf: $0.value) }.count
            // Elements in another order are one mistake.
            guard nodes.count == types.count, wrong < 2 else {
                let problem = nodes.count == types.count ? "in this order" : "got a list of \(nodes.count)"
                return try findings.add(
                    .wrongType, at: node.position, path: path, "expected \(type.expectation), \(problem)",
                    hint: "write \(type.example)")
            }
            for (offset, (node, type)) in zip(nodes, types).enumerated() {
                try validate(node, as: type, at: path.appending(index: offset + 1))
            }
        case (_, .integer), (_, .number):
            try validateNumber(node, as: type, path)
        case (.string(let format), .string(let text)):
            if !format.matches(text) { try reportFormat(format, text, node, path) }
        case (.choice(let names), .string(let text)):
            if !names.contains(text) {
                try reportExpectation(
                    .invalidChoice, node, type, path,
                    advice: try .nearest(to: text, in: names, budget: budget) ?? .abbreviation(text, of: names))
            }
        case (.list(let element, let count, let unique), let value):
            try validateList(node, value, element, count, unique, path)
        case (.map(let element, let keys, let count), let value):
            try validateMap(node, value.entries, element, keys, count, path)
        case (.section(let section), let value):
            try validateSection(node, value, section, path)
        case (.data, .list(let elements)):
            for (offset, element) in elements.enumerated() {
                try validate(element, as: .data, at: path.appending(index: offset + 1))
            }
        case (.data, .map(let entries)):
            for (key, entry) in entries.inOrder { try validate(entry, as: .data, at: path.appending(key)) }
        default:
            break
        }
    }

    private mutating func validateKey(
        _ key: String, of entry: ConfigurationNode, as format: StringFormat, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard !format.matches(key) else { return }
        try findings.add(
            .invalidFormat, at: entry.keyPosition ?? entry.position, path: path.appending(key),
            "expected the key to be \(format.expectation), got \(key.quotedForMessage)")
    }

    /// Whether a Lua number is an integer depends on how it was computed, so each kind is accepted for the other if the
    /// conversion is exact.
    private mutating func validateNumber(
        _ node: ConfigurationNode, as type: ValueType, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        let isInRange: Bool
        switch (type, node.value) {
        case (.integer(let range), .integer(let number)):
            isInRange = range.contains(number)
        case (.integer(let range), .number(let number)):
            guard let exact = Int(exactly: number) else { return try reportExpectation(.wrongType, node, type, path) }
            isInRange = range.contains(exact)
        case (.number(let range), .number(let number)):
            // An open-ended range contains infinity, which JSON cannot represent and no delay can use.
            isInRange = number.isFinite && range.contains(number)
        case (.number(let range), .integer(let number)):
            isInRange = range.contains(Double(number))
        case (.scalar, .number(let number)) where !number.isFinite, (.data, .number(let number)) where !number.isFinite:
            // A scalar has no range that the message could name.
            return try reportExpectation(.outOfRange, node, .number(-1e308...1e308), path)
        default:
            isInRange = true
        }
        if !isInRange {
            return try reportExpectation(
                .outOfRange, node, type, path, advice: NumberAdvice.outOfRange(node.value, for: type, at: path))
        }
        guard let warning = NumberAdvice.warning(about: node.value, of: type, at: path) else { return }
        tolerated += 1
        try findings.add(
            .numbersDisagree, severity: .warning, at: node.position, path: path, warning.message,
            advice: warning.advice)
    }

    private mutating func validateMap(
        _ node: ConfigurationNode, _ entries: [String: ConfigurationNode], _ element: ValueType, _ keys: StringFormat,
        _ count: ClosedRange<Int>, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard try isFine(entries.count, in: count, "key", node, path) else { return }
        for (key, entry) in entries.inOrder {
            try validateKey(key, of: entry, as: keys, at: path)
            // Also below a wrong key, so that one run reports the problems of its value as well.
            try validate(entry, as: element, at: path.appending(key))
        }
    }

    private mutating func validateList(
        _ node: ConfigurationNode, _ value: ConfigurationValue, _ element: ValueType, _ count: ClosedRange<Int>,
        _ unique: Bool, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        var elements: [ConfigurationNode] = []
        if case .list(let nodes) = value { elements = nodes }
        let isWhole = if case .row = element { true } else { element.section?.isWhole == true }
        let example = isWhole ? "write \(ValueType.list(of: element).example)" : nil
        guard try isFine(elements.count, in: count, "element", node, path, hint: example) else { return }
        if case .row = element, elements.count > 1, !elements.contains(where: { element.accepts(kindOf: $0.value) }) {
            // The rows without their braces are one mistake.
            let type = ValueType.list(of: element, count: count, unique: unique)
            return try findings.add(
                .wrongType, at: node.position, path: path,
                "expected \(type.expectation), got a list of values such as \(elements[0].value.found)",
                hint: "write \(type.example)")
        }
        var seen = InternTable<ConfigurationValue>()
        // The index of the first occurrence of each distinct value.
        var places: [Int] = []
        for (offset, inner) in elements.enumerated() {
            let innerPath = path.appending(index: offset + 1)
            // A repeated table is usually a mistake, but it certainly is one only in a set.
            if unique || element.section != nil {
                let (isNew, number) = seen.insert(inner.value)
                if isNew {
                    places.append(offset + 1)
                } else {
                    if !unique { tolerated += 1 }
                    try findings.add(
                        .duplicate, severity: unique ? .error : .warning, at: inner.position, path: innerPath,
                        "\(element.section == nil ? inner.value.found : "this table") is already element \(places[number]) of this list"
                    )
                }
            }
            try validate(inner, as: element, at: innerPath)
        }
    }

    /// Returns whether a list or a table has an allowed number of items. If not, its items are not checked.
    private mutating func isFine(
        _ found: Int, in count: ClosedRange<Int>, _ item: String, _ node: ConfigurationNode, _ path: ConfigurationPath,
        hint: String? = nil
    ) throws(WorkBudget.Exceeded) -> Bool {
        guard !count.contains(found) else { return true }
        let (word, limit) = found < count.lowerBound ? ("least", count.lowerBound) : ("most", count.upperBound)
        try findings.add(
            .outOfRange, at: node.position, path: path,
            "expected at \(word) \(limit) \(limit == 1 ? item : item + "s"), got \(found)",
            hint: found < count.lowerBound ? hint : nil)
        return false
    }

    private mutating func validateSection(
        _ node: ConfigurationNode, _ value: ConfigurationValue, _ section: SectionDeclaration, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        let (entries, budget, root) = (value.entries, budget, root)
        let (before, stepsBefore) = (findings.count - tolerated, budget.steps(of: .validating))
        var renamed: Set<String> = []
        let strays = try strays(in: entries, of: section, at: path)
        for (name, entry) in entries.inOrder {
            if let advice = strays[name] {
                try reportStray(name, entry, advice, path)
            } else if let key = section.key(name) {
                try validate(entry, as: key.type, at: path.appending(name))
            } else if let key = section.key(formerly: name) {
                renamed.insert(key.name)
                try findings.addRenamed(entry, at: path.appending(name), to: key)
                // One run also reports other problems of the value, not only the rename.
                try validate(entry, as: key.type, at: path.appending(name))
            } else if let others = section.others {
                try validateKey(name, of: entry, as: .identifier, at: path)
                try validate(entry, as: others.type, at: path.appending(name))
            } else {
                let severity = unknownKeys(path.appending(name))
                if severity == .warning { tolerated += 1 }
                let advice = try section.advice(forUnknown: name, at: path, within: root, budget: budget)
                    .naming(tableIn: node, for: entry)
                // A required key that is only misspelled is not missing as well.
                if severity == .error, case .spelling(_, let meant, _)? = advice.correction { renamed.insert(meant) }
                try findings.add(
                    .unknownKey, severity: severity, at: entry.keyPosition ?? entry.position,
                    path: path.appending(name), mayMaskOthers: entry.value.hasContent, "unknown key", advice: advice)
            }
        }
        // A table that stands for a directive in the wrong place has one finding already.
        let isPlaceholder = entries.isEmpty && findings.pathsWithErrors?.contains(path) == true
        for key in section.keys
        where !isPlaceholder && key.isRequired && entries[key.name] == nil && !renamed.contains(key.name) {
            try reportMissing(key, in: node, path, isDirect: true)
        }
        guard !section.rules.isEmpty else { return }
        // The rules between keys read the whole section again.
        try budget.spend(budget.steps(of: .validating) - stepsBefore, on: .validating)
        let isValid = findings.count - tolerated == before && !findings.hasError(relatedTo: path)
        let found =
            isValid
            ? SectionRule.check(section.rules, node, path)
            : try check(section, without: renamed, node, path)
        for finding in found {
            if finding.severity != .error { tolerated += 1 }
            findings.append(finding)
        }
    }

    /// The unknown keys that belong together in one table within a section: the first of them with the table to write,
    /// and the others without advice.
    private func strays(
        in entries: [String: ConfigurationNode], of section: SectionDeclaration, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [String: Advice?] {
        guard section.others == nil else { return [:] }
        let names = entries.inOrder.map(\.key).filter { section.key($0) == nil && section.key(formerly: $0) == nil }
        guard (2...6).contains(names.count), names.allSatisfy({ entries[$0]?.value.shortLiteral != nil }) else {
            return [:]
        }
        try budget.spend(section.keys.count * names.count, on: .validating)
        let tables = section.keys.filter { key in
            entries[key.name] == nil
                && key.type.section.map { table in names.allSatisfy { table.key($0) != nil } } == true
        }
        guard tables.count == 1, let table = tables.first, unknownKeys(path.appending(names[0])) == .error else {
            return [:]
        }
        let parts = names.map { "\($0) = \(entries[$0]?.value.shortLiteral ?? "")" }
        let advice = Advice("write \(table.name) = { \(parts.joined(separator: ", ")) }")
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 == 0 ? advice : nil) })
    }

    private func reportStray(
        _ name: String, _ entry: ConfigurationNode, _ advice: Advice?, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard let advice else { return findings.leaveOut(below: path.appending(name)) }
        try findings.add(
            .unknownKey, at: entry.keyPosition ?? entry.position, path: path.appending(name), "unknown key",
            advice: advice)
    }

    /// Applies the rules of a section with errors that read none of the values with errors.
    ///
    /// - Parameter renamed: The keys that have a value under another name.
    private func check(
        _ section: SectionDeclaration, without renamed: Set<String>, _ node: ConfigurationNode,
        _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [Finding] {
        var applicable: [SectionRule] = []
        for rule in section.rules where !rule.reads.isEmpty {
            try budget.spend(rule.reads.count, on: .validating)
            let isMisled = rule.reads.contains { read in
                if case .key(let key)? = read.elements.first, renamed.contains(key) { return true }
                let inner = ConfigurationPath(path.elements + read.elements)
                // What a whole table says is read by another rule; this one only asks whether it is there.
                if let whole = section.type(at: read)?.section, whole.isWhole {
                    return findings.pathsWithErrors?.contains(inner) != false
                }
                return findings.hasError(relatedTo: inner)
            }
            if !isMisled { applicable.append(rule) }
        }
        guard !applicable.isEmpty, let failed = findings.pathsWithErrors else { return [] }
        var removal = ErrorRemoval(failed: failed, budget: budget)
        return SectionRule.check(applicable, try removal.rest(of: node, path), path)
    }

    /// Reports a missing required key; for a section, all of its required keys at once instead of level by level.
    private mutating func reportMissing(
        _ key: KeyDeclaration, in node: ConfigurationNode, _ path: ConfigurationPath, isDirect: Bool
    ) throws(WorkBudget.Exceeded) {
        try budget.spend(on: .validating)
        let inner = path.appending(key.name)
        // A directive that removed nothing has a finding already.
        if findings.pathsWithErrors?.contains(inner) == true { return }
        if case .section(let section) = key.type, section.keys.contains(where: \.isRequired) {
            for key in section.keys where key.isRequired { try reportMissing(key, in: node, inner, isDirect: false) }
            return
        }
        try findings.add(
            .missingKey, at: node.position, path: inner, "missing: expected \(key.type.expectation)",
            hint: isDirect ? "write \(key.exampleLine)" : "write in \(path): \(key.exampleLine)")
    }

    private mutating func reportWrongKind(
        _ node: ConfigurationNode, _ type: ValueType, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        switch (type, node.value) {
        case (.secret, _):
            let name = node.value.stringValue?.secretName
            try findings.add(
                .secretMisplaced, at: node.position, path: path, "expected \(type.expectation), not a literal string",
                hint: name.map { "write secret \"\($0)\"" }
                    ?? "do not put secrets in market files: refer to them by name, and set them in the host's environment"
            )
        case (_, .secret):
            try findings.add(
                .secretMisplaced, at: node.position, path: path, "expected \(type.expectation), got a secret",
                hint: "this key is shown in logs and dumps, so it cannot hold a secret")
        case (.percent, _):
            try reportExpectation(.invalidPercent, node, type, path, advice: type.advice(forKindOf: node.value))
        default:
            try reportExpectation(.wrongType, node, type, path, advice: type.advice(forKindOf: node.value))
        }
    }

    private mutating func reportExpectation(
        _ code: FindingCode, _ node: ConfigurationNode, _ type: ValueType, _ path: ConfigurationPath,
        advice: @autoclosure () throws(WorkBudget.Exceeded) -> Advice? = nil
    ) throws(WorkBudget.Exceeded) {
        try findings.add(
            code, at: node.position, path: path, "expected \(type.expectation), got \(node.value.found)",
            advice: try advice())
    }

    /// Reports a string with a wrong format: the problem and its byte, if the format knows them.
    private mutating func reportFormat(
        _ format: StringFormat, _ text: String, _ node: ConfigurationNode, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard let problem = format.problem?(text) else {
            return try reportExpectation(.invalidFormat, node, .string(format), path)
        }
        guard let message = problem.message else {
            return try reportExpectation(.invalidFormat, node, .string(format), path, advice: problem.advice)
        }
        try findings.add(
            .invalidFormat, at: problem.offset.flatMap { place($0, node) } ?? node.position, path: path, message,
            advice: problem.advice)
    }
}

extension FindingList {
    /// Reports a key that has a former name.
    package func addRenamed(
        _ entry: ConfigurationNode, at path: ConfigurationPath, to key: KeyDeclaration
    ) throws(WorkBudget.Exceeded) {
        // The name is in the message, not only in the hint, because logs and problems of remote configurations contain
        // no hints.
        try add(
            .renamedKey, at: entry.keyPosition ?? entry.position, path: path, "this key was renamed to \(key.name)",
            advice: Advice(
                "write \(key.name)",
                path.lastKey.map { .spelling($0, meant: key.name, isUnambiguous: true) }))
    }
}

extension Advice {
    /// The same advice, or where the table begins that a key belongs into, if the file has it already.
    fileprivate func naming(tableIn section: ConfigurationNode, for entry: ConfigurationNode) -> Advice {
        guard case .move(outward: 0, into: let keys)? = correction,
            let table = section.node(at: ConfigurationPath(keys.map { .key($0) }))?.position,
            table.file == entry.position?.file
        else { return self }
        let name = keys.joined(separator: ".")
        return Advice("move it into the table \(name), which begins on line \(table.line)", correction)
    }
}

extension SectionDeclaration {
    /// The advice for a key that the section does not have: a similar key, or a section that has the key: first one in
    /// this section, then one anywhere within the root.
    ///
    /// - Parameter available: The keys of the table that has the unknown key; nil if they are those of the section.
    package func advice(
        forUnknown name: String, at path: ConfigurationPath, in available: [String]? = nil,
        within root: (section: SectionDeclaration, path: ConfigurationPath)? = nil, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Advice {
        let available = available ?? keys.map(\.name)
        if let advice = Advice.otherName(name, in: available) { return advice }
        if let advice = try Advice.nearest(to: name, in: available, budget: budget) { return advice }
        try budget.spend(keys.count, on: .validating)
        let longer = keys.map(\.name).filter { name.utf8.count >= 4 && $0.hasPrefix(name) }
        if let meant = longer.first, longer.count == 1 {
            return Advice(
                "did you mean \(meant.quotedForMessage)?", .spelling(name, meant: meant, isUnambiguous: false))
        }
        let inner = keys.filter { $0.type.section?.key(name) != nil }.map { path.appending($0.name) }
        if inner.isEmpty, let list = keys.first(where: { $0.type.elementType?.section?.key(name) != nil }) {
            let others = list.type.elementType?.section?.keys.filter { $0.isRequired && $0.name != name } ?? []
            let entry = "{ \((others.map(\.name) + [name]).map { "\($0) = …" }.joined(separator: ", ")) }"
            let table: String
            switch list.type {
            case .list: table = "{ \(entry) }"
            default: table = "{ … = \(entry) }"
            }
            return Advice("it belongs in \(path.appending(list.name)): write \(list.name) = \(table)")
        }
        let homes =
            try !inner.isEmpty || root == nil
            ? inner : root?.section.homes(of: name, at: root?.path ?? path, budget) ?? []
        guard let home = homes.first, homes.count <= 3 else {
            return Advice("available keys: \(available.joined(separator: ", "))")
        }
        guard homes.count == 1 else {
            return Advice("it belongs in \(homes.map(\.description).joined(separator: " or "))")
        }
        let shared = zip(home.elements, path.elements).prefix { $0 == $1 }.count
        let keys = home.elements.dropFirst(shared).compactMap { if case .key(let key) = $0 { key } else { nil } }
        let levels = path.elements.count - shared
        let line = keys.map { "\($0) = { " }.joined() + "\(name) = …" + String(repeating: " }", count: keys.count)
        let place = home.elements.isEmpty ? "at the top of the market" : "in \(home)"
        return Advice(
            "it belongs \(place): write \(line)" + (levels == 0 || home.elements.isEmpty ? "" : " there"),
            .move(outward: levels, into: keys))
    }

    /// The paths of the sections within this one that have a key, without those in lists and maps; at most four.
    private func homes(
        of name: String, at path: ConfigurationPath, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [ConfigurationPath] {
        var homes: [ConfigurationPath] = []
        var open = [(section: self, path: path)]
        while let (section, path) = open.popLast(), homes.count < 4 {
            try budget.spend(section.keys.count, on: .validating)
            if section.key(name) != nil { homes.append(path) }
            for key in section.keys.reversed() {
                if let inner = key.type.section { open.append((inner, path.appending(key.name))) }
            }
        }
        return homes
    }
}

extension ValueType {
    /// The advice for a value of another kind that can be rewritten as one of this type.
    func advice(forKindOf value: ConfigurationValue) -> Advice? {
        if let advice = unquotedWord(in: value) { return advice }
        switch (self, value) {
        case (.either(let types), _): return types.lazy.compactMap { $0.advice(forKindOf: value) }.first
        case (.boolean, .string(let text)): return Advice.boolean(text)
        case (.boolean, .integer(let number)) where number == 0 || number == 1:
            return Advice("write \(number == 1)", .rewrite("\(number == 1)", isUnambiguous: false))
        case (.integer, .string(let text)) where text.utf8.count < 40 && Int(text) != nil,
            (.number, .string(let text)) where text.utf8.count < 40 && Double(text) != nil:
            return Advice("remove the quotes: \(text)", .number(text))
        case (.number, .string(let text)) where text.decimalPoint != nil:
            guard let number = text.decimalPoint else { return nil }
            return Advice("write \(number), without quotes", .rewrite(number, isUnambiguous: false))
        case (.percent, .string(let text)): return Percentage.advice(for: text)
        case (.row, _): return Advice("write \(example)")
        // The content of a form alone does not say what it is for.
        case (.section(let section), _) where section.isWhole:
            return Advice("write \(section.example(with: value) ?? example)")
        // A number is no name.
        case (.string(let format), .integer) where format.referent != nil,
            (.string(let format), .number) where format.referent != nil:
            return format.exampleOfReferent.map { Advice("write a name, such as \($0.quotedForMessage)") }
        case (.string(let format), .integer(let number)) where format.matches("\(number)"):
            return Advice("write it in quotes, as in \"\(number)\"", .quotes)
        case (.string(let format), .number(let number)) where number.isFinite && format.matches("\(number)"):
            return Advice("write it in quotes, as in \"\(number)\"", .quotes)
        case (.string, .list(let elements)), (.choice, .list(let elements)), (.boolean, .list(let elements)),
            (.integer, .list(let elements)), (.number, .list(let elements)):
            guard elements.count == 1, let value = elements.first?.value, accepts(kindOf: value) else { return nil }
            return Advice("write the value without braces: \(value.found)", .unwrap)
        case (.list(.row(let types, _), _, _), .map(let entries)):
            guard types.count == 2, (1...6).contains(entries.count), case .string = types[0],
                entries.values.allSatisfy({ types[1].accepts(kindOf: $0.value) && $0.value.shortLiteral != nil })
            else { return Advice("write \(example)") }
            let rows = entries.inOrder.map { "{ \($0.key.luaLiteral), \($0.value.value.shortLiteral ?? "") }" }
            return Advice("write { \(rows.joined(separator: ", ")) }")
        case (.list(let element, _, _), .map(let entries)):
            guard let section = element.section, entries.keys.allSatisfy({ section.key($0) != nil }) else {
                return element.section?.isWhole == true ? Advice("write \(example)") : nil
            }
            return Advice("wrap the table in a list: { { … } }", .wrapInList)
        case (.list(let element, _, _), .string), (.list(let element, _, _), .integer),
            (.list(let element, _, _), .number):
            guard let section = element.section else { return advice(forOnly: value, as: element) }
            return section.advice(forContent: value, isInList: true)
                ?? (section.isWhole ? Advice("write \(example)") : nil)
        case (.section(let section), .string), (.section(let section), .integer), (.section(let section), .number),
            (.section(let section), .boolean):
            return section.advice(forContent: value, isInList: false)
        case (.section(let section), .list(let elements)):
            return Advice.keys(elements) { section.key($0)?.type ?? section.others?.type }
        case (.map(let element, let keys, _), .list(let elements)):
            if let advice = Advice.keys(elements, { keys.matches($0) && element.isTable ? element : nil }) {
                return advice
            }
            guard case .string(let name)? = elements.first?.value, keys.matches(name) else {
                return element.isTable ? Advice("write \(example)") : nil
            }
            return Advice("write a key and a value, as in { \(name.luaKey) = \(element.example) }")
        case (.map, .string), (.map, .integer), (.map, .number), (.map, .boolean): return Advice("write \(example)")
        case (.map(let element, _, _), _) where element.isTable: return Advice("write \(example)")
        case (.list(let element, _, _), .directive), (.list(let element, _, _), .opaque):
            return element.section?.isWhole == true ? Advice("write \(example)") : nil
        default: return nil
        }
    }

    /// The advice for a word of the language in quotes, where a string cannot be.
    private func unquotedWord(in value: ConfigurationValue) -> Advice? {
        guard case .string("unset") = value else { return nil }
        return Advice("write unset, without quotes", .rewrite("unset", isUnambiguous: false))
    }

    /// Whether a value is a table with keys, or a condition, which usually is one.
    private var isTable: Bool { if case .section = self { true } else { isCondition } }

    fileprivate var isCondition: Bool { if case .condition = self { true } else { false } }

    /// The advice for a value in place of the list that should contain it: the list with the value or with what it
    /// stands for, so that the list is valid.
    private func advice(forOnly value: ConfigurationValue, as element: ValueType) -> Advice {
        let plain = Advice("wrap the value in a list: { \(value.found) }", .wrapInList)
        switch (element, value) {
        case (.string(let format), .string(let text)):
            if format.matches(text) { return plain }
            guard let advice = format.problem?(text)?.advice, let hint = advice.hint else { break }
            guard case .spelling(_, let meant, let isUnambiguous)? = advice.correction else { return Advice(hint) }
            let list = "{ \(meant.quotedForMessage) }"
            guard hint == Advice.write(meant, for: text).hint else { return Advice("\(hint), in a list") }
            return Advice("write \(list)", .rewrite(list, isUnambiguous: isUnambiguous))
        case (.choice(let names), .string(let text)):
            if names.contains(text) { return plain }
        case (.integer, .string(let text)), (.number, .string(let text)):
            // "40-100" or "1, 2".
            let parts = text.utf8.count < 100 ? text.split { !$0.isASCII || !($0.isNumber || $0 == ".") } : []
            let numbers = parts.compactMap { Double($0) }
            guard numbers.count == parts.count, !parts.isEmpty, text.first?.isNumber == true else { break }
            let list = "{ \(parts.joined(separator: ", ")) }"
            return Advice("write \(list)", .rewrite(list, isUnambiguous: true))
        default:
            if element.accepts(kindOf: value) { return plain }
            if case .string(let format) = element, case .integer(let number) = value, format.matches("\(number)") {
                return Advice("write { \"\(number)\" }", .rewrite("{ \"\(number)\" }", isUnambiguous: true))
            }
        }
        return Advice("write a list, such as \(example)")
    }

    /// A valid value in Lua, for examples, on one line; nested tables have only their required keys.
    package var example: String {
        switch self {
        case .boolean, .data: return "false"
        case .integer(let range): return "\(min(max(0, range.lowerBound), range.upperBound))"
        case .number(let range): return "\(min(max(0, range.lowerBound), range.upperBound))"
        case .percent: return "50"
        case .string(let format): return format.example.quotedForMessage
        case .choice(let names): return (names.first ?? "").quotedForMessage
        case .secret: return "secret \"NAME\""
        case .scalar: return "\"example\""
        case .list(let element, _, _): return "{ \(element.example) }"
        case .row(let types, _): return "{ \(types.map(\.example).joined(separator: ", ")) }"
        case .map(let element, let keys, _): return "{ \(keys.example.luaKey) = \(element.example) }"
        case .section(let section):
            // Where something holds belongs to a whole table, even if a base market can say it.
            let required = section.keys.filter { $0.isRequired || section.isWhole && $0.type.isCondition }
            return required.isEmpty
                ? "{}" : "{ \(required.map { "\($0.name) = \($0.type.example)" }.joined(separator: ", ")) }"
        case .function: return "function() end"
        case .condition: return "{ build = \"debug\" }"
        case .test, .enclosing: return "true"
        case .either(let types): return types.first?.example ?? "nil"
        }
    }
}

extension ValueType {
    /// An example that is a table if the type accepts one: what can be turned off with false is on as a table.
    package var exampleOfTable: String {
        if case .either(let types) = self, let table = types.first(where: { $0.section != nil }) {
            return table.example
        }
        return example
    }
}

extension KeyDeclaration {
    /// An example of the key as a line of Lua, with its purpose as the comment.
    package var exampleLine: String { "\(name) = \(type.example),  -- \(documentation.replacing("`", with: ""))" }
}

extension SectionDeclaration {
    /// An example of the whole section with a scalar as the value of the first required key that accepts it; nil if no
    /// key does.
    fileprivate func example(with value: ConfigurationValue) -> String? {
        var value = value
        if case .string(let text) = value, case .rewrite(let number, _)? = Percentage.advice(for: text)?.correction {
            value = Int(number).map { .integer($0) } ?? Double(number).map { .number($0) } ?? value
        }
        guard let literal = value.shortLiteral else { return nil }
        let entries = keys.filter { $0.isRequired || $0.type.isCondition }
        guard let key = entries.first(where: { $0.type.accepts(kindOf: value) }),
            ConfigurationValidator.findings(in: ConfigurationNode(value), type: key.type, path: "value").isEmpty
        else { return nil }
        let texts = entries.map { "\($0.name) = \($0.name == key.name ? literal : $0.type.example)" }
        return "{ \(texts.joined(separator: ", ")) }"
    }

    /// The advice for a value without its table: the table with the value at the key that it is for.
    fileprivate func advice(forContent value: ConfigurationValue, isInList: Bool) -> Advice? {
        let required = keys.filter(\.isRequired)
        let fitting = (required.isEmpty ? keys : required).filter { $0.type.accepts(kindOf: value) }
        guard required.count <= 3, let key = fitting.first, case let others = required.filter({ $0.name != key.name })
        else { return nil }
        if required.isEmpty, fitting.count > 1 {
            guard fitting.count <= 3 else { return nil }
            let tables = fitting.map { "{ \($0.name) = \(value.found) }" }
            return Advice("write \(tables.joined(separator: " or "))")
        }
        var (text, isExact) = (value.found, others.isEmpty && !required.isEmpty)
        var more = ""
        if case .string(let format) = key.type, case .string(let written) = value, !format.matches(written) {
            guard let advice = format.problem?(written)?.advice, case .spelling(_, let meant, _)? = advice.correction
            else { return nil }
            (text, isExact) = (meant.quotedForMessage, false)
            // The rest of the format's hint, such as the key for subdomains.
            if let hint = advice.hint, let plain = Advice.write(meant, for: written).hint, hint.hasPrefix(plain) {
                more = String(hint.dropFirst(plain.count))
            }
        }
        let table = "{ \(key.name) = \(text)\(others.map { ", \($0.name) = …" }.joined()) }"
        return Advice(
            "write \(isInList ? "{ \(table) }" : table)\(more)",
            isExact ? .wrapInTable(key: key.name, isInList: isInList) : nil)
    }
}

extension String {
    /// The name in a reference to a variable of the environment, such as `${GLASS_KEY}` or `$GLASS_KEY`; nil for other
    /// texts, which may be secrets.
    fileprivate var secretName: String? {
        guard utf8.count <= 80, hasPrefix("$") else { return nil }
        let isBraced = hasPrefix("${") && hasSuffix("}")
        let name = isBraced ? dropFirst(2).dropLast() : dropFirst()
        guard name.contains("_"), name.first?.isLetter == true,
            name.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "_") || (0x41...0x5A).contains($0) })
        else { return nil }
        return String(name)
    }
}

extension ConfigurationValue {
    /// The entries of a table; empty for any other value.
    package var entries: [String: ConfigurationNode] {
        guard case .map(let entries) = self else { return [:] }
        return entries
    }

    /// The value in Lua if it is a Boolean, a number, or a short string; nil for any other.
    fileprivate var shortLiteral: String? {
        switch self {
        case .boolean, .integer, .number: sourceText
        case .string(let text) where text.utf8.count <= 60: sourceText
        default: nil
        }
    }

    /// Whether it is a table that is not empty.
    fileprivate var hasContent: Bool {
        switch self {
        case .list, .map: true
        default: false
        }
    }

    /// The number of steps to validate the value, without its contents.
    package var weight: Int {
        switch self {
        case .string(let text): 1 + text.utf8.count / 64
        case .list(let nodes): 1 + nodes.count
        case .map(let entries): 1 + 2 * entries.count
        default: 1
        }
    }
}

extension [String: ConfigurationNode] {
    /// The entries by key in byte order, so that the same file always has the same findings.
    package var inOrder: [(key: String, value: ConfigurationNode)] {
        // The order of strings is that of their bytes for all but unusual keys, and is found much faster.
        var names = keys.sorted()
        if zip(names, names.dropFirst()).contains(where: { $1.utf8.lexicographicallyPrecedes($0.utf8) }) {
            names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        return names.compactMap { name in self[name].map { (name, $0) } }
    }
}
