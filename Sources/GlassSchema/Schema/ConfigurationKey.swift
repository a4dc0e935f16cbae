/// One key of a section: its declaration and the property it is stored in.
public struct ConfigurationKey<Root: ConfigurationSection>: Sendable {
    /// What is known about the key.
    package let declaration: KeyDeclaration
    let assign: @Sendable (inout Root, ConfigurationValue) -> Void
    private let read: @Sendable (Root) -> ConfigurationValue?

    /// Declares a key.
    ///
    /// The default is what the property holds in `Root()`; a required key has none.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The property that holds its value.
    ///   - type: What it accepts.
    ///   - required: Whether a configuration without it is an error.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, _ type: ValueType,
        required: Bool = false, formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all,
        _ documentation: String
    ) {
        self.init(
            name, type, required: required, formerNames: formerNames, appliesOn: appliesOn, documentation,
            assign: { root, value in root[keyPath: property] = Value(validated: value) },
            read: { root in root[keyPath: property].configurationValue })
    }

    /// Declares a key that may be absent.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - type: What it accepts.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable, _ type: ValueType,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(
            name, type, required: false, formerNames: formerNames, appliesOn: appliesOn, documentation,
            assign: { root, value in root[keyPath: property] = Value(validated: value) },
            read: { root in root[keyPath: property]?.configurationValue })
    }

    /// Declares a key that accepts what its property's type accepts.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The property that holds its value.
    ///   - required: Whether a configuration without it is an error.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, required: Bool = false,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(
            name, property, Value.valueType, required: required, formerNames: formerNames, appliesOn: appliesOn,
            documentation)
    }

    /// Declares a key that may be absent and accepts what its property's type accepts.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(name, property, Value.valueType, formerNames: formerNames, appliesOn: appliesOn, documentation)
    }

    private init(
        _ name: String, _ type: ValueType, required: Bool, formerNames: [String],
        appliesOn: KeyDeclaration.Platform, _ documentation: String,
        assign: @escaping @Sendable (inout Root, ConfigurationValue) -> Void,
        read: @escaping @Sendable (Root) -> ConfigurationValue?
    ) {
        self.assign = assign
        self.read = read
        declaration = KeyDeclaration(
            name: name, type: type, isRequired: required, defaultValue: required ? nil : read(Root()),
            formerNames: formerNames, appliesOn: appliesOn, documentation: documentation)
    }

    /// The key's value in a section.
    ///
    /// - Parameter root: The section.
    /// - Returns: The value, or nil when an optional property has none.
    package func value(of root: Root) -> ConfigurationValue? { read(root) }
}
