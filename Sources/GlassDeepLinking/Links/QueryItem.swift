/// A decoded `name=value` pair of a link's query.
public struct QueryItem: Sendable, Hashable, CustomStringConvertible {
    /// The decoded name; empty for `=value`.
    public let name: String

    /// The decoded value: `nil` for an item without `=`, empty for `name=`.
    public let value: String?

    /// Creates an item.
    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// The item as `name=value`, unescaped.
    public var description: String {
        value.map { "\(name)=\($0)" } ?? name
    }
}
