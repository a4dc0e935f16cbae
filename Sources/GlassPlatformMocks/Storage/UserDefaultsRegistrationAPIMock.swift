import GlassPlatform
package import GlassSchema

/// User defaults in memory.
package final class UserDefaultsRegistrationAPIMock: UserDefaultsRegistrationAPI {
    /// The suite's name.
    package let suite: String
    private let values: [String: ConfigurationScalar]

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - suite: The suite's name.
    ///   - values: The values by key.
    package init(suite: String = "mock", values: [String: ConfigurationScalar] = [:]) {
        self.suite = suite
        self.values = values
    }

    /// The keys with a value, in byte order.
    package var registeredKeys: [String] { values.keys.sorted() }

    /// The value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: What the test gave, or nil.
    package func value(for key: String) -> ConfigurationScalar? { values[key] }
}
