package import Foundation
package import GlassPlatform

/// Environments whose base URLs a test defines.
package final class EnvironmentAPIMock: EnvironmentAPI {
    /// The names of all environments, in byte order.
    package let names: [String]
    /// The given problem. The mock itself stores nothing.
    package let startProblem: EnvironmentError?
    private let baseURLs: [String: URL]
    private let used: ObservedValue<String>

    /// Creates a mock.
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
    package func baseURL(for service: String) throws(EnvironmentError) -> URL {
        guard let url = baseURLs[service] else {
            throw .unknownService(service, environment: current, services: services)
        }
        return url
    }

    /// Switches to another environment.
    package func switchTo(_ name: String) throws(EnvironmentError) {
        guard names.contains(name) else { throw .unknownEnvironment(name, environments: names) }
        used.set(name)
    }

    /// The name of the environment in use, followed by each environment that is switched to.
    package func changes() -> AsyncStream<String> { used.changes() }
}
