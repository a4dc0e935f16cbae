/// Distinct values, numbered from 0 in the order in which they first came.
///
/// It finds a value's number by hash as a dictionary would, and has the values by their numbers. A load prefers it to a
/// dictionary for another reason too: the first use of a dictionary with a new kind of key has the runtime search all
/// conformances of the process for the key's, half a million instructions on Linux in each new process. The parameter is
/// unconstrained, so that nobody asks the runtime; the methods are given the conformance by the compiler.
@usableFromInline
package struct Numbering<Value> {
    /// The values by their numbers.
    @inlinable
    package var values: [Value] { stored }

    @usableFromInline var stored: [Value] = []
    /// Open addressing with linear probing: a value's number plus one, or 0 in a free slot. A power of two of slots, of
    /// which at least a half is free, so that a search ends.
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
    ///
    /// - Parameter value: The value.
    /// - Returns: Its number, and whether that is new.
    /// - Complexity: O(1) on average.
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
