import Foundation
import GlassBase
@testable import GlassMarketFiles
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoadAheadTests {
    private struct Failure: Error {}

    private func items(
        _ count: Int, threads: Int, within account: WorkBudget = .unlimited, costing cost: Int = 1,
        load: @escaping @Sendable (Int) throws -> Int = { $0 }
    ) -> LoadAhead<Int> {
        LoadAhead(count, threads: threads, account: account, cost: { _ in cost }, load: load)
    }

    @Test(arguments: [1, 2, 8])
    func itemsComeInOrderWithTheirErrors(threads: Int) throws {
        let items = items(200, threads: threads) { index in
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
        let items = items(10_000, threads: 4) { index in
            loaded.withLock { $0 += 1 }
            return index
        }
        #expect(try items.item(at: 0) == 0)
        Thread.sleep(forTimeInterval: 0.05)
        #expect(loaded.withLock { $0 } <= 20)
        items.end()
        #expect(loaded.withLock { $0 } <= 20)
    }

    /// The same items in every run, and hardly any that are loaded in vain.
    @Test(arguments: [1, 2, 8])
    func stepsDecideHowManyItemsThereAre(threads: Int) throws {
        for _ in 0..<20 {
            let loaded = Lock(0)
            let account = WorkBudget(steps: 1000)
            let items = items(100, threads: threads, within: account, costing: 300) { index in
                loaded.withLock { $0 += 1 }
                if index.isMultiple(of: 3) { Thread.sleep(forTimeInterval: 0.001) }
                return index
            }
            defer { items.end() }
            // The fourth begins with 100 steps left.
            for index in 0..<4 { #expect(try items.item(at: index) == index) }
            #expect(try items.item(at: 4) == nil)
            #expect(try items.item(at: 5) == nil)
            #expect(account.steps == 1200)
            items.end()
            #expect(loaded.withLock { $0 } == 4)
        }
    }

    /// Other work of the command uses up steps, too.
    @Test func otherWorkTakesSteps() throws {
        let account = WorkBudget(steps: 1000)
        let items = items(100, threads: 1, within: account, costing: 300)
        defer { items.end() }
        #expect(try items.item(at: 0) == 0)
        account.charge(700)
        #expect(try items.item(at: 1) == nil)
    }

    /// Errors cost nothing.
    @Test func itemsWithErrorsCostNothing() throws {
        let account = WorkBudget(steps: 1000)
        let items = items(100, threads: 2, within: account, costing: 300) { _ in throw Failure() }
        defer { items.end() }
        for index in 0..<100 { #expect(throws: Failure.self) { try items.item(at: index) } }
        #expect(account.steps == 0)
    }
}
