/// A single value or a table that ``StructuralDifference`` can compare: a value of a market file or of a script.
package protocol StructuredValue: Sendable {
    /// A key of a table.
    associatedtype FieldKey: Hashable
    /// The identity of a single value.
    associatedtype Identity: Hashable

    /// The list elements of a table, which may be empty; nil for a single value.
    var listElements: [Self]? { get }
    /// The other entries of a table, in display order.
    var fields: [(key: FieldKey, value: Self)] { get }
    /// The identity of a single value; nil for a table, and for a value that only its own kind can compare.
    var identity: Identity? { get }
    /// The label that a single value gives to the list element that contains it; nil if it cannot serve as a label.
    var label: String? { get }
    /// The number of steps to compare a single value.
    var steps: Int { get }

    /// The value of a string key; nil if it is absent.
    func field(named name: String) -> Self?
    /// Whether two single values are equal.
    func isSame(as other: Self) -> Bool
    /// The path component for a key: `.name` or `["a b"]`.
    static func step(to key: FieldKey) -> String
}

extension StructuredValue {
    /// The keys that can identify a table in a list; the first one that fits is used.
    package static var identifyingKeys: [String] { ["id", "key", "code", "name", "value"] }
}
