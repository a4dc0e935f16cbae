/// What is known about one key, apart from the structure it is stored in.
public struct KeyDeclaration: Sendable {
    /// The platforms that honour a key.
    public enum Platform: String, Sendable {
        /// Every platform.
        case all = "all"
        /// Apple platforms only: Foundation on Linux has no such setting.
        case apple = "Apple"
    }

    /// What a key's value identifies. A market with an app of its own decides such a key itself.
    public enum Identity: String, Sendable {
        /// The market, such as its currency.
        case market
        /// The app, to systems and to other apps.
        case app
        /// What programs of one app share: an app group, or the suite of a store.
        case appGroup
        /// The certificates that sign the app that the same section names.
        case certificates
    }

    /// Which change of a key's value leaves people with less, for reviews of a change.
    public enum Sense: String, Sendable {
        /// A smaller number, `false`, or a shorter list: a limit, a timeout, what is accepted.
        case higherIsLooser
        /// A larger number, `true`, or a longer list: what is required.
        case higherIsStricter
    }

    /// The key, equal to the Swift property's name.
    package let name: String
    /// What it accepts.
    package let type: ValueType
    /// Whether a configuration without it is an error.
    package let isRequired: Bool
    /// The value when the key is absent; nil when it is required or simply absent. Computed on each read.
    package var defaultValue: ConfigurationValue? { makeDefaultValue() }
    private let makeDefaultValue: @Sendable () -> ConfigurationValue?
    /// Names that it had before: a configuration that still has one of them is told the present name.
    package let formerNames: [String]
    /// Who honours it.
    package let appliesOn: Platform
    /// Whether remote configuration may change it.
    package let isRemote: Bool
    /// Which change of its value leaves people with less; nil where nobody can say.
    package let sense: Sense?
    /// What its value identifies; nil for most keys.
    package internal(set) var identity: Identity?
    /// What it is for, in one line.
    package let documentation: String

    /// Creates a declaration.
    package init(
        name: String, type: ValueType, isRequired: Bool,
        defaultValue: @escaping @autoclosure @Sendable () -> ConfigurationValue?,
        formerNames: [String] = [], appliesOn: Platform, isRemote: Bool = false, sense: Sense? = nil,
        documentation: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        makeDefaultValue = defaultValue
        self.formerNames = formerNames
        self.appliesOn = appliesOn
        self.isRemote = isRemote
        self.sense = sense
        self.documentation = documentation
    }
}

extension KeyDeclaration {
    /// What generated pages say behind the documentation: who honours the key, and what may change it.
    package var notes: String {
        (appliesOn == .all ? "" : " Applies on: \(appliesOn.rawValue).")
            + (isRemote ? " Remote configuration may change it." : "")
    }
}

/// The keys of a section, apart from the structure they are stored in.
public final class SectionDeclaration: Sendable {
    /// What a diagnostic calls the section.
    package let name: String
    /// Its keys in the order of declaration.
    package let keys: [KeyDeclaration]
    /// What it accepts at any other key, for an open section; nil for one that has its keys and no others.
    ///
    /// The name of the declaration stands for the key in generated pages.
    package let others: KeyDeclaration?
    /// Rules between keys, run on a section whose keys are each valid.
    package let check: @Sendable (ConfigurationNode, ConfigurationPath) -> [Finding]

    /// Creates a section.
    package init(
        name: String, keys: [KeyDeclaration], others: KeyDeclaration? = nil,
        check: @escaping @Sendable (ConfigurationNode, ConfigurationPath) -> [Finding] = { _, _ in [] }
    ) {
        self.name = name
        self.keys = keys
        self.others = others
        self.check = check
        requireClearFormerNames()
    }

    /// Stops the program because of a former name with two meanings: a mistake in the program, not in a file.
    private func requireClearFormerNames() {
        var seen: Set<String> = []
        for key in keys {
            for former in key.formerNames {
                var problem: String?
                if self.key(former) != nil { problem = "\(former), a former name of \(key.name), is a key" }
                if !seen.insert(former).inserted { problem = "the former name \(former) appears twice" }
                guard let problem else { continue }
                fatalError("\(name): \(problem); fix the key's declaration")  // `precondition` says nothing in release
            }
        }
    }

    /// The declaration of a key.
    package func key(_ name: String) -> KeyDeclaration? {
        keys.first { $0.name == name }
    }

    /// The declaration of the key that once had a name.
    package func key(formerly name: String) -> KeyDeclaration? {
        keys.first { $0.formerNames.contains(name) }
    }

    /// The declaration of the key whose former name a path ends with.
    package func key(formerlyAt path: ConfigurationPath) -> KeyDeclaration? {
        guard case .key(let name)? = path.elements.last else { return nil }
        return section(at: path.elements.dropLast())?.key(formerly: name)
    }

    /// The list that a key has where no market sets it; nil for a key without one.
    package func defaultList(at path: ConfigurationPath) -> [ConfigurationNode]? {
        guard case .key(let name)? = path.elements.last,
            case .list(let nodes)? = section(at: path.elements.dropLast())?.key(name)?.defaultValue
        else { return nil }
        return nodes
    }

    /// The keys whose values identify something: outer ones first, those of one level by name.
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

    private func section(at elements: ArraySlice<ConfigurationPath.Element>) -> SectionDeclaration? {
        guard !elements.isEmpty else { return self }
        return declaration(at: elements)?.type.section
    }

    /// The declaration that governs a path: that of its last key, or of the key whose list or map holds the value.
    package func key(at path: ConfigurationPath) -> KeyDeclaration? {
        declaration(at: path.elements[...])?.key
    }

    /// What the value at a path must be: for an element of a list, what each element must be.
    package func type(at path: ConfigurationPath) -> ValueType? {
        path.elements.isEmpty ? .section(self) : declaration(at: path.elements[...])?.type
    }

    /// The key that governs a path, and what the value at the path itself must be.
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
                guard let key = found?.key, let type = found?.type.elementType else { return nil }
                found = (key, type)
            }
            section = found?.type.section
        }
        return found
    }
}
