import GlassPlatform

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Configurations that a test provides. By default, they are ephemeral.
package final class URLSessionConfigurationAPIMock: URLSessionConfigurationAPI {
    private let make: @Sendable () -> URLSessionConfiguration

    /// Creates a mock.
    package init(make: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }) {
        self.make = make
    }

    /// Returns a new configuration.
    package func makeConfiguration() -> URLSessionConfiguration { make() }
}
