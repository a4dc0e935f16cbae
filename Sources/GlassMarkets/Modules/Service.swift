public import GlassContainer
public import GlassSchema

/// A service of a module: its type, its requirements, and how it is created. The container of each market provides it.
///
/// ```swift
/// Service(
///     (any LoyaltyAPI).self, requires: [LoyaltyConfiguration.self, (any Networking).self], isExternal: true,
///     "Counts points."
/// ) { c in LiveLoyalty(configuration: c.get(), networking: c.get()) }
/// ```
///
/// A service that conforms to `ScriptCallable` is what `container:get("LoyaltyAPI")` returns in a script. A service
/// that overrides one of the platform has the methods of that service without conforming. If it conforms, its own
/// methods are added, and replace those with the same name.
public struct Service: Sendable {
    /// The type under which it is registered: a protocol.
    public let type: Any.Type
    /// The type's name, by which scripts and tables refer to the service.
    public let name: String
    /// A one-line description.
    package let summary: String
    /// The types that it takes from the container when it is created: services, and sections of the market.
    package let requires: [Any.Type]
    /// The keys of a market that configure it.
    package let configuredBy: [ConfigurationPath]
    /// Whether it is created with a child container of its own.
    package let usesChildContainer: Bool
    /// Whether it accesses external systems, so that scripts and tests get its mock.
    package let isExternal: Bool
    /// Whether it is only a value from which other services are created, so that scripts and listings omit it.
    package let isInternalValue: Bool
    /// The position of its declaration.
    let site: (file: StaticString, line: UInt)
    private let registration: @Sendable (Container) -> Void
    private let lookUp: @Sendable (Container) -> Any?
    /// The methods that a script can call on a service that does not provide them itself.
    private var scriptMethods: (@Sendable (Any) -> [ScriptMethod]?)?

    /// Declares a service that each container creates once, when it is first needed.
    ///
    /// - Parameters:
    ///   - type: The type under which it is registered: a protocol.
    ///   - usesChildContainer: Whether it is created with a child container of its own. Anything that it registers
    ///     there is private to it.
    ///   - requires: The types that it takes from the container when it is created. `check` finds missing and circular
    ///     requirements without creating anything.
    ///   - configuredBy: The keys of a market that configure it, for listings.
    ///   - isExternal: Whether it accesses external systems, so that scripts and tests get its mock.
    ///   - summary: A one-line description.
    ///   - file: The file of the declaration, for messages.
    ///   - line: The line of the declaration.
    ///   - make: Creates the service. It is called on the thread that first needs the service.
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

    /// Declares a service of the platform, whose protocol does not depend on scripts.
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

    /// Declares a value from which other services are created, such as one that the program decides.
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

    /// The area that it belongs to: the name of the file that declares it, without the suffix `Services`.
    package var area: String {
        let file = "\(site.file)".split(separator: "/").last ?? ""
        let name = file.hasSuffix(".swift") ? file.dropLast(6) : file
        return String(name.hasSuffix("Services") && name != "Services" ? name.dropLast(8) : name)
    }

    /// The service in a container.
    ///
    /// - Parameter container: The container.
    /// - Returns: The service, created if necessary; nil if the container does not have it.
    public func resolve(in container: Container) -> Any? { lookUp(container) }

    /// The service in a container, as it is passed to a script.
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

    /// The service in place of another one with its type, whose methods scripts can still call.
    func overriding(_ other: Service) -> Service {
        var service = self
        service.scriptMethods = scriptMethods ?? other.scriptMethods
        return service
    }

    /// Registers the service, replacing one with the same type. Creates nothing.
    package func register(in container: Container) { registration(container) }
}

/// A service whose protocol does not depend on scripts, with the methods that a script can call.
private final class ScriptedService: ScriptCallable {
    let scriptTypeName: String
    let scriptMethods: [ScriptMethod]

    init(scriptTypeName: String, scriptMethods: [ScriptMethod]) {
        self.scriptTypeName = scriptTypeName
        self.scriptMethods = scriptMethods
    }
}
