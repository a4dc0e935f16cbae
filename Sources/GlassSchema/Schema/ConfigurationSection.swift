/// A structure whose properties are read from a configuration.
///
/// Each key is declared once, in ``keys``. Decoding, findings, effective values and the generated reference follow from
/// that.
///
/// ```swift
/// struct Retry: ConfigurationSection {
///     var maxRetries = 3
///     static let keys: [ConfigurationKey<Retry>] = [
///         .init("maxRetries", \.maxRetries, .integer(0...10), "How often a request is tried again.")
///     ]
/// }
/// ```
public protocol ConfigurationSection: ConfigurationRepresentable, Equatable {
    /// Its keys, in the order of the reference page.
    static var keys: [ConfigurationKey<Self>] { get }
    /// Creates a section with all defaults. A required key has a placeholder here that no market uses.
    init()
    /// The rules between its keys, each with the keys that it reads.
    static var rules: [ConfigurationRule<Self>] { get }
}

/// A contradiction between values of one section.
public struct Inconsistency: Sendable, Equatable {
    /// The path of the reported key, below the section.
    package var path: ConfigurationPath
    /// The problem.
    package var message: String
    /// The suggested solution.
    package var hint: String?
    /// The suggested solution, for programs.
    package var correction: Correction?
    /// The paths of the other keys involved, below the section.
    package var others: [ConfigurationPath] = []
    /// Data that distinguishes it from others at the same key.
    package var subject = ""
    /// The severity.
    package var severity: Finding.Severity
    /// The code of the finding, which the rule states.
    package var code = FindingCode.inconsistent

    /// Creates an inconsistency.
    ///
    /// - Parameters:
    ///   - path: The path of the reported key, below the section.
    ///   - severity: The severity. With a warning, the configuration can still be used.
    ///   - message: The problem.
    ///   - hint: The suggested solution.
    ///   - others: The paths of the other keys involved, below the section. In a market with a base market, the
    ///     inconsistency is reported at the key that the market itself sets.
    public init(
        _ path: ConfigurationPath, severity: Finding.Severity = .error, _ message: String, hint: String? = nil,
        others: [ConfigurationPath] = []
    ) {
        self.path = path
        self.others = others
        self.severity = severity
        self.message = message
        self.hint = hint
    }

    /// The elements of a list that repeat an earlier element.
    package static func repeated<Element, Identity: Hashable>(
        in list: [Element], _ key: String, at inner: String, by identity: (Element) -> Identity,
        _ name: (Element) -> String
    ) -> [Inconsistency] {
        var seen: Set<Identity> = []
        var found: [Inconsistency] = []
        for (offset, element) in list.enumerated() where !seen.insert(identity(element)).inserted {
            var repeated = Inconsistency(
                ConfigurationPath([.key(key), .index(offset + 1), .key(inner)]),
                "\(name(element)) appears twice in this list")
            repeated.subject = name(element)
            found.append(repeated)
        }
        return found
    }

    /// Creates an inconsistency for a name that may be misspelled.
    package init(
        _ path: ConfigurationPath, _ message: String, misspelled name: String, in candidates: [String],
        else hint: String, others: [ConfigurationPath] = []
    ) {
        let near = Advice.nearest(to: name, in: candidates)
        self.init(path, message, hint: near?.hint ?? hint, others: others)
        correction = near?.correction
    }
}

extension ConfigurationSection {
    /// Creates a section with every default, and changes it.
    ///
    /// ```swift
    /// let retry = Retry { $0.maxRetries = 5 }
    /// ```
    public init(_ change: (inout Self) throws -> Void) rethrows {
        self.init()
        try change(&self)
    }

    /// No rules between keys.
    public static var rules: [ConfigurationRule<Self>] { [] }

    /// The contradictions between its keys, in the order of its ``rules``.
    package func inconsistencies() -> [Inconsistency] { Self.rules.flatMap { $0.inconsistencies(in: self) } }

    /// Validates a value of the section: unknown keys, types and ranges, and the rules between keys.
    ///
    /// - Parameter node: The value.
    /// - Returns: The findings, sorted by position; empty if the value is valid. O(values).
    public static func findings(in node: ConfigurationNode) -> [Finding] {
        ConfigurationValidator.findings(in: node, section: declaration)
    }

    /// The declaration of the section, for generators and validation. Built on each access; O(keys).
    package static var declaration: SectionDeclaration {
        SectionDeclaration(
            name: "\(Self.self)", keys: keys.map(\.declaration), rules: rules.map { SectionRule($0) })
    }

    /// The type of a key that holds this section.
    public static var valueType: ValueType { .section(declaration) }

    /// Reads the section from a value that ``ConfigurationValidator`` has accepted.
    ///
    /// - Parameter value: A map. Absent keys keep their defaults.
    public init(validated value: ConfigurationValue) {
        self.init()
        guard case .map(let entries) = value else { return }
        for key in Self.keys {
            if let node = entries[key.declaration.name] { key.assign(&self, node.value) }
        }
    }

    /// The section as a map of all keys that have a value.
    public var configurationValue: ConfigurationValue {
        var entries: [String: ConfigurationNode] = [:]
        for key in Self.keys {
            if let value = key.value(of: self) { entries[key.declaration.name] = ConfigurationNode(value) }
        }
        return .map(entries)
    }
}
