import Testing
import TestSupport

@testable import GlassDeepLinking

/// What the proof of `RouteTrie` and its view rests on: nothing writes once they are made. Run it under ThreadSanitizer.
@Suite(.timeLimit(.minutes(1)))
struct RouteTrieRaceTests {
    @Test func oneTableIsSearchedByEightThreadsAndOutlivesThoseWhoLetGo() throws {
        let patterns = (0..<40).map { "area\($0)/:id(int)/name/*rest?q" } + ["ip/:id", "ip/:name(slug)/x", "*all"]
        for _ in 0..<20 {
            let table = try RouteTable(patterns: patterns)
            let link = try DeepLink("w://area7/12/name/x/y?q=1")
            let expected = table.matches(for: link).map(\.ordinal)
            #expect(expected == [7, 42])
            onThreads(8) { _ in
                // Each thread has the table for itself at times, and the last one frees it.
                for _ in 0..<100 {
                    let own = table
                    let found = own.matches(for: link).map(\.ordinal)
                    if found != expected { Issue.record("\(found)") }
                }
            }
        }
    }
}
