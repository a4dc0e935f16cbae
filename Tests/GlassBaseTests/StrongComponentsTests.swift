import GlassBase
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StrongComponentsTests {
    private static let graphs: [(edges: [[Int]], groups: [[Int]])] = [
        ([], []),
        ([[]], [[0]]),
        ([[0]], [[0]]),
        ([[1], [2], []], [[2], [1], [0]]),
        ([[1], [0], []], [[1, 0], [2]]),
        ([[1], [2, 3], [0], [4], [3]], [[4, 3], [2, 1, 0]]),
        ([[1, 1], [], [1, 0]], [[1], [0], [2]]),
    ]

    @Test(arguments: graphs)
    func eachComponentFollowsThoseThatItLeadsTo(edges: [[Int]], groups: [[Int]]) {
        #expect(StrongComponents(edges).groups == groups)
    }

    @Test func longChainNeedsNoStack() {
        let count = 200_000
        let ring = (0..<count).map { [($0 + 1) % count] }
        #expect(StrongComponents(ring).groups.map(\.count) == [count])
    }
}
