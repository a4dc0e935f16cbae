public import GlassPlatform

/// A user agent that a test decides.
public final class UserAgentProvidingMock: UserAgentProviding {
    /// The value of the `User-Agent` header.
    public let userAgent: String

    /// Creates a mock.
    ///
    /// - Parameter userAgent: The value of the `User-Agent` header.
    public init(userAgent: String = "Mock/1.0") {
        self.userAgent = userAgent
    }
}
