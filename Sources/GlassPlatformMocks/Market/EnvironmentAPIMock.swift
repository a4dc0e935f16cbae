package import Foundation
package import GlassPlatform

/// Environments whose base URLs a test decides.
package final class EnvironmentAPIMock: EnvironmentAPI {
    /// The names of all environments, in byte order.
    package let names: [String]
    /// Nil: a mock remembers nothing.
    package let startProblem: EnvironmentError?
    private let baseURLs: [String: URL]
    private let used: ObservedValue<String>

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - current: The name of the environment in use.
    ///   - others: The environments that it can be switched to; their services have the same base URLs.
    ///   - baseURLs: The base URL of each service.
    ///   - startProblem: What the mock says about its start.
    package init(
        current: String = "mock", others: [String] = ["other"], baseURLs: [String: URL] = [:],
        startProblem: EnvironmentError? = nil
    ) {
        names = ([current] + others).sorted()
        used = ObservedValue(current)
        self.baseURLs = baseURLs
        self.startProblem = startProblem
    }

    /// The name of the environment in use.
    package var current: String { used.value }
    /// The services with a base URL, in byte order.
    package var services: [String] { baseURLs.keys.sorted() }

    /// The base URL of a service.
    ///
    /// - Parameter service: The service's name.
    /// - Returns: The URL that the test gave.
    /// - Throws: `EnvironmentError.unknownService(_:environment:services:)` for any other service.
    package func baseURL(for service: String) throws(EnvironmentError) -> URL {
        guard let url = baseURLs[service] else {
            throw .unknownService(service, environment: current, services: services)
        }
        return url
    }

    /// Uses another environment.
    ///
    /// - Parameter name: The environment's name.
    /// - Throws: `EnvironmentError.unknownEnvironment(_:environments:)`.
    package func switchTo(_ name: String) throws(EnvironmentError) {
        guard names.contains(name) else { throw .unknownEnvironment(name, environments: names) }
        used.set(name)
    }

    /// The name of the environment in use and then of each that is switched to.
    ///
    /// - Returns: A sequence for one listener; it ends when the mock goes.
    package func changes() -> AsyncStream<String> { used.changes() }
}
