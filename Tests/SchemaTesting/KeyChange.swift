package import GlassSchema

/// A change of one key of a section.
package struct KeyChange: Sendable {
    /// The path of the key, below the section.
    package let path: ConfigurationPath
    /// The new value; nil if the key becomes absent.
    package let value: ConfigurationValue?

    /// The section after the change.
    package func applied(to section: ConfigurationValue) -> ConfigurationValue {
        section.replacing(path, with: value)
    }
}

extension SectionDeclaration {
    /// Changes of every key of a section and of the sections directly inside it: to a few other valid values, and to no
    /// value where none is required.
    package func changes(
        of value: ConfigurationValue, at path: ConfigurationPath = ConfigurationPath()
    ) -> [KeyChange] {
        keys.flatMap { key -> [KeyChange] in
            let inner = path.appending(key.name)
            let current = ConfigurationNode(value).node(at: ConfigurationPath([.key(key.name)]))?.value
            var changes = key.type.alternatives(to: current ?? key.defaultValue).map {
                KeyChange(path: inner, value: $0)
            }
            if current != nil, !key.isRequired { changes.append(KeyChange(path: inner, value: nil)) }
            // A key inside an absent section cannot be set alone if the section requires another one.
            if case .section(let section) = key.type, current != nil || !section.keys.contains(where: \.isRequired) {
                changes += section.changes(of: current ?? .map([:]), at: inner)
            }
            return changes
        }
    }

    /// The section with its value, and those inside it in lists, maps and other sections.
    package func sections(
        in value: ConfigurationValue
    ) -> [(section: SectionDeclaration, value: ConfigurationValue)] {
        guard case .map(let entries) = value else { return [(self, value)] }
        return [(self, value)]
            + entries.flatMap { name, node in (key(name) ?? others)?.type.sections(in: node.value) ?? [] }
    }

    /// The section, and every section that its keys can contain.
    package var allSections: [SectionDeclaration] {
        [self] + (keys + (others.map { [$0] } ?? [])).flatMap { $0.type.innerSections.flatMap(\.section.allSections) }
    }
}

extension ConfigurationValue {
    /// The value with another one, or none, at a path. Missing tables on the path are added.
    package func replacing(_ path: ConfigurationPath, with value: ConfigurationValue?) -> ConfigurationValue {
        replacing(path.elements[...], with: value)
    }

    fileprivate func replacing(
        _ path: ArraySlice<ConfigurationPath.Element>, with value: ConfigurationValue?
    ) -> ConfigurationValue {
        guard case .key(let name)? = path.first else {
            preconditionFailure("only keys of tables are replaced")
        }
        var entries: [String: ConfigurationNode] = [:]
        if case .map(let present) = self { entries = present }
        let inner = path.dropFirst()
        if inner.isEmpty {
            entries[name] = value.map { ConfigurationNode($0) }
        } else {
            let present = entries[name]?.value ?? .map([:])
            entries[name] = ConfigurationNode(present.replacing(inner, with: value))
        }
        return .map(entries)
    }
}

extension ValueType {
    fileprivate func sections(
        in value: ConfigurationValue
    ) -> [(section: SectionDeclaration, value: ConfigurationValue)] {
        switch (self, value) {
        case (.section(let section), _): section.sections(in: value)
        case (.list(let element, _, _), .list(let nodes)): nodes.flatMap { element.sections(in: $0.value) }
        case (.map(let element, _, _), .map(let entries)):
            entries.values.flatMap { element.sections(in: $0.value) }
        case (.either(let types), .map): types.filter { $0.section != nil }.flatMap { $0.sections(in: value) }
        default: []
        }
    }

    /// A few valid values other than a given one.
    fileprivate func alternatives(to current: ConfigurationValue?) -> [ConfigurationValue] {
        var found: [ConfigurationValue] = []
        for value in (current.map(shortened) ?? []) + samples where value != current && !found.contains(value) {
            // Contradictions are what the rules are about, so they do not make a value invalid.
            let problems = ConfigurationValidator.findings(in: ConfigurationNode(value), type: self, path: "sample")
            if problems.allSatisfy({ $0.code == .inconsistent || $0.severity == .warning }) { found.append(value) }
            if found.count == 3 { break }
        }
        return found
    }

    /// The value without its last element, and without one of its entries.
    private func shortened(_ value: ConfigurationValue) -> [ConfigurationValue] {
        switch value {
        case .list(let nodes): [.list(nodes.dropLast())]
        case .map(let entries):
            if section == nil, let name = entries.keys.min() { [.map(entries.filter { $0.key != name })] } else { [] }
        default: []
        }
    }

    /// Some values, most of which are valid.
    private var samples: [ConfigurationValue] {
        switch self {
        case .boolean: return [.boolean(true), .boolean(false)]
        case .integer(let range):
            return [range.lowerBound, range.upperBound, 0, 1, 2, 100].map { .integer($0) }
        case .number(let range): return [range.lowerBound, range.upperBound, 0, 0.5, 1, 2.5].map { .number($0) }
        case .percent: return [.integer(0), .integer(50), .number(12.5)]
        case .string(let format): return Self.texts.filter(format.matches).map { .string($0) }
        case .choice(let names): return names.map { .string($0) }
        case .secret: return ["GLASS_OTHER", "GLASS_ANOTHER"].map { .secret(Secret(name: $0)) }
        case .scalar: return [.integer(4), .boolean(true), .string("other")]
        case .list(let element, let count, _):
            let elements = element.samples.map { ConfigurationNode($0) }
            return (0...2).map { .list(Array(elements.prefix(count.lowerBound + $0))) }
        case .row(let types, _):
            return (0...1).map { number in
                .list(values: types.compactMap { $0.samples.dropFirst(number).first })
            }
        case .map(let element, let keys, let count):
            let entries = zip(Self.texts.filter(keys.matches), element.samples.map { ConfigurationNode($0) })
            return (0...2).map { more in
                .map(Dictionary(entries.prefix(count.lowerBound + more)) { first, _ in first })
            }
        case .section(let section):
            let required = section.keys.filter(\.isRequired).compactMap { key in
                key.type.alternatives(to: nil).first.map { (key.name, ConfigurationNode($0)) }
            }
            return [.map(Dictionary(required) { first, _ in first })]
        case .function: return [.opaque(OpaqueValue(kind: "a function", payload: AnyFunction()))]
        case .condition: return [.boolean(true), .string("other"), .map(values: ["build": .string("debug")])]
        case .data, .test, .enclosing: return [.boolean(true), .integer(4), .string("other")]
        case .either(let types): return types.flatMap(\.samples)
        }
    }

    /// At least two texts of every format.
    private static let texts = [
        "other", "example", "example.com", "www.example.org", "com.example.app", "group.com.example",
        "https://example.com", "https://api.example.com/v1", "fr-CA", "de-DE", "CAD", "EUR", "CA", "DE", "1.2.3", "42",
        "AB12CD34EF", "CD34EF56AB", Array(repeating: "AB", count: 32).joined(separator: ":"),
        Array(repeating: "CD", count: 32).joined(separator: ":"), "X-Other", "/other", "/example/path", "a/b",
        "2027-01-31", "2028-02-29", "[a-z]{3}", "[0-9]+", "{street} {city}", "{recipient}",
    ]
}

/// A stand-in for a function of a market file.
private final class AnyFunction: Sendable {}
