/// How large the values of a market may be, whatever it was read from.
package enum ConfigurationLimits {
    /// The most elements of a list, and the most keys of a table.
    package static let maximumElements = 10_000
    /// The longest key, in bytes.
    package static let maximumKeyLength = 256
    /// How deep tables and words may nest.
    package static let maximumLevels = 64
}
