import Testing
import TestSupport

@testable import GlassDeepLinking

/// Checks the assumption of the proof of `RouteTrie` and its view: nothing writes after initialization. Run it under
/// ThreadSanitizer.
@Suite(.timeLimit(.minutes(1)))
struct RouteTrieRaceTests {
    @Test func tableIsSearchedConcurrentlyUntilLastReferenceIsReleased() throws {
        let patterns = (0..<40).map { "area\($0)/:id(int)/name/*rest?q" } + ["ip/:id", "ip/:name(slug)/x", "*all"]
        for _ in 0..<20 {
            let table = try RouteTable(patterns: patterns)
            let link = try DeepLink("w://area7/12/name/x/y?q=1")
            let expected = table.matches(for: link).map(\.ordinal)
            #expect(expected == [7, 42])
            onThreads(8) { _ in
                // At times a thread has the only reference to the table, and the last one frees it.
                for _ in 0..<100 {
                    let own = table
                    let found = own.matches(for: link).map(\.ordinal)
                    if found != expected { Issue.record("\(found)") }
                }
            }
        }
    }
}
