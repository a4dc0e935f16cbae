/// What is known about one key, apart from the structure it is stored in.
public struct KeyDeclaration: Sendable {
    /// The platforms that honour a key.
    public enum Platform: String, Sendable {
        /// Every platform.
        case all = "all"
        /// Apple platforms only: Foundation on Linux has no such setting.
        case apple = "Apple"
    }

    /// The key, equal to the Swift property's name.
    public let name: String
    /// What it accepts.
    public let type: ValueType
    /// Whether a configuration without it is an error.
    public let isRequired: Bool
    /// The value when the key is absent; nil when it is required or simply absent.
    public let defaultValue: ConfigurationValue?
    /// Who honours it.
    public let appliesOn: Platform
    /// What it is for, in one line.
    public let documentation: String

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - type: What it accepts.
    ///   - isRequired: Whether a configuration without it is an error.
    ///   - defaultValue: The value when it is absent.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init(
        name: String, type: ValueType, isRequired: Bool, defaultValue: ConfigurationValue?, appliesOn: Platform,
        documentation: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.appliesOn = appliesOn
        self.documentation = documentation
    }
}

/// The keys of a section, apart from the structure they are stored in.
public final class SectionDeclaration: Sendable {
    /// What a diagnostic calls the section.
    public let name: String
    /// What the section is for, in one line.
    public let documentation: String
    /// Its keys in the order of declaration.
    public let keys: [KeyDeclaration]
    /// Rules between keys, run on a section whose keys are each valid.
    let check: @Sendable (ConfigurationNode, ConfigurationPath) -> [Finding]

    /// Creates a section.
    ///
    /// - Parameters:
    ///   - name: What a diagnostic calls it.
    ///   - documentation: What it is for, in one line.
    ///   - keys: Its keys.
    ///   - check: Rules between keys.
    init(
        name: String, documentation: String, keys: [KeyDeclaration],
        check: @escaping @Sendable (ConfigurationNode, ConfigurationPath) -> [Finding]
    ) {
        self.name = name
        self.documentation = documentation
        self.keys = keys
        self.check = check
    }

    /// The declaration of a key.
    ///
    /// - Parameter name: The key.
    /// - Returns: Its declaration, or nil. O(keys).
    public func key(_ name: String) -> KeyDeclaration? {
        keys.first { $0.name == name }
    }

    /// The declaration that governs a path: that of its last key, or of the key whose list or map holds the value.
    ///
    /// - Parameter path: The way from this section.
    /// - Returns: The declaration, or nil when the path leads out of the schema. O(length × keys).
    public func key(at path: ConfigurationPath) -> KeyDeclaration? {
        var section: SectionDeclaration? = self
        var found: KeyDeclaration?
        var type: ValueType?
        for element in path.elements {
            if let inner = section, case .key(let name) = element {
                guard let key = inner.key(name) else { return nil }
                found = key
                type = key.type
            } else {
                guard let element = type?.elementType else { return nil }
                type = element
            }
            section = type?.section
        }
        return found
    }
}
