/// The declaration of a key, without the structure that stores it.
public struct KeyDeclaration: Sendable {
    /// The platforms that support a key.
    public enum Platform: String, Sendable {
        /// Every platform.
        case all = "all"
        /// Apple platforms only: Foundation on Linux has no such setting.
        case apple = "Apple"
    }

    /// The kind of thing that a key's value identifies. A market with its own app sets such a key itself.
    public enum Identity: String, Sendable {
        /// The market, such as its currency.
        case market
        /// The app, for systems and other apps.
        case app
        /// Data that programs of one app share: an app group, or the suite of a store.
        case appGroup
        /// The certificates that sign the app that the same section names.
        case certificates
    }

    /// Whether a higher or a lower value of a key is more restrictive for users. Reviews of changes use it.
    public enum Sense: String, Sendable {
        /// A smaller number, `false`, or a shorter list is more restrictive: a limit, a timeout, a list of accepted
        /// values.
        case higherIsLooser
        /// A larger number, `true`, or a longer list is more restrictive: a list of requirements.
        case higherIsStricter
    }

    /// The key, equal to the Swift property's name.
    package let name: String
    /// The type of its value.
    package let type: ValueType
    /// Whether a configuration without it is an error.
    package let isRequired: Bool
    /// The value if the key is absent; nil if the key is required or has no default. Computed on each access.
    package var defaultValue: ConfigurationValue? { makeDefaultValue() }
    private let makeDefaultValue: @Sendable () -> ConfigurationValue?
    /// Former names. If a configuration uses one, the finding names the current one.
    package let formerNames: [String]
    /// The platforms that support it.
    package let appliesOn: Platform
    /// Whether remote configuration may change it.
    package let isRemote: Bool
    /// Whether a higher or a lower value is more restrictive for users; nil if that is unknown.
    package let sense: Sense?
    /// The kind of thing that its value identifies; nil for most keys.
    package internal(set) var identity: Identity?
    /// What its value means; nil for a key whose meaning only its own service knows.
    package internal(set) var role: Role?
    /// The language of its default texts, a code of ISO 639; nil for a key without such texts.
    package internal(set) var defaultLanguage: String?
    /// How often its value may vary, if the declaration says it.
    var declaredPace: ContextPace?
    /// How often its value may vary; nil if that is up to the enclosing key.
    ///
    /// Names of apps and of what apps share are in the files of a built app. Services take remote changes while they
    /// run, so they can take other changes as well.
    package var pace: ContextPace? { declaredPace ?? identity?.pace ?? (isRemote ? .live : nil) }
    /// Its purpose, in one line.
    package let documentation: String

    /// Creates a declaration.
    package init(
        name: String, type: ValueType, isRequired: Bool,
        defaultValue: @escaping @autoclosure @Sendable () -> ConfigurationValue?,
        formerNames: [String] = [], appliesOn: Platform, isRemote: Bool = false, sense: Sense? = nil,
        pace: ContextPace? = nil, documentation: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        makeDefaultValue = defaultValue
        self.formerNames = formerNames
        self.appliesOn = appliesOn
        self.isRemote = isRemote
        self.sense = sense
        declaredPace = pace
        self.documentation = documentation
    }
}

extension KeyDeclaration {
    /// The same key where nothing is required, because it only changes a value that something else gives.
    package var optional: KeyDeclaration {
        var key = KeyDeclaration(
            name: name, type: type, isRequired: false, defaultValue: nil, formerNames: formerNames,
            appliesOn: appliesOn, isRemote: isRemote, sense: sense, pace: declaredPace, documentation: documentation)
        (key.identity, key.role, key.defaultLanguage) = (identity, role, defaultLanguage)
        return key
    }

    /// The notes that follow the documentation in generated pages: the supported platforms, whether remote configuration
    /// may change the key, and how often it may vary if that differs from the enclosing key.
    package var notes: String {
        (appliesOn == .all ? "" : " Platforms: \(appliesOn.rawValue).")
            + (isRemote ? " Remote configuration may change it." : "")
            // The page says once that what remote configuration may change may vary at any time.
            + ((declaredPace ?? identity?.pace).map { " \($0.note)" } ?? "")
    }
}

extension KeyDeclaration.Identity {
    /// How often such a name may vary; nil for that of a market, which no file of a built app contains.
    fileprivate var pace: ContextPace? {
        switch self {
        case .market: nil
        case .app, .appGroup, .certificates: .build
        }
    }
}

extension ContextPace {
    /// The note of a key that may vary at this pace.
    fileprivate var note: String {
        switch self {
        case .fixed: "Never varies."
        case .build: "May vary by build."
        case .start: "May vary at start."
        case .live: "May vary at any time."
        }
    }
}

/// The declaration of a section, without the structure that stores it.
public final class SectionDeclaration: Sendable {
    /// The name of the section in messages.
    package let name: String
    /// Its keys in the order of declaration.
    package let keys: [KeyDeclaration]
    /// The declaration of any other key of an open section; nil for a section that accepts no other keys.
    ///
    /// In generated pages, the name of the declaration stands for the key.
    package let others: KeyDeclaration?
    /// The rules between its keys.
    package let rules: [SectionRule]
    /// What generated files call its tables; nil for a section that they describe at each of its keys.
    package let form: SectionForm?

    /// Creates a section.
    package init(
        name: String, keys: [KeyDeclaration], others: KeyDeclaration? = nil, rules: [SectionRule] = [],
        form: SectionForm? = nil
    ) {
        self.form = form
        self.name = name
        self.keys = keys
        self.others = others
        self.rules = rules
        requireClearFormerNames()
        requireKeysOfRules()
    }

    /// Traps if a rule reads a key that does not exist: an error in the program, which would otherwise be silent.
    private func requireKeysOfRules() {
        for path in rules.flatMap(\.reads) where key(at: path) == nil {
            let problem = "a rule reads \(path), which is not a key"
            fatalError("\(name): \(problem); fix the rule's declaration")  // `precondition` is silent in release
        }
    }

    /// Traps if a former name has two meanings: an error in the program, not in a file.
    private func requireClearFormerNames() {
        var seen: Set<String> = []
        for key in keys {
            for former in key.formerNames {
                var problem: String?
                if self.key(former) != nil { problem = "\(former), a former name of \(key.name), is a key" }
                if !seen.insert(former).inserted { problem = "the former name \(former) appears twice" }
                guard let problem else { continue }
                fatalError("\(name): \(problem); fix the key's declaration")  // `precondition` is silent in release
            }
        }
    }

    /// The declaration of a key.
    package func key(_ name: String) -> KeyDeclaration? {
        keys.first { $0.name == name }
    }

    /// The declaration of the key with a former name.
    package func key(formerly name: String) -> KeyDeclaration? {
        keys.first { $0.formerNames.contains(name) }
    }

    /// The declaration of the key with the former name at the end of a path.
    package func key(formerlyAt path: ConfigurationPath) -> KeyDeclaration? {
        guard case .key(let name)? = path.elements.last else { return nil }
        return section(at: path.elements.dropLast())?.key(formerly: name)
    }

    /// The default list of a key; nil for a key without one.
    package func defaultList(at path: ConfigurationPath) -> [ConfigurationNode]? {
        guard case .key(let name)? = path.elements.last,
            case .list(let nodes)? = section(at: path.elements.dropLast())?.key(name)?.defaultValue
        else { return nil }
        return nodes
    }

    /// The identifying keys: outer keys first, those of the same level by name.
    package var identifyingKeys: [(path: ConfigurationPath, identity: KeyDeclaration.Identity)] {
        var found: [(path: ConfigurationPath, identity: KeyDeclaration.Identity)] = []
        func collect(_ section: SectionDeclaration, at path: ConfigurationPath) {
            for key in section.keys {
                let inner = path.appending(key.name)
                if let identity = key.identity { found.append((inner, identity)) }
                if case .section(let section) = key.type { collect(section, at: inner) }
            }
        }
        collect(self, at: ConfigurationPath())
        return found.sorted {
            ($0.path.elements.count, $0.path.description) < ($1.path.elements.count, $1.path.description)
        }
    }

    /// How often the value at a path may vary: the pace of the nearest key on the path that has one.
    package func pace(at path: ConfigurationPath) -> ContextPace {
        for end in path.elements.indices.reversed() {
            if let pace = key(at: ConfigurationPath(Array(path.elements[...end])))?.pace { return pace }
        }
        return .start
    }

    private func section(at elements: ArraySlice<ConfigurationPath.Element>) -> SectionDeclaration? {
        guard !elements.isEmpty else { return self }
        return declaration(at: elements)?.type.section
    }

    /// The declaration for a path: that of its last key, or of the key whose list or map contains the value.
    package func key(at path: ConfigurationPath) -> KeyDeclaration? {
        declaration(at: path.elements[...])?.key
    }

    /// The type of the value at a path; for an element of a list, the type of the elements.
    package func type(at path: ConfigurationPath) -> ValueType? {
        path.elements.isEmpty ? .section(self) : declaration(at: path.elements[...])?.type
    }

    /// The declaration for a path, and the type of the value at the path itself.
    private func declaration(
        at elements: ArraySlice<ConfigurationPath.Element>
    ) -> (key: KeyDeclaration, type: ValueType)? {
        var section: SectionDeclaration? = self
        var found: (key: KeyDeclaration, type: ValueType)?
        for element in elements {
            if let inner = section, case .key(let name) = element {
                guard let key = inner.key(name) ?? inner.others else { return nil }
                found = (key, key.type)
            } else {
                guard let (key, type) = found, let part = type.part(at: element) else { return nil }
                found = (part.key ?? key, part.type)
            }
            section = found?.type.section
        }
        return found
    }
}
