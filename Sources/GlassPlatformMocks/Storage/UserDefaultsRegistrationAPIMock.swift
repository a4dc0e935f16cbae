import GlassPlatform
package import GlassSchema

/// User defaults in memory.
package final class UserDefaultsRegistrationAPIMock: UserDefaultsRegistrationAPI {
    /// The suite's name.
    package let suite: String
    private let values: [String: ConfigurationScalar]

    /// Creates a mock.
    package init(suite: String = "mock", values: [String: ConfigurationScalar] = [:]) {
        self.suite = suite
        self.values = values
    }

    /// The keys with a value, in byte order.
    package var registeredKeys: [String] { values.keys.sorted() }

    /// The value of a key.
    package func value(for key: String) -> ConfigurationScalar? { values[key] }
}
