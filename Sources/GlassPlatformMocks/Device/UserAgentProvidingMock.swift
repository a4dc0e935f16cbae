import GlassPlatform

/// A user agent that a test defines.
package final class UserAgentProvidingMock: UserAgentProviding {
    /// The value of the `User-Agent` header.
    package let userAgent: String

    /// Creates a mock.
    package init(userAgent: String = "Mock/1.0") {
        self.userAgent = userAgent
    }
}
