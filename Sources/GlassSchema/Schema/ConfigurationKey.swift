/// One key of a section: its declaration and the property it is stored in.
public struct ConfigurationKey<Root: ConfigurationSection>: Sendable {
    /// What is known about the key.
    public let declaration: KeyDeclaration
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
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, _ type: ValueType,
        required: Bool = false, appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(
            name, type, required: required, appliesOn: appliesOn, documentation,
            assign: { root, value in root[keyPath: property] = Value(validated: value) },
            read: { root in root[keyPath: property].configurationValue })
    }

    /// Declares a key that may be absent.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - type: What it accepts.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable, _ type: ValueType,
        appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(
            name, type, required: false, appliesOn: appliesOn, documentation,
            assign: { root, value in root[keyPath: property] = Value(validated: value) },
            read: { root in root[keyPath: property]?.configurationValue })
    }

    /// Declares a key that accepts what its property's type accepts.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The property that holds its value.
    ///   - required: Whether a configuration without it is an error.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, required: Bool = false,
        appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(name, property, Value.valueType, required: required, appliesOn: appliesOn, documentation)
    }

    /// Declares a key that may be absent and accepts what its property's type accepts.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - appliesOn: Who honours it.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable,
        appliesOn: KeyDeclaration.Platform = .all, _ documentation: String
    ) {
        self.init(name, property, Value.valueType, appliesOn: appliesOn, documentation)
    }

    private init(
        _ name: String, _ type: ValueType, required: Bool,
        appliesOn: KeyDeclaration.Platform, _ documentation: String,
        assign: @escaping @Sendable (inout Root, ConfigurationValue) -> Void,
        read: @escaping @Sendable (Root) -> ConfigurationValue?
    ) {
        self.assign = assign
        self.read = read
        declaration = KeyDeclaration(
            name: name, type: type, isRequired: required, defaultValue: required ? nil : read(Root()),
            appliesOn: appliesOn, documentation: documentation)
    }

    /// The key's value in a section.
    ///
    /// - Parameter root: The section.
    /// - Returns: The value, or nil when an optional property has none.
    public func value(of root: Root) -> ConfigurationValue? { read(root) }
}
