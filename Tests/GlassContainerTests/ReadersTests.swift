import Synchronization
import Testing

@testable import GlassContainer

@Suite struct ReadersTests {
    /// What is marked, as indices of places.
    private func marked(_ readers: Readers) -> [Int] {
        (0..<Readers.placeCount).filter { readers.place($0).pointee.load(ordering: .sequentiallyConsistent) != 0 }
    }

    @Test func oneReaderOwnsTheFlagTheOthersCountAndEachLeavesItsOwnPlace() {
        let family = Family()
        let readers = family.readers
        // One thread's stack is one stripe, as two threads' stacks may be.
        let first = readers.enter()
        let second = readers.enter()
        let third = readers.enter()
        #expect(first != second && second == third)
        let places = marked(readers)
        #expect(places.count == 2 && places[0] % 2 == 0 && places[1] == places[0] + 1)
        readers.leave(first)
        #expect(marked(readers) == [places[1]])
        // The flag is free again, while others still count.
        #expect(readers.enter() == first)
        readers.leave(second)
        readers.leave(first)
        #expect(marked(readers) == [places[1]])
        readers.leave(third)
        #expect(marked(readers).isEmpty)
    }

    @Test func whatWasUnlinkedLivesUntilEachReaderOfThatTimeHasLeft() {
        let counter = Counter()
        let family = Family()
        let first = family.readers.enter()
        let second = family.readers.enter()
        family.retire([LiveNetworking(counter)])
        #expect(counter.liveCount == 1)
        family.readers.leave(first)
        family.retire([Family()])
        #expect(counter.liveCount == 1)
        family.readers.leave(second)
        family.retire([Family()])
        #expect(counter.liveCount == 0)
    }

    @Test func whoCameAfterTheUnlinkingKeepsNothingBackWhereNobodyWas() {
        let counter = Counter()
        let family = Family()
        let early = family.readers.enter()
        family.retire([LiveNetworking(counter)])
        let late = family.readers.enter()
        family.readers.leave(early)
        // The late reader marks the count, which was seen at zero before it came.
        family.retire([Family()])
        #expect(counter.liveCount == 0)
        family.readers.leave(late)
    }
}
