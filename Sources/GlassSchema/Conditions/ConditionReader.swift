package import GlassBase

/// Reads conditions from their data form, as market files and compiled files contain it.
///
/// A condition is the name of another, `true` or `false`, a table of tests that all pass, `{ any = {…} }`,
/// `{ all = {…} }` or `{ no = … }`. A test is a value, a list of which one passes, comparators such as
/// `">= 24.3 < 25"`, `{ prefix = …, anyCase = true }` and the same with `suffix` and `contains`, `{ is = "missing" }`,
/// `{ is = "present" }` or `{ no = … }`.
package struct ConditionReader: Sendable {
    /// The largest number of tests of a condition, with everything that they compare with.
    package static let maximumWeight = 1024
    /// The largest number of conditions inside each other, by their tables and their names.
    package static let maximumDepth = 32
    /// The largest number of elements of a list.
    package static let maximumElements = 256

    let attributes: [String: ContextAttribute]
    private let named: [String: ConfigurationNode]
    private let namedPath: ConfigurationPath
    private let zones: ZoneRules
    let budget: WorkBudget
    /// The named conditions that were read; nil for those with an error, which was reported where they are.
    private var read: [String: Condition?] = [:]
    /// The named conditions that are being read, outermost first.
    private(set) var names: [String] = []
    private var depth = 0
    /// The salt of shares that name none, while a flag is read.
    package var salt: String?
    /// The vendor whose rule shares follow that name none, while a flag is read.
    package var vendor: Bucketing.Vendor?
    /// The names of the market's flags, which some take for conditions.
    package var flags: Set<String> = []
    /// The files of base markets, whose own checks warn of what they say.
    package var inheritedFiles: Set<String> = []

    /// Creates a reader.
    package init(
        attributes: [ContextAttribute], named: [String: ConfigurationNode] = [:],
        namedPath: ConfigurationPath = "conditions", zones: ZoneRules = .utc, budget: WorkBudget = .unlimited
    ) {
        self.attributes = Dictionary(attributes.map { ($0.name, $0) }) { $1 }
        self.named = named
        self.namedPath = namedPath
        self.zones = zones
        self.budget = budget
    }

    /// Reads a named condition; nil if it has an error. A name without a condition also gives nil, and is not reported.
    package mutating func condition(
        named name: String, into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Condition? {
        if let known = read[name] { return known }
        guard let node = named[name] else { return nil }
        names.append(name)
        defer { names.removeLast() }
        let condition = try condition(node, at: namedPath.appending(name), into: findings)
        read[name] = .some(condition)
        return condition
    }

    /// Reads a condition; nil if it has an error.
    package mutating func condition(
        _ node: ConfigurationNode, at path: ConfigurationPath, into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Condition? {
        depth += 1
        defer { depth -= 1 }
        guard try isWithinDepth("conditions", node, path, findings) else { return nil }
        switch node.value {
        case .boolean(let holds):
            return holds ? .always : .never
        case .string(let name):
            return try condition(calledFor: name, node, path, findings)
        case .emptyTable:
            return .always
        case .map(let entries):
            for word in ["all", "any", "no"] {
                guard let part = entries[word] else { continue }
                guard entries.count == 1 else {
                    try findings.add(
                        .invalidTest, at: part.keyPosition ?? node.position, path: path.appending(word),
                        "\(word) must be the only key of its table", hint: "combine the two in all { … }")
                    return nil
                }
                if word == "no" {
                    return try condition(part, at: path.appending(word), into: findings).map { .negating($0) }
                }
                return try combination(word, part, path.appending(word), findings)
            }
            return try conjunction(of: entries, path, findings)
        default:
            try findings.add(
                .invalidTest, at: node.position, path: path, "expected a condition, got \(node.value.found)",
                hint: node.value.isList
                    ? "write any { … } or all { … }"
                    : "write the name of a condition, or a test, as in { build = \"debug\" }")
            return nil
        }
    }

    private mutating func condition(
        calledFor name: String, _ node: ConfigurationNode, _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Condition? {
        if let start = names.firstIndex(of: name) {
            let cycle = names[start...] + [name]
            try findings.add(
                .conditionCycle, at: node.position, path: path, subject: name,
                cycle.map { $0 }.joined(separator: " names "))
            return nil
        }
        guard named[name] != nil else {
            try findings.add(
                .unknownCondition, at: node.position, path: path,
                flags.contains(name)
                    ? "\(name.quotedForMessage) is a flag, not a condition"
                    : "unknown condition \(name.quotedForMessage)",
                advice: flags.contains(name)
                    ? Self.conditionOfFlag
                    : try advice(forUnknown: name))
            return nil
        }
        return try condition(named: name, into: findings)
    }

    private static let conditionOfFlag = Advice(
        "conditions cannot depend on flags: declare the test of the flag's rule in conditions, and use its name in both"
    )

    /// The advice for a name without a condition: an expression of other languages, a similar name, or a declaration.
    private func advice(forUnknown name: String) throws(WorkBudget.Exceeded) -> Advice? {
        if let advice = Self.advice(forExpression: name) { return advice }
        return try Advice.nearest(to: name, in: named.keys.sorted(), budget: budget) ?? advice(for: name)
    }

    /// The advice for names that `and`, `or`, `not`, and `!` combine, as in other languages; nil for anything else.
    private static func advice(forExpression text: String) -> Advice? {
        guard text.utf8.count <= 120 else { return nil }
        let spaced = text.replacing("&&", with: " and ").replacing("||", with: " or ").replacing("!", with: " not ")
        var (parts, joints, isNegated, expectsName) = ([String](), Set<String>(), false, true)
        let words = spaced.split(separator: " ").map(String.init)
        for word in words {
            switch word.lowercased() {
            case "not" where expectsName: isNegated.toggle()
            case "and" where !expectsName, "or" where !expectsName:
                joints.insert(word.lowercased())
                expectsName = true
            default:
                guard expectsName, StringFormat.identifier.matches(word) else { return nil }
                parts.append((isNegated ? "no " : "") + word.quotedForMessage)
                (isNegated, expectsName) = (false, false)
            }
        }
        guard words.count > 1, !expectsName, joints.count <= 1 else { return nil }
        let meant =
            joints.isEmpty
            ? parts.joined() : "\(joints == ["and"] ? "all" : "any") { \(parts.joined(separator: ", ")) }"
        return Advice("write \(meant)", .rewrite(meant, isUnambiguous: false))
    }

    /// The advice for a name that is not that of a condition: the test of the attribute that has it as a value, or how a
    /// file declares a condition with it; nil if it cannot have the name.
    private func advice(for name: String) -> Advice? {
        guard StringFormat.identifier.matches(name), name.utf8.count <= 64 else { return nil }
        let tested = attributes.values.filter { attribute in
            switch attribute.type {
            case .choice(let names): names.contains(name)
            case .set(let names?): names.contains(name)
            default: false
            }
        }
        if tested.count == 1, let attribute = tested.first {
            let test = "{ \(attribute.name) = \"\(name)\" }"
            return Advice("write \(test)", .rewrite(test, isUnambiguous: true))
        }
        let declaration = "declare it, as in conditions = { \(name) = { build = \"debug\" } }"
        let sets = attributes.values.filter { $0.type == .set(nil) }
        guard sets.count == 1, let set = sets.first else { return Advice(declaration) }
        return Advice("\(declaration), or write { \(set.name) = \"\(name)\" }")
    }

    /// Reads the conditions of `any` or `all`.
    private mutating func combination(
        _ word: String, _ node: ConfigurationNode, _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Condition? {
        let elements: [ConfigurationNode]
        switch node.value {
        case .list(let nodes): elements = nodes
        case .emptyTable: elements = []
        default:
            try findings.add(
                .invalidTest, at: node.position, path: path,
                "expected a list of conditions, got \(node.value.found)",
                hint: node.value.isMap ? "write \(word) { { … }, { … } }" : nil)
            return nil
        }
        guard try fits(elements.count, node, path, findings) else { return nil }
        var (conditions, isComplete, weight) = ([Condition](), true, 0)
        for (index, element) in elements.enumerated() {
            guard let part = try condition(element, at: path.appending(index: index + 1), into: findings) else {
                isComplete = false
                continue
            }
            weight += part.weight
            guard try hasWeight(weight, node, path, findings) else { return nil }
            conditions.append(part)
        }
        guard isComplete else { return nil }
        return word == "any" ? .anyOf(conditions) : .allOf(conditions)
    }

    /// Reads a table of tests.
    private mutating func conjunction(
        of entries: [String: ConfigurationNode], _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Condition? {
        var (conditions, isComplete) = ([Condition](), true)
        for (name, node) in entries.sorted(by: { $0.key < $1.key }) {
            let path = path.appending(name)
            if name == RolloutDefinition.key {
                guard let rollout = try rollout(node, at: path, into: findings) else {
                    isComplete = false
                    continue
                }
                conditions.append(.rollout(rollout))
                continue
            }
            guard let attribute = attributes[name] else {
                let (known, budget) = (attributes.keys.sorted() + [RolloutDefinition.key], budget)
                try findings.add(
                    .unknownAttribute, at: node.keyPosition ?? node.position, path: path,
                    flags.contains(name)
                        ? "\(name.quotedForMessage) is a flag, not an attribute"
                        : "unknown attribute \(name.quotedForMessage)",
                    advice: flags.contains(name)
                        ? Self.conditionOfFlag
                        : try Advice.nearest(to: name, in: known, budget: budget)
                            ?? (attributes.isEmpty
                                ? nil : Advice("the attributes are \(known.dropLast().joined(separator: ", "))")))
                isComplete = false
                continue
            }
            guard let test = try test(node, of: attribute, at: path, into: findings) else {
                isComplete = false
                continue
            }
            guard !attribute.isUnitOnly || test.isOnlyOfPresence else {
                try findings.add(
                    .invalidTest, at: node.position, path: path, "\(name) can only be tested with missing or present")
                isComplete = false
                continue
            }
            conditions.append(.test(name, test))
        }
        return isComplete ? .allOf(conditions) : nil
    }

    /// Charges a step, and reports a level that is too deep.
    private func isWithinDepth(
        _ parts: String, _ node: ConfigurationNode, _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Bool {
        try budget.spend(on: .validating)
        guard depth > Self.maximumDepth else { return true }
        try findings.add(
            .tooManySituations, at: node.position, path: path,
            "\(parts) are nested more than \(Self.maximumDepth) levels deep")
        return false
    }

    /// Reads a test; nil if it has an error.
    package mutating func test(
        _ node: ConfigurationNode, of attribute: ContextAttribute, at path: ConfigurationPath,
        into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> AttributeTest? {
        depth += 1
        defer { depth -= 1 }
        guard try isWithinDepth("tests", node, path, findings) else { return nil }
        switch node.value {
        case .emptyTable:
            return .oneOf([])
        case .list(let elements):
            guard try fits(elements.count, node, path, findings) else { return nil }
            var (tests, isComplete, weight) = ([AttributeTest](), true, 0)
            for (index, element) in elements.enumerated() {
                let place = path.appending(index: index + 1)
                guard let test = try test(element, of: attribute, at: place, into: findings) else {
                    isComplete = false
                    continue
                }
                weight += test.weight
                guard try hasWeight(weight, node, path, findings) else { return nil }
                tests.append(test)
            }
            return isComplete ? .anyOf(tests) : nil
        case .map(let entries):
            return try test(of: entries, node, attribute, path, findings)
        default:
            let literal: ContextValue
            do throws(ContextValueError) {
                if attribute.isOrdered, case .string(let text) = node.value, text.beginsWithComparator {
                    return .ranges([try Self.range(text, of: attribute, zones)])
                }
                if attribute.type == .text, case .string(let text) = node.value, text.beginsWithComparator {
                    throw ContextValueError(
                        "\(attribute.name) does not support comparators, because its type is text",
                        hint: "declare the attribute with the type \"version\", \"number\", or \"date\", or write is = "
                            + "\(text.quotedForMessage) to test for exactly this text")
                }
                if case .string(let text) = node.value { try Self.refuseWholeDay(text, of: attribute, in: text) }
                literal = try attribute.literal(from: node.value, zones: zones)
            } catch {
                return try report(error, at: node, path, findings)
            }
            try warnOfOneSecond(literal, node, path, findings)
            switch (attribute.type, literal) {
            case (.set, .text(let name)): return .has([name])
            case (.locale, .text(let name)), (.region, .text(let name)): return .within([name])
            default: return .oneOf([literal])
            }
        }
    }

    /// Reads a test that is a table with keys.
    private mutating func test(
        of entries: [String: ConfigurationNode], _ node: ConfigurationNode, _ attribute: ContextAttribute,
        _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> AttributeTest? {
        let (words, budget) = (SectionDeclaration.textTest.keys.map(\.name) + ["is", "no"], budget)
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) where !words.contains(key) {
            var advice = advice(forBounds: entries, of: attribute)
            if advice == nil { advice = try .nearest(to: key, in: words, budget: budget) }
            try findings.add(
                .invalidTest, at: value.keyPosition ?? value.position, path: path.appending(key),
                "unknown test \(key.quotedForMessage)",
                advice: advice)
            return nil
        }
        let kinds = entries.keys.filter { $0 != "anyCase" }.sorted()
        guard let kind = kinds.first, let value = entries[kind], kinds.count == 1 else {
            try findings.add(
                .invalidTest, at: node.position, path: path,
                kinds.isEmpty
                    ? "anyCase requires prefix, suffix, or contains"
                    : "\(kinds.joined(separator: " and ")) cannot be combined in one test",
                hint: kinds.isEmpty ? nil : "combine the two in all { … }")
            return nil
        }
        let place = path.appending(kind)
        if let anyCase = entries["anyCase"], kind == "is" || kind == "no" {
            try findings.add(
                .invalidTest, at: anyCase.keyPosition ?? node.position, path: path.appending("anyCase"),
                "anyCase requires prefix, suffix, or contains")
            return nil
        }
        switch kind {
        case "no":
            return try test(value, of: attribute, at: place, into: findings).map { .negating($0) }
        case "is":
            switch value.value {
            case .string("missing"): return .missing
            case .string("present"): return .present
            default:
                try findings.add(
                    .invalidTest, at: value.position, path: place,
                    "expected \"missing\" or \"present\", got \(value.value.found)")
                return nil
            }
        default:
            return try textTest(kind, value, entries["anyCase"], attribute, path, findings)
        }
    }

    /// The advice for bounds that have names, as in `{ from = …, to = … }`; nil for other tests.
    private func advice(forBounds entries: [String: ConfigurationNode], of attribute: ContextAttribute) -> Advice? {
        let comparators = [
            ("from", ">="), ("start", ">="), ("since", ">="), ("begin", ">="), ("min", ">="), ("after", ">"),
            ("to", "<"), ("end", "<"), ("before", "<"), ("until", "<="), ("max", "<="),
        ]
        guard attribute.isOrdered, entries.count <= 2 else { return nil }
        var bounds: [String] = []
        for (name, comparator) in comparators {
            guard let value = entries[name]?.value else { continue }
            switch value {
            // Whether the last day belongs to it is not known.
            case .string(let text) where !isDay(text, of: attribute): bounds.append("\(comparator) \(text)")
            case .integer, .number: bounds.append("\(comparator) \(value.found)")
            default: return nil
            }
        }
        let test = bounds.joined(separator: " ")
        guard bounds.count == entries.count, test.utf8.count <= 200 else { return nil }
        do throws(ContextValueError) {
            _ = try Self.range(test, of: attribute, zones)
            return Advice("write \(test.luaLiteral)")
        } catch {
            return nil  // a value has a mistake of its own
        }
    }

    private func isDay(_ text: String, of attribute: ContextAttribute) -> Bool {
        [.date, .localDate].contains(attribute.type) && DateText(text)?.hasTime != true
    }

    private mutating func textTest(
        _ kind: String, _ value: ConfigurationNode, _ anyCase: ConfigurationNode?, _ attribute: ContextAttribute,
        _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> AttributeTest? {
        let path = path.appending(kind)
        guard let place = TextTest.Place(rawValue: kind), attribute.type == .text else {
            try findings.add(
                .invalidTest, at: value.keyPosition ?? value.position, path: path,
                "\(attribute.name) does not support \(kind)",
                hint: "only the parts of a text can be tested")
            return nil
        }
        var foldsCase = false
        if let anyCase {
            guard case .boolean(let flag) = anyCase.value else {
                try findings.add(
                    .invalidTest, at: anyCase.position, path: path,
                    "expected anyCase to be true or false, got \(anyCase.value.found)")
                return nil
            }
            foldsCase = flag
        }
        let nodes: [ConfigurationNode] =
            switch value.value {
            case .list(let elements): elements
            case .emptyTable: []
            default: [value]
            }
        guard try fits(nodes.count, value, path, findings) else { return nil }
        var parts: [String] = []
        for node in nodes {
            try budget.spend(on: .validating)
            do throws(ContextValueError) {
                guard case .text(let part) = try attribute.literal(from: node.value, zones: zones) else { continue }
                parts.append(part)
            } catch {
                return try report(error, at: node, path, findings)
            }
        }
        return .anyOf([.text(TextTest(place, parts, anyCase: foldsCase))])
    }

    /// Reads comparators: `>= 24.3 < 25`. A value can contain spaces, as in `2026-11-27T00:00 America/New_York`.
    static func range(
        _ text: String, of attribute: ContextAttribute, _ zones: ZoneRules
    ) throws(ContextValueError) -> ContextRange {
        var comparisons: [(comparator: String, value: String)] = []
        for word in text.split(separator: " ") {
            let comparator = word.prefix { "<>=!".contains($0) }
            let rest = word.dropFirst(comparator.count)
            if comparator.isEmpty {
                guard let last = comparisons.indices.last else { throw noComparison(text) }
                comparisons[last].value += comparisons[last].value.isEmpty ? rest : " \(rest)"
            } else {
                comparisons.append((String(comparator), String(rest)))
            }
            guard comparisons.count <= 8 else { throw noComparison(text) }
        }
        var range = ContextRange()
        for (comparator, value) in comparisons {
            guard ["<", "<=", ">", ">=", "="].contains(comparator) else { throw noComparison(text) }
            guard !value.isEmpty else {
                throw ContextValueError("\(text.quotedForMessage) has no value after \(comparator)")
            }
            let bound = ContextRange.Bound(
                try operand(value, of: attribute, in: text, zones), isInclusive: comparator.hasSuffix("="))
            if ["<=", "=", ">"].contains(comparator) { try refuseWholeDay(value, of: attribute, in: text) }
            if comparator == "=" {
                guard comparisons.count == 1 else {
                    throw ContextValueError("\(text.quotedForMessage) combines = with another comparator")
                }
                return ContextRange(only: bound.value)
            }
            let end = comparator.hasPrefix(">") ? \ContextRange.lower : \ContextRange.upper
            guard range[keyPath: end] == nil else {
                throw ContextValueError(
                    "\(text.quotedForMessage) has two \(comparator.hasPrefix(">") ? "lower" : "upper") bounds")
            }
            range[keyPath: end] = bound
        }
        return range
    }

    private static func operand(
        _ text: String, of attribute: ContextAttribute, in comparators: String, _ zones: ZoneRules
    ) throws(ContextValueError) -> ContextValue {
        switch attribute.type {
        case .integer, .number, .bucket:
            guard let number = text.exactNumber else {
                throw ContextValueError("\(comparators.quotedForMessage) is not a number")
            }
            return try attribute.literal(
                from: Int(exactly: number).map { .integer($0) } ?? .number(number), zones: zones)
        case .version:
            guard let version = ContextVersion(text) else {
                throw ContextValueError(
                    "\(comparators.quotedForMessage) is not a version",
                    hint: "write one to four numbers, as in \">= 24.3\"")
            }
            return .version(version)
        default:
            return try attribute.literal(from: .string(text), zones: zones)
        }
    }

    /// Refuses a date without a time where it would stand for the first moment of the day only: `<= 2026-11-30` would
    /// leave out the rest of that day.
    private static func refuseWholeDay(
        _ text: String, of attribute: ContextAttribute, in test: String
    ) throws(ContextValueError) {
        guard [.date, .localDate].contains(attribute.type), let day = DateText(text), !day.hasTime else {
            return
        }
        let (first, next) = (DateText.written(day.wallClock), DateText.written(day.wallClock + 86_400))
        let zone = text.dropFirst(10)
        if attribute.type == .date, day.zone == .none {
            let (first, next) = (first.prefix(10), next.prefix(10))
            throw ContextValueError(
                "\(test.quotedForMessage) has no time zone, and a day is not a single moment",
                hint: "for the local day on each device, write localDate = \">= \(first) < \(next)\"; for a day "
                    + "in one time zone, add the zone, as in \">= \(first) America/New_York "
                    + "< \(next) America/New_York\""
            )
        }
        throw ContextValueError(
            "\(test.quotedForMessage) compares with the first moment of that day",
            hint: "for the whole day, write \">= \(first.prefix(10))\(zone) < \(next.prefix(10))\(zone)\"; otherwise, "
                + "add a time")
    }

    /// Warns of a moment without a comparator, which passes for one second only.
    private func warnOfOneSecond(
        _ literal: ContextValue, _ node: ConfigurationNode, _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        switch literal {
        case .date, .localDate: break
        default: return
        }
        guard case .string(let text) = node.value, let day = DateText(text), let position = node.position,
            !inheritedFiles.contains(position.file)
        else { return }
        var next = String(DateText.written(day.wallClock + 86_400).dropLast(3))
        switch day.zone {
        case .none: break
        case .name(let zone): next += " \(zone)"
        case .offset(let seconds): next = DateText.written(day.wallClock - seconds + 86_400) + "Z"
        }
        try findings.add(
            .invalidTest, severity: .warning, at: position, path: path,
            "\(text.quotedForMessage) is a single moment, so the test passes for only one second",
            hint: "write a range, as in \">= \(text) < \(next)\"")
    }

    private static func noComparison(_ text: String) -> ContextValueError {
        ContextValueError(
            "\(text.quotedForMessage) is not a comparison", hint: "write it as in \">= 24.3 < 25\" or \"= 26\"")
    }

    private func report(
        _ error: ContextValueError, at node: ConfigurationNode, _ path: ConfigurationPath,
        _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> AttributeTest? {
        let budget = budget
        try findings.add(
            error.code, at: node.position, path: path, error.message, advice: try error.advice(budget: budget))
        return nil
    }

    private func fits(
        _ count: Int, _ node: ConfigurationNode, _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Bool {
        if count <= Self.maximumElements { return true }
        try findings.add(
            .tooManySituations, at: node.position, path: path,
            "expected at most \(Self.maximumElements) elements, got \(count.grouped)")
        return false
    }

    /// Named conditions are read once and then shared, so that without a limit, a few names could stand for a condition
    /// of any size.
    private func hasWeight(
        _ weight: Int, _ node: ConfigurationNode, _ path: ConfigurationPath, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Bool {
        if weight <= Self.maximumWeight { return true }
        try findings.add(
            .tooManySituations, at: node.position, path: path,
            "the condition has more than \(Self.maximumWeight.grouped) tests and values, "
                + "including those of the conditions that it names"
        )
        return false
    }
}

extension AttributeTest {
    /// Whether the test only asks whether the attribute is missing.
    fileprivate var isOnlyOfPresence: Bool {
        switch self {
        case .missing, .present: true
        case .no(let test): test.isOnlyOfPresence
        case .any(let tests): tests.allSatisfy(\.isOnlyOfPresence)
        case .oneOf, .within, .has, .ranges, .text: false
        }
    }
}

extension ConfigurationValue {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
    fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}

extension String {
    /// The number that the text writes in decimal digits, with a sign and a fraction or not.
    fileprivate var exactNumber: Double? {
        guard utf8.count <= 32, utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(self)
    }
}
