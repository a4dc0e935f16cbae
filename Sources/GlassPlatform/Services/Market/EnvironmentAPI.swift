public import Foundation
public import GlassSchema

/// The environments of a market and the base URLs of their services.
public protocol EnvironmentAPI: ScriptCallable {
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
}

/// Why an environment has no answer.
public enum EnvironmentError: Error, Equatable, CustomStringConvertible {
    /// No service of that name.
    case unknownService(_ name: String, environment: String, services: [String])
    /// The market gives a text that is no URL. Validation refuses such a market before it is built.
    case malformedURL(_ text: String, service: String)

    /// What failed and what there is instead.
    public var description: String {
        switch self {
        case .unknownService(let name, let environment, let services):
            "environment \"\(environment)\" has no service \"\(name)\"; its services are "
                + services.joined(separator: ", ")
        case .malformedURL(let text, let service):
            "service \"\(service)\" has the base URL \"\(text)\", which is no URL"
        }
    }
}

extension EnvironmentAPI {
    /// `EnvironmentAPI`.
    public var scriptTypeName: String { "EnvironmentAPI" }

    /// The getters and `baseURL`.
    public var scriptMethods: [ScriptMethod] {
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
        ]
    }
}

/// The environments that the market declares, in its default one.
public final class EnvironmentPlatformAPI: EnvironmentAPI {
    /// What the market declares.
    public typealias Configurations = EnvironmentConfiguration

    private let configurations: Configurations

    /// Creates the service.
    ///
    /// - Parameter configurations: What the market declares.
    public init(configurations: Configurations) {
        self.configurations = configurations
    }

    /// The market's default environment.
    public var current: String { configurations.default }
    /// The names of all environments, in byte order.
    public var names: [String] { configurations.environments.keys.sorted() }
    /// The names of the services, in byte order.
    public var services: [String] { configurations.serviceNames }

    /// The base URL of a service in the environment in use.
    ///
    /// - Parameter service: The service's name.
    /// - Returns: The URL that paths are appended to.
    /// - Throws: ``EnvironmentError``.
    public func baseURL(for service: String) throws(EnvironmentError) -> URL {
        guard let text = configurations.environments[current]?.services[service] else {
            throw .unknownService(service, environment: current, services: services)
        }
        guard let url = URL(string: text) else { throw .malformedURL(text, service: service) }
        return url
    }
}
