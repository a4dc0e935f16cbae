import GlassBase
package import GlassDeepLinking
public import GlassSchema

/// The contribution of a package to markets: sections, routables, services, preconditions and handlers.
///
/// An app's module includes other modules, and mocks are services that override a module's services. Loaders and
/// commands use only the module that they are given.
///
/// ```swift
/// extension MarketModule {
///     static let shop = platform.including(loyalty, search).including(
///         MarketModule(
///             "shop", secretPrefixes: ["SHOP_"], routables: [FlyersRoutable.self],
///             preconditions: [Precondition("ageVerified", "The shopper is of age.")])
///     ).overriding(services: [.host(PlatformHost(stateFolder: folder))])
/// }
/// ```
///
/// A module is a constant of the program. If two modules declare the same name, the first declaration counts, and
/// ``validate()`` throws an error that lists every clash with both declarations; call it in a test of the app's module.
/// A mistake in one declaration, such as a name that markets cannot write, traps when the module is created.
public struct MarketModule: Sendable {
    /// The module's name, for messages.
    public let name: String
    /// The sections that a market may have at the top level of its file.
    public private(set) var sections: [any MarketSection.Type] = []
    /// The features that links can open.
    public private(set) var routables: [any MarketRoutable.Type] = []
    /// The features that open links asynchronously.
    public private(set) var asyncRoutables: [any AsyncMarketRoutable.Type] = []
    /// The services, by name.
    public var services: [Service] { allServices.filter { !$0.isInternalValue } }
    /// The preconditions that links can wait for, in the order of declaration.
    public private(set) var preconditions: [Precondition] = []
    /// The functions that markets can name with `handler`.
    public private(set) var handlers: [LinkHandler] = []
    /// The attributes of a situation that the module declares, beside those of every market.
    public private(set) var attributes: [ContextAttribute] = []
    /// The screens that a market's routables can show. If it is empty, they can show any.
    public private(set) var screens: [String] = []
    /// The tabs that a market's routables can select. If it is empty, they can select any.
    public private(set) var tabs: [String] = []
    /// The prefixes of the names of a market's secrets. Without a prefix, markets cannot use secrets.
    public package(set) var secretPrefixes: [String] = []
    /// The id of the market that commands use if the user names none; nil if the module names none.
    public private(set) var defaultMarket: String?
    /// The services and the values that they are created from, by name.
    package private(set) var allServices: [Service] = []
    /// The types of services that ``keeping(_:file:line:)`` removed. Their names remain reserved, so that none of them
    /// is declared again.
    private var dropped: Set<ObjectIdentifier> = []
    /// The location of each declaration, by kind and name, such as `the service Networking`. Each is unique among
    /// combined modules.
    private var declared: [String: String] = [:]
    /// The names that are declared twice, with both places.
    private var clashes: [String] = []

    /// Declares a module.
    ///
    /// - Parameters:
    ///   - name: The module's name, for messages.
    ///   - secretPrefixes: The prefixes that the names of a market's secrets may have.
    ///   - sections: The sections that a market may have.
    ///   - routables: The features that links can open.
    ///   - asyncRoutables: The features that open links asynchronously.
    ///   - services: The services.
    ///   - preconditions: The preconditions that links can wait for.
    ///   - handlers: The functions that markets can name.
    ///   - attributes: The facts about a situation that conditions can test, beside those of every market. One with
    ///     the name of such a fact completes its declaration.
    ///   - defaultMarket: The id of the market that commands use if the user names none, and no link decides.
    ///   - file: The file of the declaration, for messages.
    ///   - line: The line of the declaration.
    public init(
        _ name: String, secretPrefixes: [String] = [], sections: [any MarketSection.Type] = [],
        routables: [any MarketRoutable.Type] = [], asyncRoutables: [any AsyncMarketRoutable.Type] = [],
        services: [Service] = [], preconditions: [Precondition] = [], handlers: [LinkHandler] = [],
        attributes: [ContextAttribute] = [], defaultMarket: String? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.name = name
        self.defaultMarket = defaultMarket
        self.secretPrefixes = secretPrefixes
        let here = "\(name) (\(file):\(line))"
        func place(_ site: (file: StaticString, line: UInt)) -> String { "\(name) (\(site.file):\(site.line))" }
        for section in sections where declareSection(section.key, in: here) { self.sections.append(section) }
        for routable in routables where declareRoutable(routable.feature.id, in: here) {
            self.routables.append(routable)
        }
        for routable in asyncRoutables where declareRoutable(routable.feature.id, in: here) {
            self.asyncRoutables.append(routable)
        }
        for service in services where declare("the service \(service.name)", in: place(service.site)) {
            allServices.append(service)
        }
        allServices.sort { $0.name < $1.name }
        for precondition in preconditions {
            requireName(precondition.name, "the precondition", in: place(precondition.site))
            guard declare("the precondition \(precondition.name)", in: place(precondition.site)) else { continue }
            self.preconditions.append(precondition)
        }
        for handler in handlers {
            requireName(handler.name, "the handler", in: place(handler.site))
            guard declare("the handler \(handler.name)", in: place(handler.site)) else { continue }
            self.handlers.append(handler)
        }
        for attribute in attributes {
            requireName(attribute.name, "the attribute", in: here)
            guard declare("the attribute \(attribute.name)", in: here) else { continue }
            self.attributes.append(attribute)
        }
    }

    // MARK: Combining

    /// Combines this module with others, which must not declare anything with the same kind and name.
    ///
    /// If two modules declare the same key, routable, service, precondition, handler, or attribute, the first declaration
    /// counts, and ``validate()`` reports both.
    ///
    /// - Parameter others: The other modules. The first default market counts, beginning with this module's own.
    /// - Returns: A module with all declarations, under this module's name.
    public func including(_ others: MarketModule...) -> MarketModule {
        var result = self
        for other in others {
            // In order, so that each run lists the clashes alike.
            let new = other.declared.sorted { $0.key < $1.key }.filter { result.declare($0.key, in: $0.value) }
            let added = Set(new.map(\.key))
            result.clashes += other.clashes
            result.sections += other.sections.filter { added.contains("the section \($0.key)") }
            result.routables += other.routables.filter { added.contains("the routable \($0.feature.id)") }
            result.asyncRoutables += other.asyncRoutables.filter { added.contains("the routable \($0.feature.id)") }
            result.allServices += other.allServices.filter { added.contains("the service \($0.name)") }
            result.allServices.sort { $0.name < $1.name }
            result.preconditions += other.preconditions.filter { added.contains("the precondition \($0.name)") }
            result.handlers += other.handlers.filter { added.contains("the handler \($0.name)") }
            result.attributes += other.attributes.filter { added.contains("the attribute \($0.name)") }
            result.dropped.formUnion(other.dropped)
            result = result.showing(screens: other.screens, tabs: other.tabs)
            result.defaultMarket = result.defaultMarket ?? other.defaultMarket
            result.secretPrefixes += other.secretPrefixes.filter { !result.secretPrefixes.contains($0) }
        }
        return result
    }

    /// States the screens and tabs of the app, so that `check` finds a name in a market that the app does not have.
    /// Those of the features are known.
    ///
    /// ```swift
    /// let module = MarketModule.shop.showing(screens: ["coupons", "flyer"], tabs: ["deals"])
    /// ```
    ///
    /// - Parameters:
    ///   - screens: The screens, in addition to those already stated.
    ///   - tabs: The tabs, in addition to those already stated.
    /// - Returns: The changed module.
    public func showing(screens: [String] = [], tabs: [String] = []) -> MarketModule {
        var result = self
        result.screens += screens.filter { !result.screens.contains($0) }
        result.tabs += tabs.filter { !result.tabs.contains($0) }
        return result
    }

    /// Replaces routables, services and preconditions. Traps if there is nothing to replace.
    ///
    /// - Parameters:
    ///   - routables: The new routables; each replaces the one with its feature's id, even an asynchronous one.
    ///   - asyncRoutables: The new asynchronous routables; each replaces the one with its feature's id, of either kind.
    ///   - services: The new services; each replaces the one with its type.
    ///   - preconditions: The new preconditions, such as those that determine themselves whether they are satisfied;
    ///     each replaces the one with its name.
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call.
    /// - Returns: The changed module.
    public func overriding(
        routables: [any MarketRoutable.Type] = [], asyncRoutables: [any AsyncMarketRoutable.Type] = [],
        services: [Service] = [], preconditions: [Precondition] = [],
        file: StaticString = #fileID, line: UInt = #line
    ) -> MarketModule {
        var result = self
        for new in routables {
            result.removeRoutable(new.feature.id, inFavorOf: "\(new)", "\(file):\(line)")
            result.routables.append(new)
        }
        for new in asyncRoutables {
            result.removeRoutable(new.feature.id, inFavorOf: "\(new)", "\(file):\(line)")
            result.asyncRoutables.append(new)
        }
        for new in services {
            guard let index = result.allServices.firstIndex(where: { $0.type == new.type }) else {
                let known = near(new.name, allServices.map(\.name))
                stop(
                    "\(new.site.file):\(new.site.line) overrides the service \(new.name), which \(name) does not "
                        + "have\(known)")
            }
            result.allServices[index] = new.overriding(result.allServices[index])
        }
        for new in preconditions {
            guard let index = result.preconditions.firstIndex(where: { $0.name == new.name }) else {
                let known = near(new.name, self.preconditions.map(\.name))
                stop(
                    "\(new.site.file):\(new.site.line) overrides the precondition \(new.name), which \(name) does not "
                        + "have\(known)")
            }
            result.preconditions[index] = new
        }
        return result
    }

    private mutating func removeRoutable(_ id: String, inFavorOf new: String, _ place: String) {
        guard routableIDs.contains(id) else {
            stop("\(place): \(new) overrides the routable \(id), which \(name) does not have\(near(id, routableIDs))")
        }
        routables.removeAll { $0.feature.id == id }
        asyncRoutables.removeAll { $0.feature.id == id }
    }

    /// Removes all services except these and those that they require, and everything that depends on the others.
    ///
    /// The sections and all names remain, so that the markets are those of the whole app. A routable or handler that
    /// `requires` a removed service no longer has links, but a market may still name it. A precondition that requires
    /// one is unmet until the app satisfies it.
    ///
    /// - Parameters:
    ///   - types: The types of the services. Traps if the module does not have one of them.
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call.
    /// - Returns: The smaller module.
    public func keeping(_ types: Any.Type..., file: StaticString = #fileID, line: UInt = #line) -> MarketModule {
        for type in types where !allServices.contains(where: { $0.type == type }) {
            let known = near("\(type)", allServices.map(\.name))
            stop("\(file):\(line): \(name) has no service \(type) to keep\(known)")
        }
        var wanted = types
        var kept: Set<ObjectIdentifier> = []
        while let type = wanted.popLast() {
            guard let service = allServices.first(where: { $0.type == type }),
                kept.insert(ObjectIdentifier(type)).inserted
            else { continue }
            wanted += service.requires
        }
        var result = self
        result.allServices = allServices.filter { kept.contains(ObjectIdentifier($0.type)) }
        result.dropped.formUnion(allServices.map { ObjectIdentifier($0.type) }.filter { !kept.contains($0) })
        result.preconditions = preconditions.map { result.omits(anyOf: $0.requires) ? $0.setByApp : $0 }
        return result
    }

    // MARK: Looking up

    /// The attributes of a situation: those of every market, and the module's.
    package var contextAttributes: [ContextAttribute] {
        let own = Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
        let standard = ContextAttribute.builtIn
        let names = Set(standard.map(\.name))
        return standard.map { own[$0.name] ?? $0 } + attributes.filter { !names.contains($0.name) }
    }

    /// Finds a service by its name.
    package func service(named name: String) -> Service? {
        allServices.first { !$0.isInternalValue && $0.name == name }
    }

    /// The types that a complete container provides, for `validate(requiring:)`.
    public var serviceTypes: [Any.Type] { services.map(\.type) }

    /// Whether any of these services was removed, so that code that requires them cannot be used.
    func omits(anyOf types: [Any.Type]) -> Bool {
        types.contains { dropped.contains(ObjectIdentifier($0)) }
    }

    /// The features of all routables, in the order of declaration.
    package var features: [Feature] { routables.map { $0.feature } + asyncRoutables.map { $0.feature } }

    private var routableIDs: [String] { features.map(\.id) }

    // MARK: Contradictions

    /// Verifies that every name is declared once.
    ///
    /// ```swift
    /// @Test func namesAreUnique() throws { try MarketModule.shop.validate() }
    /// ```
    ///
    /// Commands verify the module of their program before they use it.
    ///
    /// - Throws: An error that lists each name that is declared twice, with both places.
    public func validate() throws(NameClashes) {
        if !clashes.isEmpty { throw NameClashes(descriptions: clashes) }
    }

    /// The names that modules declare twice.
    public struct NameClashes: Error, Equatable, CustomStringConvertible {
        /// A sentence for each name: who declares it, and where.
        public let descriptions: [String]

        /// The sentences, one per line.
        public var description: String { descriptions.joined(separator: "\n") }
    }

    private mutating func declareRoutable(_ id: String, in place: String) -> Bool {
        requireName(id, "the routable", in: place)
        return declare("the routable \(id)", in: place)
    }

    private mutating func declareSection(_ key: String, in place: String) -> Bool {
        requireName(key, "the section", in: place)
        if MarketSchema.reservedKeys.contains(key) {
            stop("\(place) declares the section \(key), a key that every market has or will have; rename it")
        }
        return declare("the section \(key)", in: place)
    }

    private func requireName(_ text: String, _ kind: String, in place: String) {
        guard !StringFormat.identifier.matches(text) else { return }
        stop("\(place) declares \(kind) \(text.quotedForMessage); expected \(StringFormat.identifier.expectation)")
    }

    /// Notes a declaration. Returns whether it is the first of its name; another one is a clash.
    private mutating func declare(_ thing: String, in place: String) -> Bool {
        guard let other = declared[thing] else {
            declared[thing] = place
            return true
        }
        clashes.append("both \(other) and \(place) declare \(thing); rename one, or use overriding")
        return false
    }

    private func near(_ name: String, _ names: [String]) -> String {
        Suggestion.nearest(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
    }

    /// Reports a programming error, also in release builds, where `precondition` would omit the sentence.
    private func stop(_ sentence: String) -> Never { fatalError("MarketModule: \(sentence)") }  // not `precondition`
}

extension MarketModule {
    /// The services that a key configures.
    package func readers(of path: ConfigurationPath) -> [Service] {
        services.filter { service in
            service.reads(of: self).contains { $0.isPrefix(of: path) || path.isPrefix(of: $0) }
        }
    }
}

extension Service {
    /// The keys that configure the service: those that it declares, or otherwise the sections that it requires.
    fileprivate func reads(of module: MarketModule) -> [ConfigurationPath] {
        guard configuredBy.isEmpty else { return configuredBy }
        return module.sections.filter { section in requires.contains { $0 == section } }
            .map { ConfigurationPath([.key($0.key)]) }
    }
}

extension ConfigurationPath {
    /// Whether another path leads to this path's value or to one inside it.
    fileprivate func isPrefix(of other: ConfigurationPath) -> Bool {
        other.elements.starts(with: elements)
    }
}
