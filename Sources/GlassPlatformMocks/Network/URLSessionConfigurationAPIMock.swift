public import GlassPlatform

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Configurations that a test decides; by default ephemeral ones.
public final class URLSessionConfigurationAPIMock: URLSessionConfigurationAPI {
    private let make: @Sendable () -> URLSessionConfiguration

    /// Creates a mock.
    ///
    /// - Parameter make: Makes a configuration on each call.
    public init(make: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }) {
        self.make = make
    }

    /// A new configuration.
    ///
    /// - Returns: What the test decided.
    public func makeConfiguration() -> URLSessionConfiguration { make() }
}
