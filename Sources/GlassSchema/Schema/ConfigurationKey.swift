/// One key of a section: its declaration and the property it is stored in.
///
/// `Root` is a ``ConfigurationSection``. The initializers ask for it and the type does not: the runtime would look the
/// conformance up, among all of the program's, for the keys of each section in turn, while the first market loads.
public struct ConfigurationKey<Root>: Sendable {
    /// What is known about the key.
    package private(set) var declaration: KeyDeclaration
    let assign: @Sendable (inout Root, ConfigurationValue) -> Void
    private let read: @Sendable (Root) -> ConfigurationValue?
    private let change: @Sendable (inout Root, ConfigurationValue) -> Void
}

extension ConfigurationKey where Root: ConfigurationSection {
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
    ///   - remote: Whether remote configuration may change it. Never for what decides whom the app trusts or talks to.
    ///   - sense: Which change of its value leaves people with less; nil where nobody can say.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, _ type: ValueType,
        required: Bool = false, formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all,
        remote: Bool = false, sense: KeyDeclaration.Sense? = nil, _ documentation: String
    ) {
        self.init(
            name, type, required: required, formerNames: formerNames, appliesOn: appliesOn, remote: remote,
            sense: sense, documentation,
            assign: { root, value in root[keyPath: property] = Value(validated: value) },
            read: { root in root[keyPath: property].configurationValue },
            change: { root, value in root[keyPath: property] = root[keyPath: property].changed(by: value) })
    }

    /// Declares a key that may be absent.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - type: What it accepts.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - remote: Whether remote configuration may change it. Never for what decides whom the app trusts or talks to.
    ///   - sense: Which change of its value leaves people with less; nil where nobody can say.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable, _ type: ValueType,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, remote: Bool = false,
        sense: KeyDeclaration.Sense? = nil, _ documentation: String
    ) {
        self.init(
            name, type, required: false, formerNames: formerNames, appliesOn: appliesOn, remote: remote, sense: sense,
            documentation,
            assign: { root, value in root[keyPath: property] = Value(validated: value) },
            read: { root in root[keyPath: property]?.configurationValue },
            change: { root, value in
                root[keyPath: property] = root[keyPath: property]?.changed(by: value) ?? Value(validated: value)
            })
    }

    /// Declares a key that accepts what its property's type accepts.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The property that holds its value.
    ///   - required: Whether a configuration without it is an error.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - remote: Whether remote configuration may change it. Never for what decides whom the app trusts or talks to.
    ///   - sense: Which change of its value leaves people with less; nil where nobody can say.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, required: Bool = false,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, remote: Bool = false,
        sense: KeyDeclaration.Sense? = nil, _ documentation: String
    ) {
        self.init(
            name, property, Value.valueType, required: required, formerNames: formerNames, appliesOn: appliesOn,
            remote: remote, sense: sense, documentation)
    }

    /// Declares a key that may be absent and accepts what its property's type accepts.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - formerNames: Names that the key had before; a market that writes one is told the present name.
    ///   - appliesOn: Who honours it.
    ///   - remote: Whether remote configuration may change it. Never for what decides whom the app trusts or talks to.
    ///   - sense: Which change of its value leaves people with less; nil where nobody can say.
    ///   - documentation: What it is for, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, remote: Bool = false,
        sense: KeyDeclaration.Sense? = nil, _ documentation: String
    ) {
        self.init(
            name, property, Value.valueType, formerNames: formerNames, appliesOn: appliesOn, remote: remote,
            sense: sense, documentation)
    }

    private init(
        _ name: String, _ type: ValueType, required: Bool, formerNames: [String],
        appliesOn: KeyDeclaration.Platform, remote: Bool, sense: KeyDeclaration.Sense?, _ documentation: String,
        assign: @escaping @Sendable (inout Root, ConfigurationValue) -> Void,
        read: @escaping @Sendable (Root) -> ConfigurationValue?,
        change: @escaping @Sendable (inout Root, ConfigurationValue) -> Void
    ) {
        self.assign = assign
        self.read = read
        self.change = change
        declaration = KeyDeclaration(
            name: name, type: type, isRequired: required, defaultValue: required ? nil : read(Root()),
            formerNames: formerNames, appliesOn: appliesOn, isRemote: remote, sense: sense, documentation: documentation
        )
    }

    /// The same key, as one whose value identifies something: `check` says when a market inherits it.
    ///
    /// ```swift
    /// .init("suite", \.suite, .string(.bundleIdentifier), "The suite of the widget.").identifying(.appGroup)
    /// ```
    ///
    /// - Parameter identity: What the value identifies.
    /// - Returns: The key.
    public func identifying(_ identity: KeyDeclaration.Identity) -> ConfigurationKey {
        var key = self
        key.declaration.identity = identity
        return key
    }

    /// The key's value in a section.
    package func value(of root: Root) -> ConfigurationValue? { read(root) }

    /// Changes the key in a section: a section within it key by key, anything else as a whole.
    func change(_ root: inout Root, by value: ConfigurationValue) { change(&root, value) }
}

extension ConfigurationSection {
    /// The section with some keys changed. What the changes do not name stays, secrets with their values.
    package func changed(by changes: ConfigurationValue) -> Self {
        guard case .map(let entries) = changes else { return self }
        var section = self
        for key in Self.keys {
            if let node = entries[key.declaration.name] { key.change(&section, by: node.value) }
        }
        return section
    }
}

extension ConfigurationRepresentable {
    /// The value with changes: of a section some keys, anything else as a whole.
    fileprivate func changed(by value: ConfigurationValue) -> Self {
        guard let section = self as? any ConfigurationSection else { return Self(validated: value) }
        // A section that is changed is of its own type, so the cast holds.
        return section.changed(by: value) as? Self ?? Self(validated: value)
    }
}
