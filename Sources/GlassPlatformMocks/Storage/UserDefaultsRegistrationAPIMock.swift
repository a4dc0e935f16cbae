public import GlassPlatform
public import GlassSchema

/// User defaults in memory.
public final class UserDefaultsRegistrationAPIMock: UserDefaultsRegistrationAPI {
    /// The suite's name.
    public let suite: String
    private let values: [String: ConfigurationScalar]

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - suite: The suite's name.
    ///   - values: The values by key.
    public init(suite: String = "mock", values: [String: ConfigurationScalar] = [:]) {
        self.suite = suite
        self.values = values
    }

    /// The keys with a value, in byte order.
    public var registeredKeys: [String] { values.keys.sorted() }

    /// The value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: What the test gave, or nil.
    public func value(for key: String) -> ConfigurationScalar? { values[key] }
}
