public import Foundation
public import GlassPlatform

/// One environment whose base URLs a test decides.
public final class EnvironmentAPIMock: EnvironmentAPI {
    /// The name of the environment in use.
    public let current: String
    private let baseURLs: [String: URL]

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - current: The name of the environment in use.
    ///   - baseURLs: The base URL of each service.
    public init(current: String = "mock", baseURLs: [String: URL] = [:]) {
        self.current = current
        self.baseURLs = baseURLs
    }

    /// The one environment.
    public var names: [String] { [current] }
    /// The services with a base URL, in byte order.
    public var services: [String] { baseURLs.keys.sorted() }

    /// The base URL of a service.
    ///
    /// - Parameter service: The service's name.
    /// - Returns: The URL that the test gave.
    /// - Throws: ``GlassPlatform/EnvironmentError/unknownService(_:environment:services:)`` for any other service.
    public func baseURL(for service: String) throws(EnvironmentError) -> URL {
        guard let url = baseURLs[service] else {
            throw .unknownService(service, environment: current, services: services)
        }
        return url
    }
}
