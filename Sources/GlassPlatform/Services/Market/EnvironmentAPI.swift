public import Foundation
import GlassBase
public import GlassContainer
import GlassDeepLinking
public import GlassMarkets
package import GlassSchema

/// The environments of a market and the base URLs of their services.
public protocol EnvironmentAPI: AnyObject, Sendable {
    /// The name of the environment in use.
    var current: String { get }
    /// The names of all environments, in byte order.
    var names: [String] { get }
    /// The names of the services of the environment in use, in byte order.
    var services: [String] { get }
    /// The base URL of a service in the environment in use.
    ///
    /// - Parameter service: The service's name.
    /// - Returns: The URL that paths are appended to.
    /// - Throws: ``EnvironmentError/unknownService(_:environment:services:)``.
    func baseURL(for service: String) throws(EnvironmentError) -> URL

    /// Switches to another environment, now and for later launches.
    ///
    /// - Parameter name: The environment's name.
    /// - Throws: ``EnvironmentError/unknownEnvironment(_:environments:)``, or
    ///   ``EnvironmentError/notPersisted(_:cause:)`` if the choice could not be stored. In both cases, nothing changes.
    func switchTo(_ name: String) throws(EnvironmentError)

    /// The name of the environment in use, followed by each environment that is switched to.
    ///
    /// - Returns: A sequence for one listener. It ends when the service is disposed of or released. A slow listener
    ///   loses the oldest names.
    func changes() -> AsyncStream<String>

    /// The reason why the app did not start in the stored environment; `nil` if it did, or if no environment was
    /// stored.
    var startProblem: EnvironmentError? { get }
}

/// The reason why an environment operation failed.
public enum EnvironmentError: DescriptiveError {
    /// There is no service with that name.
    case unknownService(_ name: String, environment: String, services: [String])
    /// The market contains a string that is not a URL. Validation rejects such a market before it is built.
    case malformedURL(_ text: String, service: String)
    /// There is no environment with that name.
    case unknownEnvironment(_ name: String, environments: [String])
    /// The choice could not be stored.
    case notPersisted(_ name: String, cause: any Error)
    /// The market no longer has the stored environment, so the default one is used.
    case storedEnvironmentMissing(_ name: String, using: String)
    /// The stored environment could not be read, so the default one is used.
    case unreadable(using: String, cause: any Error)

    /// The problem and, for an unknown name, the available ones.
    public var description: String {
        switch self {
        case .unknownService(let name, let environment, let services):
            "environment \"\(environment)\" has no service \"\(name)\"; its services are "
                + services.joined(separator: ", ")
        case .malformedURL(let text, let service):
            "service \"\(service)\" has the base URL \"\(text)\", which is not a valid URL"
        case .unknownEnvironment(let name, let environments):
            "there is no environment \(name.quotedForMessage); the environments are "
                + environments.joined(separator: ", ")
        case .notPersisted(let name, let cause):
            "did not switch to \"\(name)\", because the choice could not be stored: \(cause)"
        case .storedEnvironmentMissing(let name, let used):
            "the environment \(name.quotedForMessage) was in use, but this market no longer has it; using \"\(used)\""
        case .unreadable(let used, let cause):
            "the last environment could not be read: \(cause); using \"\(used)\""
        }
    }
}

extension EnvironmentError: Equatable {
    /// Whether both have the same description, because causes cannot be compared in general.
    public static func == (left: EnvironmentError, right: EnvironmentError) -> Bool {
        left.description == right.description
    }
}

extension EnvironmentAPI {
    /// The getters, and the script methods `baseURL` and `switchTo`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("current", [], "The name of the environment in use.") { _ in .string(self.current) },
            ScriptMethod("names", [], "The names of all environments.") { _ in
                .list(self.names.map { .string($0) })
            },
            ScriptMethod("services", [], "The names of the services.") { _ in
                .list(self.services.map { .string($0) })
            },
            ScriptMethod("baseURL", ["service"], "The base URL of a service.") { arguments in
                .string(try self.baseURL(for: try arguments.string(0, "service")).absoluteString)
            },
            ScriptMethod("switchTo", ["name"], "Switches to another environment, now and for later launches.") {
                arguments in
                try self.switchTo(try arguments.string(0, "name"))
                return .nil
            },
            ScriptMethod("startProblem", [], "The reason why the stored environment is not in use, or nil.") { _ in
                self.startProblem.map { .string($0.description) } ?? .nil
            },
        ]
    }
}

/// The environments that the market declares. The service starts in the one that was used last.
///
/// ```swift
/// let environments = EnvironmentPlatformAPI(configurations: config.environment, storage: storage)
/// try environments.switchTo("staging")
/// print(try environments.baseURL(for: "orchestra"))
/// ```
///
/// An app and its extensions share the stored environment. Each reads it when it creates the service.
public final class EnvironmentPlatformAPI: EnvironmentAPI, Disposable {
    /// The market's declaration.
    public typealias Configurations = EnvironmentConfiguration

    private struct Start: Sendable {
        let used: ObservedValue<String>
        let problem: EnvironmentError?
    }

    /// The reason why the app did not start in the stored environment.
    public var startProblem: EnvironmentError? { start.problem }
    private let configurations: Configurations
    private let recall: @Sendable () throws -> String?
    private let remember: @Sendable (String) throws -> Void
    private let started = Lock<Start?>(nil)
    private var used: ObservedValue<String> { start.used }
    /// The number of switches. Locked while the choice is stored, so that the last stored environment is the one in
    /// use. A storage notifies its listeners on a separate thread, so none of them calls back here while the lock is
    /// held.
    private let switches = Lock(0)

    /// Creates the service.
    ///
    /// If the market no longer has the stored environment, that environment stays stored until the next switch. The
    /// default one is used, and ``startProblem`` and the log report this.
    ///
    /// - Parameters:
    ///   - configurations: The market's declaration.
    ///   - storage: Stores the environment. Without a storage, each launch starts in the default environment.
    ///   - application: Separates the choices of apps that share a storage, such as a bundle identifier.
    public convenience init(
        configurations: Configurations, storage: (any StorageAPI)? = nil, application: String = "app"
    ) {
        let key = StorageKey<String>("environment", application)
        self.init(
            configurations: configurations, recall: { try storage?.value(for: key) },
            remember: { try storage?.set($0, for: key) })
    }

    /// Creates the service with custom persistence.
    convenience init(
        configurations: Configurations, recall: @escaping @Sendable () throws -> String?,
        remember: @escaping @Sendable (String) throws -> Void
    ) {
        self.init(configurations: configurations, lateRecall: recall, remember: remember)
        _ = start
    }

    /// Creates the service with the storage of a container, or the default one, which is read when the environment is
    /// first asked for. The choice is that of the app that the container names at that time.
    convenience init(_ container: LateContainer, configurations: Configurations) {
        let storage = LateStorage(container)
        let key: @Sendable () -> StorageKey<String> = {
            let app =
                container.get((any AppInfoAPI).self)?.bundleIdentifier
                ?? container.get(PlatformConfig.self)?.appInfo.bundleIdentifier ?? ""
            return StorageKey("environment", app.isEmpty ? "app" : app)
        }
        self.init(
            configurations: configurations, lateRecall: { try storage.value(for: key()) },
            remember: { try storage.set($0, for: key()) })
    }

    private init(
        configurations: Configurations, lateRecall recall: @escaping @Sendable () throws -> String?,
        remember: @escaping @Sendable (String) throws -> Void
    ) {
        self.configurations = configurations
        self.recall = recall
        self.remember = remember
    }

    /// The environment at the start, read on first use.
    private var start: Start {
        if let known = started.withLock({ $0 }) { return known }
        // Read without the lock, because this may run factories of the app; another thread may be first.
        let read = readStart()
        let (start, isNew) = started.withLock { started in
            let (start, isNew) = (started ?? read, started == nil)
            started = start
            return (start, isNew)
        }
        if isNew, let problem = start.problem { SafeLogger(label: "glass.environment").warning("\(problem)") }
        return start
    }

    private func readStart() -> Start {
        var current = configurations.default
        var problem: EnvironmentError?
        do {
            if let remembered = try recall() {
                if configurations.environments[remembered] != nil {
                    current = remembered
                } else {
                    problem = .storedEnvironmentMissing(remembered, using: current)
                }
            }
        } catch {
            problem = .unreadable(using: current, cause: error)
        }
        return Start(used: ObservedValue(current), problem: problem)
    }

    /// The environment in use.
    public var current: String { used.value }
    /// The names of all environments, in byte order.
    public var names: [String] { configurations.environments.keys.sorted() }
    /// The names of the services of the environment in use, in byte order.
    public var services: [String] { services(of: current) }

    /// The base URL of a service in the environment in use.
    ///
    /// - Parameter service: The service's name.
    /// - Returns: The URL that paths are appended to.
    /// - Throws: ``EnvironmentError``.
    public func baseURL(for service: String) throws(EnvironmentError) -> URL {
        // Read it once, because the environment may change in the meantime.
        let current = current
        guard let text = configurations.environments[current]?.services[service] else {
            throw .unknownService(service, environment: current, services: services(of: current))
        }
        guard let url = URL(string: text) else { throw .malformedURL(text, service: service) }
        return url
    }

    /// Switches to another environment, now and for later launches.
    ///
    /// - Parameter name: The environment's name.
    /// - Throws: ``EnvironmentError``, in which case nothing changes.
    public func switchTo(_ name: String) throws(EnvironmentError) {
        guard configurations.environments[name] != nil else {
            throw .unknownEnvironment(name, environments: names)
        }
        let used = used  // read without the lock, see `start`
        try switches.withLock { count throws(EnvironmentError) in
            do {
                try remember(name)
            } catch {
                throw .notPersisted(name, cause: error)
            }
            used.set(name)
            count += 1
        }
    }

    /// The name of the environment in use, followed by each environment that is switched to.
    ///
    /// - Returns: A sequence for one listener. It ends when the service is disposed of or released.
    public func changes() -> AsyncStream<String> { used.changes() }

    /// Ends the sequences.
    public func dispose() { started.withLock { $0 }?.used.finish() }

    private func services(of environment: String) -> [String] {
        configurations.environments[environment].map { $0.services.keys.sorted() } ?? []
    }
}
