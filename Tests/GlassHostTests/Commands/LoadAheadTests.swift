import Foundation
import GlassBase
@testable import GlassHost
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoadAheadTests {
    private struct Failure: Error {}

    @Test(arguments: [1, 2, 8])
    func itemsComeInOrderWithTheirErrors(threads: Int) throws {
        let items = LoadAhead(200, threads: threads) { index in
            // Later items are often ready before earlier ones.
            if index.isMultiple(of: 7) { Thread.sleep(forTimeInterval: 0.001) }
            guard index != 50 else { throw Failure() }
            return index
        }
        defer { items.end() }
        for index in 0..<200 where index != 50 {
            #expect(try items.item(at: index) == index)
            if index == 49 { #expect(throws: Failure.self) { try items.item(at: 50) } }
        }
    }

    /// A slow reader does not fill the memory.
    @Test func fewItemsAreAhead() throws {
        let loaded = Lock(0)
        let items = LoadAhead(10_000, threads: 4) { index in
            loaded.withLock { $0 += 1 }
            return index
        }
        #expect(try items.item(at: 0) == 0)
        Thread.sleep(forTimeInterval: 0.05)
        #expect(loaded.withLock { $0 } <= 20)
        items.end()
        #expect(loaded.withLock { $0 } <= 20)
    }
}
