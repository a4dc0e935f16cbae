import GlassBase

/// Checks a value against a type and reports everything that is wrong with it at once.
public struct ConfigurationValidator {
    private var findings: [Finding] = []

    /// Validates a whole configuration.
    ///
    /// - Parameters:
    ///   - root: The configuration.
    ///   - section: What it must look like.
    ///   - path: Where the configuration stands in a larger one.
    /// - Returns: Every finding, sorted by position. Linear in the size of the value, apart from suggestions.
    public static func findings(
        in root: ConfigurationNode, section: SectionDeclaration, path: ConfigurationPath = ConfigurationPath()
    ) -> [Finding] {
        findings(in: root, type: .section(section), path: path)
    }

    /// Validates a value.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - type: What it must be.
    ///   - path: Where the value stands in a configuration.
    /// - Returns: Every finding, sorted by position.
    public static func findings(
        in node: ConfigurationNode, type: ValueType, path: ConfigurationPath
    ) -> [Finding] {
        var validator = ConfigurationValidator()
        validator.validate(node, as: type, at: path)
        return validator.findings.sortedByPosition()
    }

    private mutating func validate(_ node: ConfigurationNode, as type: ValueType, at path: ConfigurationPath) {
        guard type.accepts(kindOf: node.value) else {
            reportWrongKind(node, type, path)
            return
        }
        switch (type, node.value) {
        case (.integer(let range), .integer(let number)):
            if !range.contains(number) { reportExpectation(.outOfRange, node, type, path) }
        case (.integer(let range), .number(let number)):
            guard let exact = Int(exactly: number) else { return reportExpectation(.wrongType, node, type, path) }
            if !range.contains(exact) { reportExpectation(.outOfRange, node, type, path) }
        case (.number(let range), .number(let number)):
            if !number.isFinite || !range.contains(number) { reportExpectation(.outOfRange, node, type, path) }
        case (.number(let range), .integer(let number)):
            if !range.contains(Double(number)) { reportExpectation(.outOfRange, node, type, path) }
        case (.scalar, .number(let number)):
            if !number.isFinite { reportExpectation(.outOfRange, node, .number(-1e308...1e308), path) }
        case (.string(let format), .string(let text)):
            if !format.matches(text) { reportExpectation(.invalidFormat, node, type, path) }
        case (.choice(let names), .string(let text)):
            if !names.contains(text) {
                reportExpectation(
                    .notAChoice, node, type, path,
                    hint: Suggestion.nearest(to: text, in: names).map { "did you mean \"\($0)\"?" })
            }
        case (.list(let element, let count, let unique), let value):
            validateList(node, value, element, count, unique, path)
        case (.map(let element, let keys), .map(let entries)):
            for (key, entry) in entries.inOrder {
                if !keys.matches(key) {
                    report(
                        .invalidFormat, entry.keyPosition ?? entry.position, path.appending(key),
                        "expected the key to be \(keys.expectation), got \(key.quotedForMessage)")
                }
                validate(entry, as: element, at: path.appending(key))
            }
        case (.section(let section), let value):
            validateSection(node, value, section, path)
        case (.either(let types), let value):
            if let fitting = types.first(where: { $0.accepts(kindOf: value) }) {
                validate(node, as: fitting, at: path)
            }
        default:
            break
        }
    }

    private mutating func validateList(
        _ node: ConfigurationNode, _ value: ConfigurationValue, _ element: ValueType, _ count: ClosedRange<Int>,
        _ unique: Bool, _ path: ConfigurationPath
    ) {
        var elements: [ConfigurationNode] = []
        if case .list(let nodes) = value { elements = nodes }
        if elements.count < count.lowerBound {
            let least = count.lowerBound
            report(
                .outOfRange, node.position, path,
                "expected at least \(least) \(least == 1 ? "element" : "elements"), got \(elements.count)")
        } else if elements.count > count.upperBound {
            report(
                .outOfRange, node.position, path,
                "expected at most \(count.upperBound) elements, got \(elements.count)")
        }
        for (offset, inner) in elements.enumerated() {
            let innerPath = path.appending(index: offset + 1)
            if unique, let first = elements[..<offset].firstIndex(where: { $0.value == inner.value }) {
                report(
                    .duplicate, inner.position, innerPath,
                    "\(inner.value.found) is already element \(first + 1) of this list")
            }
            validate(inner, as: element, at: innerPath)
        }
    }

    private mutating func validateSection(
        _ node: ConfigurationNode, _ value: ConfigurationValue, _ section: SectionDeclaration, _ path: ConfigurationPath
    ) {
        var entries: [String: ConfigurationNode] = [:]
        if case .map(let found) = value { entries = found }
        let before = findings.count
        for (name, entry) in entries.inOrder {
            guard let key = section.key(name) else {
                let near = Suggestion.nearest(to: name, in: section.keys.map(\.name))
                report(
                    .unknownKey, entry.keyPosition ?? entry.position, path.appending(name), "unknown key",
                    hint: near.map { "did you mean \"\($0)\"?" } ?? section.listOfKeys)
                continue
            }
            validate(entry, as: key.type, at: path.appending(name))
        }
        for key in section.keys where key.isRequired && entries[key.name] == nil {
            report(
                .missingKey, node.position, path.appending(key.name),
                "missing: expected \(key.type.expectation)", hint: key.documentation)
        }
        if findings.count == before { findings += section.check(node, path) }
    }

    private mutating func reportWrongKind(_ node: ConfigurationNode, _ type: ValueType, _ path: ConfigurationPath) {
        switch (type, node.value) {
        case (.secret, _):
            report(
                .secretMisplaced, node.position, path, "expected \(type.expectation), not a literal",
                hint: "a market file is no place for a secret: name it, and set the name in the host's environment")
        case (_, .secret):
            report(
                .secretMisplaced, node.position, path, "expected \(type.expectation), got a secret",
                hint: "this key is shown in logs and dumps, so it cannot hold a secret")
        case (.integer, .string(let text)) where Int(text) != nil,
            (.number, .string(let text)) where Double(text) != nil:
            reportExpectation(.wrongType, node, type, path, hint: "remove the quotes: \(text)")
        case (.list, .string), (.list, .integer), (.list, .number):
            reportExpectation(.wrongType, node, type, path, hint: "write a list of one: { \(node.value.found) }")
        default:
            reportExpectation(.wrongType, node, type, path)
        }
    }

    private mutating func reportExpectation(
        _ code: FindingCode, _ node: ConfigurationNode, _ type: ValueType, _ path: ConfigurationPath,
        hint: String? = nil
    ) {
        report(code, node.position, path, "expected \(type.expectation), got \(node.value.found)", hint: hint)
    }

    private mutating func report(
        _ code: FindingCode, _ position: SourcePosition?, _ path: ConfigurationPath, _ message: String,
        hint: String? = nil
    ) {
        findings.append(Finding(code, at: position, path: path, message, hint: hint))
    }
}

extension SectionDeclaration {
    fileprivate var listOfKeys: String { "the keys here are \(keys.map(\.name).joined(separator: ", "))" }
}

extension [String: ConfigurationNode] {
    /// The entries by key in byte order, so that the same file always gives the same findings.
    public var inOrder: [(key: String, value: ConfigurationNode)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
