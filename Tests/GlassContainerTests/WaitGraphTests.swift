import Testing

@testable import GlassContainer

/// Simulates threads that wait for one another on a single thread: each announces and withdraws its wait when the test
/// says so.
@Suite struct WaitGraphTests {
    private final class Step {}

    private let graph = WaitGraph()
    private let first = Step()
    private let second = Step()
    private let third = Step()

    private func steps(_ types: Any.Type...) -> [ResolutionStep] {
        types.map { ResolutionStep(id: ServiceID($0), site: nil) }
    }

    private func part(_ build: AnyObject, depth: Int = 0) -> WaitGraph.Part {
        WaitGraph.Part(build: ObjectIdentifier(build), depth: depth)
    }

    @Test func cycleErrorNamesEveryWait() throws {
        _ = try graph.announce(second, parts: [part(first, depth: 1)], steps: steps(Bool.self, Int.self))
        _ = try graph.announce(third, parts: [part(second)], steps: steps(String.self, Double.self))
        let error = #expect(throws: ContainerError.self) {
            try graph.announce(first, parts: [part(third)], steps: steps(UInt8.self))
        }
        guard case .cyclic(let path) = error else { Issue.record("\(String(describing: error))"); return }
        // Starts at the build that is waited for, not at the first build of its thread.
        #expect(path.map(\.id) == steps(UInt8.self, Int.self, String.self, Double.self, UInt8.self).map(\.id))
    }

    @Test func partOfSeveralBuildsBlocksEach() throws {
        let outer = Step()
        _ = try graph.announce(second, parts: [part(outer), part(first, depth: 1)], steps: steps(Bool.self, Int.self))
        #expect(throws: ContainerError.self) {
            try graph.announce(outer, parts: [part(second)], steps: steps(String.self))
        }
    }

    @Test func withdrawnWaitClosesNoCycle() throws {
        let number = try graph.announce(second, parts: [part(first)], steps: steps(Int.self))
        graph.withdraw(number)
        _ = try graph.announce(first, parts: [part(second)], steps: steps(Bool.self))
    }

    /// A rejected wait must not be found by later ones.
    @Test func rejectedWaitBlocksNoOther() throws {
        let number = try graph.announce(second, parts: [part(first)], steps: steps(Int.self))
        #expect(throws: ContainerError.self) {
            try graph.announce(first, parts: [part(second), part(third)], steps: steps(Bool.self))
        }
        graph.withdraw(number)
        _ = try graph.announce(third, parts: [part(first)], steps: steps(Int.self))
    }

    /// Two tasks of one factory may wait for different builds at once.
    @Test func buildMayWaitForSeveralOthers() throws {
        _ = try graph.announce(third, parts: [part(first)], steps: steps(Int.self))
        _ = try graph.announce(second, parts: [part(first)], steps: steps(Int.self))
        #expect(throws: ContainerError.self) {
            try graph.announce(first, parts: [part(second)], steps: steps(Bool.self))
        }
    }
}
