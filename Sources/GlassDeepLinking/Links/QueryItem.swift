/// One `name=value` pair of a link's query, decoded.
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

    /// The item as `name=value`, not escaped.
    public var description: String {
        value.map { "\(name)=\($0)" } ?? name
    }
}
