/// The strongly connected components of a graph, by Tarjan's algorithm. Iterative, so that a long chain cannot overflow
/// the stack.
package struct StrongComponents {
    /// The components; each follows the ones that it leads to.
    package private(set) var groups: [[Int]] = []

    /// Finds the components of a graph with the given edges: for each node, the nodes that it leads to.
    package init(_ edges: [[Int]]) {
        var order = [Int?](repeating: nil, count: edges.count)
        var low = [Int](repeating: 0, count: edges.count)
        var isOnStack = [Bool](repeating: false, count: edges.count)
        var (stack, count) = ([Int](), 0)
        for root in edges.indices where order[root] == nil {
            var calls = [(node: root, next: 0)]
            while let (node, next) = calls.last {
                if next == 0 {
                    (order[node], low[node], isOnStack[node]) = (count, count, true)
                    count += 1
                    stack.append(node)
                }
                if next < edges[node].count {
                    calls[calls.count - 1].next += 1
                    let target = edges[node][next]
                    if let seen = order[target] {
                        if isOnStack[target] { low[node] = min(low[node], seen) }
                    } else {
                        calls.append((target, 0))
                    }
                    continue
                }
                calls.removeLast()
                if let caller = calls.last?.node { low[caller] = min(low[caller], low[node]) }
                guard low[node] == order[node] else { continue }
                var group: [Int] = []
                while let member = stack.popLast() {
                    isOnStack[member] = false
                    group.append(member)
                    if member == node { break }
                }
                groups.append(group)
            }
        }
    }
}
