@testable import GlassBase
import TestSupport
import Testing

struct InternTableTests {
    @Test func valuesAreNumberedInOrderOfInsertion() {
        var numbering = InternTable<[UInt8]>()
        #expect(numbering.number(of: [1]) == nil)
        #expect(numbering.insert([1]) == (true, 0))
        #expect(numbering.insert([2, 2]) == (true, 1))
        #expect(numbering.insert([1]) == (false, 0))
        #expect(numbering.insert([]) == (true, 2))
        #expect(numbering.values == [[1], [2, 2], []])
        #expect(numbering.number(of: [2, 2]) == 1)
        #expect(numbering.number(of: [3]) == nil)
    }

    /// More than half of the draws repeat an earlier value; a dictionary has the expected numbers.
    @Test func valuesKeepTheirNumbersDuringGrowth() {
        var numbering = InternTable<Int>()
        var expected: [Int: Int] = [:]
        var random = SplitMix64(state: 1)
        for _ in 0..<20_000 {
            let value = Int.random(in: 0..<10_000, using: &random)
            let known = expected[value]
            let (isNew, number) = numbering.insert(value)
            #expect(isNew == (known == nil))
            #expect(number == known ?? expected.count)
            expected[value] = number
        }
        #expect(numbering.values.count == expected.count)
        for value in 0..<10_000 { #expect(numbering.number(of: value) == expected[value]) }
    }

    /// Values with the same hash are distinct, including ones that were never inserted.
    @Test func valuesWithEqualHashesAreDistinct() {
        struct Clashing: Hashable {
            let value: Int
            func hash(into hasher: inout Hasher) {}
        }
        var numbering = InternTable<Clashing>()
        for value in 0..<100 { #expect(numbering.insert(Clashing(value: value)) == (true, value)) }
        for value in 0..<100 { #expect(numbering.insert(Clashing(value: value)) == (false, value)) }
        #expect(numbering.number(of: Clashing(value: 100)) == nil)
    }
}
