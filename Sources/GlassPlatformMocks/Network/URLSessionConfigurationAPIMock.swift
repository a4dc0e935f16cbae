import GlassPlatform

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Configurations that a test decides; by default ephemeral ones.
package final class URLSessionConfigurationAPIMock: URLSessionConfigurationAPI {
    private let make: @Sendable () -> URLSessionConfiguration

    /// Creates a mock.
    package init(make: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }) {
        self.make = make
    }

    /// A new configuration.
    package func makeConfiguration() -> URLSessionConfiguration { make() }
}
