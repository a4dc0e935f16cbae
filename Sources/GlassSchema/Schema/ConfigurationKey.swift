/// A key of a section: its declaration and the property that stores it.
///
/// `Root` is a ``ConfigurationSection``. The initializers require it but the type does not: otherwise the runtime would
/// search all of the program's conformances for the keys of each section while the first market loads.
public struct ConfigurationKey<Root>: Sendable {
    /// The declaration of the key.
    package private(set) var declaration: KeyDeclaration
    let assign: @Sendable (inout Root, ConfigurationValue) -> Void
    private let read: @Sendable (Root) -> ConfigurationValue?
    private let change: @Sendable (inout Root, ConfigurationValue) -> Void
}

extension ConfigurationKey where Root: ConfigurationSection {
    /// Declares a key.
    ///
    /// The default is the value of the property in `Root()`; a required key has none.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The property that holds its value.
    ///   - type: The type of its value.
    ///   - required: Whether a configuration without it is an error.
    ///   - formerNames: Former names of the key. If a market uses one, the finding names the current one.
    ///   - appliesOn: The platforms that support it.
    ///   - remote: Whether remote configuration may change it. Never true for a key that decides which hosts the app
    ///     trusts or talks to.
    ///   - sense: Whether a higher or a lower value is more restrictive for users; nil if that is unknown.
    ///   - documentation: Its purpose, in one line.
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

    /// Declares an optional key.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - type: The type of its value.
    ///   - formerNames: Former names of the key. If a market uses one, the finding names the current one.
    ///   - appliesOn: The platforms that support it.
    ///   - remote: Whether remote configuration may change it. Never true for a key that decides which hosts the app
    ///     trusts or talks to.
    ///   - sense: Whether a higher or a lower value is more restrictive for users; nil if that is unknown.
    ///   - documentation: Its purpose, in one line.
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

    /// Declares a key whose type is derived from its property.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The property that holds its value.
    ///   - required: Whether a configuration without it is an error.
    ///   - formerNames: Former names of the key. If a market uses one, the finding names the current one.
    ///   - appliesOn: The platforms that support it.
    ///   - remote: Whether remote configuration may change it. Never true for a key that decides which hosts the app
    ///     trusts or talks to.
    ///   - sense: Whether a higher or a lower value is more restrictive for users; nil if that is unknown.
    ///   - documentation: Its purpose, in one line.
    public init<Value: ConfigurationRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, required: Bool = false,
        formerNames: [String] = [], appliesOn: KeyDeclaration.Platform = .all, remote: Bool = false,
        sense: KeyDeclaration.Sense? = nil, _ documentation: String
    ) {
        self.init(
            name, property, Value.valueType, required: required, formerNames: formerNames, appliesOn: appliesOn,
            remote: remote, sense: sense, documentation)
    }

    /// Declares an optional key whose type is derived from its property.
    ///
    /// - Parameters:
    ///   - name: The key, equal to the property's name.
    ///   - property: The optional property that holds its value.
    ///   - formerNames: Former names of the key. If a market uses one, the finding names the current one.
    ///   - appliesOn: The platforms that support it.
    ///   - remote: Whether remote configuration may change it. Never true for a key that decides which hosts the app
    ///     trusts or talks to.
    ///   - sense: Whether a higher or a lower value is more restrictive for users; nil if that is unknown.
    ///   - documentation: Its purpose, in one line.
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

    /// The same key, marked as identifying: `check` reports a market that inherits its value.
    ///
    /// ```swift
    /// .init("suite", \.suite, .string(.bundleIdentifier), "The suite of the widget.").identifying(.appGroup)
    /// ```
    ///
    /// - Parameter identity: The kind of thing that the value identifies.
    /// - Returns: The key.
    public func identifying(_ identity: KeyDeclaration.Identity) -> ConfigurationKey {
        var key = self
        key.declaration.identity = identity
        return key
    }

    /// Returns the key with a role, which says what its value means. Rules about meaning, reviews, imports, and exports
    /// look for the role.
    ///
    /// ```swift
    /// .init("homeland", \.homeland, .string(.country), "Where points are kept.").role(.country)
    /// ```
    ///
    /// - Parameter role: The meaning of the value.
    /// - Returns: The key.
    public func role(_ role: KeyDeclaration.Role) -> ConfigurationKey {
        var key = self
        key.declaration.role = role
        return key
    }

    /// The same key, with the language of its default texts: `check` reports a market that keeps them without having the
    /// language.
    ///
    /// ```swift
    /// .init("greetings", \.greetings, "What members read.").role(.userTexts).defaults(in: "en")
    /// ```
    ///
    /// - Parameter language: The language, a code of ISO 639.
    /// - Returns: The key.
    public func defaults(in language: String) -> ConfigurationKey {
        var key = self
        key.declaration.defaultLanguage = language
        return key
    }

    /// The same key, marked with how often its value may vary with the situation; otherwise that is up to the enclosing
    /// key.
    ///
    /// ```swift
    /// .init("banner", \.banner, .string(.nonEmpty), "The text above the list.").varying(.live)
    /// ```
    ///
    /// A key whose value is in a file of the built app may vary by build, and a key that the app reads only while it
    /// starts, at start. An identifying key of an app varies by build, and a key that remote configuration may change
    /// varies at any time, unless it is marked otherwise.
    ///
    /// - Parameter pace: The fastest change that the key can follow.
    /// - Returns: The key.
    public func varying(_ pace: ContextPace) -> ConfigurationKey {
        var key = self
        key.declaration.declaredPace = pace
        return key
    }

    /// The key's value in a section.
    package func value(of root: Root) -> ConfigurationValue? { read(root) }

    /// Changes the key in a section. A nested section is changed key by key, any other value as a whole.
    func change(_ root: inout Root, by value: ConfigurationValue) { change(&root, value) }
}

extension ConfigurationSection {
    /// The section with some keys changed. Other keys keep their values, including secrets.
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
    /// The value with changes: for a section, some of its keys; for any other value, all of it.
    fileprivate func changed(by value: ConfigurationValue) -> Self {
        guard let section = self as? any ConfigurationSection else { return Self(validated: value) }
        // Changing a section does not change its type, so the cast succeeds.
        return section.changed(by: value) as? Self ?? Self(validated: value)
    }
}
