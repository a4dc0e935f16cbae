/// A value that is single or a table, as ``StructuralDifference`` compares them: what a market file says, or what a script
/// has.
package protocol StructuredValue: Sendable {
    /// A key of a table.
    associatedtype FieldKey: Hashable
    /// What a single value is told from others by.
    associatedtype Identity: Hashable

    /// The elements of a table's list, which may be none; nil for a single value.
    var listElements: [Self]? { get }
    /// The other entries of a table, in the order in which they are shown.
    var fields: [(key: FieldKey, value: Self)] { get }
    /// What a single value is told from others by; nil for a table, and for what only its own kind can compare.
    var identity: Identity? { get }
    /// How a single value names the element of a list that it stands in; nil for one that names nothing.
    var label: String? { get }
    /// How much work comparing it is, where it is single.
    var steps: Int { get }

    /// The value of a text key; nil where there is none.
    func field(named name: String) -> Self?
    /// Whether two single values are the same.
    func isSame(as other: Self) -> Bool
    /// How a path goes on to a key: `.name` or `["a b"]`.
    static func step(to key: FieldKey) -> String
}
