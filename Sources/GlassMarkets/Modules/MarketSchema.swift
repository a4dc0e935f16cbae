import GlassContainer
import GlassDeepLinking
package import GlassSchema

/// The keys that market files of a module may set. Created once for all markets of the module.
package struct MarketSchema: Sendable {
    /// The module.
    package let module: MarketModule
    /// Every key of a market.
    package let declaration: SectionDeclaration
    /// Every key of a market file: those of the market, and those about situations.
    package let file: SectionDeclaration
    /// The keys of an overlay: its own, and those of the market that it can have.
    package var overlay: SectionDeclaration {
        file.key(FileHeader.overlays)?.type.elementType?.section ?? OverlayDefinition.form
    }
    /// The keys at the top of a file that no overlay can have: those about situations, and those of the market that are
    /// the same in every situation.
    package let notInOverlays: Set<String>
    /// The description of a market in generated pages.
    package static let summary = "One market."
    /// The paths of the keys with each role, in the order of declaration.
    private let roles: [KeyDeclaration.Role: [ConfigurationPath]]
    /// The routables of the module by id.
    let routables: [String: RoutableEntry]
    /// Its handlers by name.
    let handlers: [String: LinkHandler]

    /// The keys at the top level of a market file that no module may declare: those that every market has, those that
    /// are reserved for later versions, and those in the header of a compiled market.
    static let reservedKeys: Set<String> =
        Set(MarketDefinition.keyNames)
        .union(FileHeader.names).union(["vary"])
        .union(CompiledMarket.header)

    /// Creates the schema. O(keys of the module).
    package init(_ module: MarketModule) {
        self.module = module
        let entries =
            module.routables.map { RoutableEntry.synchronous($0) }
            + module.asyncRoutables.map { RoutableEntry.asynchronous($0) }
        // Each id and each name is unique in a module, which traps otherwise.
        routables = Dictionary(entries.map { ($0.feature.id, $0) }) { first, _ in first }
        handlers = Dictionary(module.handlers.map { ($0.name, $0) }) { first, _ in first }
        var keys = MarketDefinition.keys.map(\.declaration)
        let own = keys.removeLast()
        precondition(own.name == "routables", "the routables are the last key of a market")
        keys += module.sections.map { Self.key(of: $0) }
        keys.append(
            KeyDeclaration(
                name: own.name, type: .section(Self.routables(entries)), isRequired: own.isRequired,
                defaultValue: own.defaultValue, appliesOn: own.appliesOn, pace: own.pace,
                documentation: own.documentation))
        declaration = SectionDeclaration(name: "\(MarketDefinition.self)", keys: keys)
        file = FileHeader.file(of: declaration)
        notInOverlays = FileHeader.names.union(declaration.keys.filter { $0.pace == .fixed }.map(\.name))
        roles = declaration.roles
    }

    /// Whether a path is in a section of the module, rather than a key of every market.
    package func isOfSection(_ path: ConfigurationPath) -> Bool {
        guard case .key(let name)? = path.elements.first else { return false }
        return module.sections.contains { $0.key == name }
    }

    /// The paths of the keys with a role, in the order of declaration.
    package func paths(_ role: KeyDeclaration.Role) -> [ConfigurationPath] { roles[role] ?? [] }

    /// The path of the first key with a role; nil if no key of the module has it.
    package func path(_ role: KeyDeclaration.Role) -> ConfigurationPath? { roles[role]?.first }

    /// The path of the key with a role in the same table as another key; nil if no key there has the role.
    package func path(_ role: KeyDeclaration.Role, beside path: ConfigurationPath) -> ConfigurationPath? {
        paths(role).first { $0.elements.dropLast() == path.elements.dropLast() }
    }

    /// The name of the key with a role in each element of a list, or value of a map.
    package func name(of role: KeyDeclaration.Role, inEach path: ConfigurationPath) -> String? {
        declaration.type(at: path)?.elementType?.section?.name(of: role)
    }

    /// The keys of a routable that declares its own keys in addition to the common ones; nil for any other routable.
    package func section(ofRoutable id: String) -> SectionDeclaration? { routables[id]?.section }

    /// The names of the keys that a routable has in addition to those of every routable, in the order of declaration.
    func ownKeys(ofRoutable id: String) -> [String] {
        let common = Set(RoutableSettings.keys.map(\.declaration.name))
        return section(ofRoutable: id)?.keys.map(\.name).filter { !common.contains($0) } ?? []
    }

    private static func key<S: MarketSection>(of type: S.Type) -> KeyDeclaration {
        // An array with a known type. Otherwise the runtime would search for the section's own iterator.
        let isRequired = S.keys.map(\.declaration).contains(where: \.isRequired)
        return KeyDeclaration(
            name: S.key, type: S.valueType, isRequired: isRequired,
            defaultValue: isRequired ? nil : S().configurationValue, appliesOn: .all, pace: S.pace,
            documentation: S.summary)
    }

    /// The routables by id: those with keys of their own as keys, any other id with the common keys.
    private static func routables(_ entries: [RoutableEntry]) -> SectionDeclaration {
        let keys = entries.compactMap { entry in
            entry.section.map { section in
                KeyDeclaration(
                    name: entry.feature.id, type: .either([.boolean, .section(section)]), isRequired: false,
                    defaultValue: nil, appliesOn: .all, documentation: entry.feature.summary)
            }
        }
        let others = KeyDeclaration(
            name: "*", type: RoutableDefinition.valueType, isRequired: false, defaultValue: nil, appliesOn: .all,
            documentation: "A feature by its id: false disables it, true enables its standard form, and a table "
                + "changes it.")
        return SectionDeclaration(name: "Routables", keys: keys, others: others)
    }
}

/// A routable of a module, regardless of its type.
struct RoutableEntry: Sendable {
    let feature: Feature
    /// The types that it takes from the container.
    let requires: [Any.Type]
    /// The common keys and its own; nil for a routable without keys of its own.
    let section: SectionDeclaration?
    /// Creates the handler of a market's routable from the market's values for it.
    let make: @Sendable (Container, ConfigurationValue) -> RoutableHandler
    /// The effective values of its own keys.
    let effective: @Sendable (ConfigurationValue) -> [String: ConfigurationNode]

    static func synchronous<R: MarketRoutable>(_ type: R.Type) -> RoutableEntry {
        RoutableEntry(R.feature, R.requires, "\(type)", R.Configuration.self) { container, configuration in
            let routable = R(container: container, configuration: configuration)
            return .synchronous { try routable.handleDeepLink($0, state: $1) }
        }
    }

    static func asynchronous<R: AsyncMarketRoutable>(_ type: R.Type) -> RoutableEntry {
        RoutableEntry(R.feature, R.requires, "\(type)", R.Configuration.self) { container, configuration in
            let routable = R(container: container, configuration: configuration)
            return .asynchronous { try await routable.handleDeepLink($0, state: $1) }
        }
    }

    private init<C: ConfigurationSection>(
        _ feature: Feature, _ requires: [Any.Type], _ type: String, _: C.Type,
        make: @escaping @Sendable (Container, C) -> RoutableHandler
    ) {
        self.feature = feature
        self.requires = requires
        self.make = { container, value in make(container, C(validated: value)) }
        effective = { value in
            guard case .map(let entries) = C(validated: value).configurationValue else { return [:] }
            return entries
        }
        let (common, own) = (RoutableSettings.declaration, C.declaration)
        guard !own.keys.isEmpty else {
            section = nil
            return
        }
        for key in own.keys where common.key(key.name) != nil {
            // A programming error.
            let place = "\(type) declares the key \(key.name)"
            fatalError("\(place), which every routable has; rename it")  // `precondition` says nothing in release
        }
        section = SectionDeclaration(
            name: feature.id, keys: common.keys + own.keys, rules: common.rules + own.rules)
    }
}
