public import GlassContainer
public import GlassSchema

/// A service of a module: its type, what it needs, and how it is made. The container of each market has it.
///
/// ```swift
/// Service(
///     (any LoyaltyAPI).self, requires: [LoyaltyConfiguration.self, (any Networking).self], isExternal: true,
///     "Counts points."
/// ) { c in LiveLoyalty(configuration: c.get(), networking: c.get()) }
/// ```
///
/// A service that conforms to `ScriptCallable` is what `container:get("LoyaltyAPI")` answers in a script. One that overrides
/// a service of the platform has that service's methods without conforming. If it conforms, its own methods are added, and
/// replace those of the same name.
public struct Service: Sendable {
    /// The type by which it is registered: a protocol.
    public let type: Any.Type
    /// The type's name, by which scripts and tables know the service.
    public let name: String
    /// What it is for, in one line.
    package let summary: String
    /// The types that it takes from the container when it is made: services, and sections of the market.
    package let requires: [Any.Type]
    /// The keys of a market that configure it.
    package let configuredBy: [ConfigurationPath]
    /// Whether it is made with a child container of its own.
    package let usesChildContainer: Bool
    /// Whether it reaches beyond the machine, so that scripts and tests get its mock.
    package let isExternal: Bool
    /// Whether other services are made from it, so that scripts and listings leave it out.
    package let isInternalValue: Bool
    /// Where it was declared.
    let site: (file: StaticString, line: UInt)
    private let registration: @Sendable (Container) -> Void
    private let lookUp: @Sendable (Container) -> Any?
    /// What a script can call of a service that does not say so itself.
    private var scriptMethods: (@Sendable (Any) -> [ScriptMethod]?)?

    /// Describes a service that each container makes once, when it is first asked for.
    ///
    /// - Parameters:
    ///   - type: The type by which it is registered: a protocol.
    ///   - usesChildContainer: Whether it is made with a child container of its own; what it registers there is private to it.
    ///   - requires: The types that it takes from the container when it is made; `check` finds what is missing or
    ///     circular among them without making anything.
    ///   - configuredBy: The keys of a market that configure it, for listings.
    ///   - isExternal: Whether it reaches beyond the machine, so that scripts and tests get its mock.
    ///   - summary: What it is for, in one line.
    ///   - file: Where it is declared, for messages.
    ///   - line: The line.
    ///   - make: Makes the service. It is called on the thread that first asks for the service.
    public init<S: SendableMetatype>(
        _ type: S.Type, usesChildContainer: Bool = false, requires: [Any.Type] = [],
        configuredBy: [ConfigurationPath] = [], isExternal: Bool = false, _ summary: String,
        file: StaticString = #fileID, line: UInt = #line,
        make: @escaping @Sendable (Container) throws -> S
    ) {
        self.init(
            type, requires: requires, configuredBy: configuredBy, usesChildContainer: usesChildContainer,
            isExternal: isExternal, isInternalValue: false, summary, file: file, line: line, make: make)
    }

    /// Describes a service of the platform, whose protocol knows nothing of scripts.
    package init<S: SendableMetatype>(
        _ type: S.Type, script: @escaping @Sendable (S) -> [ScriptMethod], usesChildContainer: Bool = false,
        requires: [Any.Type] = [], configuredBy: [ConfigurationPath] = [], isExternal: Bool = false,
        _ summary: String, file: StaticString = #fileID, line: UInt = #line,
        make: @escaping @Sendable (Container) throws -> S
    ) {
        self.init(
            type, usesChildContainer: usesChildContainer, requires: requires, configuredBy: configuredBy,
            isExternal: isExternal, summary, file: file, line: line, make: make)
        scriptMethods = { service in (service as? S).map(script) }
    }

    /// Describes a value that other services are made from, such as what the program decides.
    package static func setting<S: SendableMetatype>(
        _ type: S.Type, _ summary: String, file: StaticString = #fileID, line: UInt = #line,
        make: @escaping @Sendable (Container) throws -> S
    ) -> Service {
        Service(
            type, requires: [MarketDefinition.self], configuredBy: [], usesChildContainer: false, isExternal: false,
            isInternalValue: true, summary, file: file, line: line, make: make)
    }

    private init<S: SendableMetatype>(
        _ type: S.Type, requires: [Any.Type], configuredBy: [ConfigurationPath], usesChildContainer: Bool,
        isExternal: Bool, isInternalValue: Bool, _ summary: String, file: StaticString, line: UInt,
        make: @escaping @Sendable (Container) throws -> S
    ) {
        self.type = type
        name = "\(type)"
        self.summary = summary
        self.requires = requires
        self.configuredBy = configuredBy
        self.usesChildContainer = usesChildContainer
        self.isExternal = isExternal
        self.isInternalValue = isInternalValue
        site = (file, line)
        registration = { container in
            if usesChildContainer {
                container.registerProvidingChild(type, requires: requires, file: file, line: line, make)
            } else {
                container.register(type, requires: requires, file: file, line: line, make)
            }
        }
        lookUp = { $0.getIfRegistered(type) }
    }

    /// The area that it belongs to: the file that declares it, without `Services` at the end of its name.
    package var area: String {
        let file = "\(site.file)".split(separator: "/").last ?? ""
        let name = file.hasSuffix(".swift") ? file.dropLast(6) : file
        return String(name.hasSuffix("Services") && name != "Services" ? name.dropLast(8) : name)
    }

    /// The service in a container.
    ///
    /// - Parameter container: The container.
    /// - Returns: The service, which is made if necessary; nil when the container does not have it.
    public func resolve(in container: Container) -> Any? { lookUp(container) }

    /// The service in a container, as a script sees it.
    package func scriptObject(in container: Container) -> (any ScriptCallable)? {
        guard let service = lookUp(container) else { return nil }
        let own = service as? any ScriptCallable
        guard let methods = scriptMethods?(service) else { return own }
        let supplied = own?.scriptMethods ?? []
        let taken = Set(supplied.map(\.name))
        return ScriptedService(
            scriptTypeName: own?.scriptTypeName ?? name,
            scriptMethods: supplied + methods.filter { !taken.contains($0.name) })
    }

    /// The service in the place of another one of its type, whose methods scripts go on calling.
    func overriding(_ other: Service) -> Service {
        var service = self
        service.scriptMethods = scriptMethods ?? other.scriptMethods
        return service
    }

    /// Registers the service, replacing one of the same type. Makes nothing.
    package func register(in container: Container) { registration(container) }
}

/// A service whose protocol knows nothing of scripts, with what a script can call of it.
private final class ScriptedService: ScriptCallable {
    let scriptTypeName: String
    let scriptMethods: [ScriptMethod]

    init(scriptTypeName: String, scriptMethods: [ScriptMethod]) {
        self.scriptTypeName = scriptTypeName
        self.scriptMethods = scriptMethods
    }
}
