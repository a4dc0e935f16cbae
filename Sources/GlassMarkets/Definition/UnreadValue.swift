package import GlassSchema

/// A value that a section stores unread. A reader that knows the whole market interprets it.
package struct UnreadValue: ConfigurationRepresentable, Equatable {
    /// The value.
    package let value: ConfigurationValue

    /// No value, for a key that has not been read.
    static let none = UnreadValue(validated: .emptyTable)

    /// Any value.
    package static var valueType: ValueType { .data }
    /// Keeps the value.
    package init(validated value: ConfigurationValue) { self.value = value }
    /// The value.
    package var configurationValue: ConfigurationValue { value }
}
