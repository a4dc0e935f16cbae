/// Computes the most nodes of a trie that one link can visit.
///
/// A link picks one text for each segment, and that text decides for all nodes reached so far at once. So the state is
/// the set of nodes reached, and the answer is the best choice of text from it. Texts that matter are the literals and
/// list words below the set and one sample for each maximal class of typed parameters: any other text reaches a subset
/// of what one of these reaches.
///
/// Subtrees that look alike are one, states are remembered, and a choice whose bound cannot beat the best is skipped.
/// Should that still take too long, the result is the bound, which is never too small.
struct RouteWorstCase {
    struct Result {
        var visits: Int
        var isExact: Bool
        /// A link that causes the visits, without scheme.
        var link: String
        /// Routes that run through the visited nodes.
        var routes: Set<Int>
    }

    private struct Shape: Hashable {
        var literals: [[UInt8]: Int]
        var typed: [TypedShape]
        var plain: Int?
    }

    private struct TypedShape: Hashable {
        var type: String
        var shape: Int
    }

    private struct Choice {
        var visits: Int
        var text: [UInt8]?
    }

    private let builder: RouteTrieBuilder
    /// The shape of each node, and one node of each shape.
    private var shapeOfNode: [Int] = []
    private var nodeOfShape: [Int] = []
    /// The most visits below a shape when it stands alone, counting typed edges as if one text could take all.
    private var bounds: [Int] = []
    private var isLeaf: [Bool] = []
    private var memo: [[Int]: Choice] = [:]
    private var work = 0

    /// How many nodes the exact search may touch.
    private let workLimit: Int

    /// - Parameters:
    ///   - builder: The trie.
    ///   - workLimit: How many nodes the exact search may touch; the default is well under a second.
    init(_ builder: RouteTrieBuilder, workLimit: Int = 2_000_000) {
        self.builder = builder
        self.workLimit = workLimit
        findShapes()
    }

    consuming func solve() -> Result {
        var solver = self
        let exact = solver.best(solver.withoutLeaves([solver.shapeOfNode[0]]))
        let isExact = exact != nil
        // A leaf root is left out of the state, but visited.
        let visits = exact.map { max(1, $0.visits) } ?? solver.bounds[solver.shapeOfNode[0]]
        let (link, routes) = solver.walk()
        return Result(visits: visits, isExact: isExact, link: link, routes: routes)
    }

    /// Numbers the subtrees so that equal ones share a number. Children have higher indices than their parents.
    private mutating func findShapes() {
        var numbers: [Shape: Int] = [:]
        shapeOfNode = Array(repeating: 0, count: builder.nodes.count)
        var shapeOfLeaf: Int?
        var shapesOfPlain: [Int: Int] = [:]
        for index in builder.nodes.indices.reversed() {
            let node = builder.nodes[index]
            // Most nodes are leaves or have one parameter below; hashing a whole shape for each takes long.
            let isSimple = node.literals.isEmpty && node.typed.isEmpty
            if isSimple, let known = node.plain.map({ shapesOfPlain[shapeOfNode[$0]] }) ?? shapeOfLeaf {
                shapeOfNode[index] = known
                continue
            }
            let literals = Dictionary(
                node.literals.map { ($0.bytes, shapeOfNode[$0.child]) }, uniquingKeysWith: { first, _ in first })
            let typed = node.typed.map { TypedShape(type: $0.type.description, shape: shapeOfNode[$0.child]) }
                .sorted { ($0.type, $0.shape) < ($1.type, $1.shape) }
            let shape = Shape(literals: literals, typed: typed, plain: node.plain.map { shapeOfNode[$0] })
            if let number = numbers[shape] {
                shapeOfNode[index] = number
                continue
            }
            let number = nodeOfShape.count
            numbers[shape] = number
            if isSimple, let plain = shape.plain {
                shapesOfPlain[plain] = number
            } else if isSimple {
                shapeOfLeaf = number
            }
            shapeOfNode[index] = number
            nodeOfShape.append(index)
            var bound = 1 + (literals.values.map { bounds[$0] }.max() ?? 0)
            bound += typed.reduce(0) { $0 + bounds[$1.shape] } + (shape.plain.map { bounds[$0] } ?? 0)
            bounds.append(bound)
            isLeaf.append(literals.isEmpty && typed.isEmpty && shape.plain == nil)
        }
    }

    private func withoutLeaves(_ shapes: [Int]) -> [Int] {
        shapes.filter { !isLeaf[$0] }.sorted()
    }

    /// The texts that may matter next, each with the shapes it reaches.
    private func steps(from shapes: [Int]) -> [(text: [UInt8], reached: [Int])] {
        var literals: [[UInt8]: [Int]] = [:]
        var plains: [Int] = []
        var typed: [(type: ParameterType, child: Int)] = []
        for shape in shapes {
            let node = builder.nodes[nodeOfShape[shape]]
            for (bytes, child) in node.literals { literals[bytes, default: []].append(shapeOfNode[child]) }
            typed += node.typed.map { ($0.type, shapeOfNode[$0.child]) }
            if let plain = node.plain { plains.append(shapeOfNode[plain]) }
        }
        if !typed.isEmpty {
            for sample in ParameterType.samples { literals[Array(sample.utf8), default: []] += [] }
            for case .oneOf(let words) in typed.map(\.type) {
                for word in words { literals[word.utf8.asciiFolded, default: []] += [] }
            }
        }
        if literals.isEmpty { literals[Array("x".utf8)] = [] }
        return literals.map { text, reached in
            let accepted = typed.filter { $0.type.accepts(bytes: text) }.map(\.child)
            return (text, reached + accepted + plains)
        }
    }

    /// The best choice for a state without leaves, or `nil` when the work limit is reached.
    private mutating func best(_ state: [Int]) -> Choice? {
        if state.isEmpty { return Choice(visits: 0, text: nil) }
        if let known = memo[state] { return known }
        var ranked = steps(from: state).map { step in
            (text: step.text, reached: step.reached, bound: step.reached.reduce(0) { $0 + bounds[$1] })
        }
        work += state.count + ranked.count
        if work > workLimit { return nil }
        typealias Step = (text: [UInt8], reached: [Int], bound: Int)
        let isBetter: (Step, Step) -> Bool = { left, right in
            // The texts break ties, so that the witness is the same in every run.
            if left.bound != right.bound { return left.bound > right.bound }
            if left.text.count != right.text.count { return left.text.count < right.text.count }
            return left.text.lexicographicallyPrecedes(right.text)
        }
        var result = Choice(visits: 0, text: nil)
        // The first step mostly settles it, so only those that may still beat it are sorted.
        var isSorted = false
        var place = 0
        if let first = ranked.indices.min(by: { isBetter(ranked[$0], ranked[$1]) }) { ranked.swapAt(0, first) }
        while place < ranked.count {
            let step = ranked[place]
            place += 1
            if step.bound <= result.visits { break }
            defer {
                if !isSorted {
                    isSorted = true
                    ranked = ranked.dropFirst().filter { $0.bound > result.visits }.sorted(by: isBetter)
                    place = 0
                }
            }
            let next = withoutLeaves(step.reached)
            guard let below = best(next) else { return nil }
            // `below` counts the inner nodes of the state; its leaves are visited too.
            let visits = below.visits + step.reached.count - next.count
            if visits > result.visits { result = Choice(visits: visits, text: step.text) }
        }
        result.visits += state.count
        memo[state] = result
        return result
    }

    /// Follows the best choices from the root: the link they make and the routes they pass.
    private mutating func walk() -> (link: String, routes: Set<Int>) {
        var nodes = [0]
        var parts: [String] = []
        var routes: Set<Int> = []
        while true {
            let state = withoutLeaves(nodes.map { shapeOfNode[$0] })
            guard !state.isEmpty else { break }
            let text = memo[state]?.text ?? steps(from: state).max { $0.reached.count < $1.reached.count }?.text
            guard let text else { break }
            parts.append(text.percentEncoded)
            nodes = nodes.flatMap { children(of: $0, text: text) }
            for node in nodes { routes.insert(builder.nodes[node].route) }
        }
        return (parts.joined(separator: "/"), routes)
    }

    private func children(of index: Int, text: [UInt8]) -> [Int] {
        let node = builder.nodes[index]
        var children = node.literals.filter { $0.bytes == text }.map(\.child)
        children += node.typed.filter { $0.type.accepts(bytes: text) }.map(\.child)
        if let plain = node.plain { children.append(plain) }
        return children
    }
}
