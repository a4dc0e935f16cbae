/// A value that JSON output shows as `null` when it is absent, so that every object of a kind has the same keys.
@propertyWrapper
package struct Nullable<Value: Encodable>: Encodable {
    /// The value.
    package var wrappedValue: Value?

    /// Wraps a value.
    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Writes the value, or null.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}
