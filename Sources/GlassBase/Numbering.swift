/// Distinct values, numbered from 0 in the order in which they first came.
///
/// Looks a value up by hash, as a dictionary does, and keeps the values in an array by number. It is cheaper than a
/// dictionary in a first load: the first dictionary with a new type of key makes the runtime search every conformance in the
/// process, half a million instructions on Linux. `Value` is unconstrained, so that there is no conformance to look for;
/// the compiler passes it to the methods.
@usableFromInline
package struct Numbering<Value> {
    /// The values by their numbers.
    @inlinable
    package var values: [Value] { stored }

    @usableFromInline var stored: [Value] = []
    /// Open addressing with linear probing: a value's number plus one, or 0 for a free slot. The number of slots is a power
    /// of two, and at least half of them are free, so every search ends.
    @usableFromInline var slots: [UInt32] = []

    /// No value yet.
    @inlinable
    package init() {}
}

extension Numbering where Value: Hashable {
    /// The number of a value, if it came before. O(1) on average.
    @inlinable
    package func number(of value: Value) -> Int? {
        guard !slots.isEmpty else { return nil }
        let slot = slot(of: value)
        return slots[slot] == 0 ? nil : Int(slots[slot]) - 1
    }

    /// Numbers a value, unless it came before.
    @inlinable
    @discardableResult
    package mutating func insert(_ value: Value) -> (isNew: Bool, number: Int) {
        if slots.count < 2 * (stored.count + 1) { grow() }
        let slot = slot(of: value)
        if slots[slot] != 0 { return (false, Int(slots[slot]) - 1) }
        stored.append(value)
        slots[slot] = UInt32(stored.count)
        return (true, stored.count - 1)
    }

    /// The slot of a value, or the free one where it belongs.
    @inlinable
    func slot(of value: Value) -> Int {
        var slot = value.hashValue & (slots.count - 1)
        while slots[slot] != 0, stored[Int(slots[slot]) - 1] != value { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    @inlinable
    mutating func grow() {
        slots = Array(repeating: 0, count: max(16, 2 * slots.count))
        for (number, value) in stored.enumerated() { slots[slot(of: value)] = UInt32(number + 1) }
    }
}

extension Numbering: Sendable where Value: Sendable {}
