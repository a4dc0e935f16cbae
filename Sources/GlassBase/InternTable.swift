/// Distinct values, numbered from 0 in insertion order.
package struct InternTable<Value: Hashable> {
    /// The values by number.
    package private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    /// Creates an empty table.
    package init() {}

    /// The number of a value, or nil if the table does not contain it. O(1) on average.
    package func number(of value: Value) -> Int? { numbers[value] }

    /// Adds a value, or finds the number of an equal one. O(1) on average.
    @discardableResult
    package mutating func insert(_ value: Value) -> (isNew: Bool, number: Int) {
        if let number = numbers[value] { return (false, number) }
        numbers[value] = values.count
        values.append(value)
        return (true, values.count - 1)
    }
}

extension InternTable: Sendable where Value: Sendable {}
