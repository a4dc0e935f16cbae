/// The limits on the values of a market, regardless of what it was read from.
package enum ConfigurationLimits {
    /// The maximum number of elements in a list, and of keys in a table.
    package static let maximumElements = 10_000
    /// The maximum length of a key, in bytes.
    package static let maximumKeyLength = 256
    /// The maximum nesting depth of tables and directives.
    package static let maximumLevels = 64
}
