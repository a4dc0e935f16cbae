import GlassBase

/// Computes the maximum number of nodes of a trie that one link can visit.
///
/// A link selects one text for each segment, and that text applies to all reached nodes simultaneously. So the state is
/// the set of reached nodes, and the solution is the best choice of text for it. The relevant texts are the literals
/// and list words below the set and one sample for each maximal class of typed parameters: any other text reaches a
/// subset of what one of these reaches.
///
/// With affixes, a text also matters for its longest prefix and suffix that occur below the set. So there is a sample for
/// each pair of these, which counts everything that any text with them may reach. If the sample does not reach all of
/// it, the result is only a bound.
///
/// Equal subtrees are merged, states are memoized, and a choice is skipped if its bound cannot exceed the best result.
/// If this still takes too long, the result is the bound, which is never too small.
struct RouteWorstCase {
    struct Result {
        var visits: Int
        var isExact: Bool
        /// A link (without scheme) that causes the visits.
        var link: String
        /// The distinct routes through the visited nodes.
        var routes: [Int]
    }

    /// The structure below a node: labels with shapes, in a fixed order.
    private struct Shape: Hashable {
        var literals: [Edge]
        var affixes: [Edge]
        var lists: [Edge]
        var open: [Int]
        var plain: Int
    }

    private struct Edge: Hashable {
        let label: Int
        let shape: Int

        static func isLess(_ left: Edge, _ right: Edge) -> Bool {
            left.label != right.label ? left.label < right.label : left.shape < right.shape
        }
    }

    private struct Choice {
        var visits: Int
        var text: Int?
    }

    private let builder: RouteTrieBuilder
    /// The texts of the routes, and the samples with their affixes.
    private var vocabulary: RouteVocabulary
    private let budget: WorkBudget
    /// The shape of each node, and a node of each shape.
    private var shapeOfNode: [Int] = []
    private var nodeOfShape: [Int] = []
    /// The maximum number of visits for a shape by itself, including its node.
    private var bounds: [Int] = []
    private var isLeaf: [Bool] = []
    /// The cost of a node: itself and a lookup for each pair of lengths of affixes.
    private var weights: [Int] = []
    /// Whether every sample that decided reaches all that it counts.
    private var areSamplesExact = true
    /// The states without leaves whose best choice is known, and that choice.
    private var states = InternTable<[Int]>()
    private var choices: [Choice] = []
    private var work = 0

    /// The maximum number of edges that the exact search may examine.
    private let workLimit: Int

    init(
        _ builder: RouteTrieBuilder, workLimit: Int = 1_000_000, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        self.builder = builder
        vocabulary = builder.vocabulary
        self.workLimit = workLimit
        self.budget = budget
        try findShapes()
    }
    /// Finds the worst link.
    consuming func solve() throws(WorkBudget.Exceeded) -> Result {
        var solver = self
        let exact = try solver.best(solver.withoutLeaves([solver.shapeOfNode[0]]))
        let isExact = exact != nil
        // A root that is a leaf is omitted from the state, but visited.
        let visits = exact.map { max(1, $0.visits) } ?? solver.bounds[solver.shapeOfNode[0]]
        let (link, routes) = try solver.walk()
        return Result(visits: visits, isExact: isExact && solver.areSamplesExact, link: link, routes: routes)
    }

    // MARK: Shapes

    /// Numbers the subtrees so that equal ones share a number. Children have higher indices than their parents.
    private mutating func findShapes() throws(WorkBudget.Exceeded) {
        var numbers = InternTable<Shape>()
        shapeOfNode = Array(repeating: 0, count: builder.nodes.count)
        var shapeOfLeaf: Int?
        // By shape: the shape of a node that has only a plain parameter with that shape below it.
        var shapeAbove: [Int?] = []
        for index in builder.nodes.indices.reversed() {
            let node = builder.nodes[index]
            // Most nodes are leaves or have a single parameter below; avoid hashing a whole shape for each.
            let isSimple =
                node.literals.isEmpty && node.affixes.isEmpty && node.lists.isEmpty && node.open.isEmpty
            if isSimple, let known = node.plain.map({ shapeAbove[shapeOfNode[$0]] }) ?? shapeOfLeaf {
                shapeOfNode[index] = known
                continue
            }
            try budget.spend(node.literals.count + node.affixes.count + node.lists.count + 1, on: .worstCase)
            var open = NamedParameterType.allCases.map { _ in -1 }
            for (type, child) in node.open { open[type.rawValue] = shapeOfNode[child] }
            let shape = Shape(
                literals: node.literals.map { Edge(label: $0.text, shape: shapeOfNode[$0.child]) }.sorted(
                    by: Edge.isLess),
                affixes: node.affixes.map { Edge(label: $0.affixes, shape: shapeOfNode[$0.child]) }.sorted(
                    by: Edge.isLess),
                lists: node.lists.map { Edge(label: $0.list, shape: shapeOfNode[$0.child]) }.sorted(by: Edge.isLess),
                open: open, plain: node.plain.map { shapeOfNode[$0] } ?? -1)
            let (isNew, number) = numbers.insert(shape)
            shapeOfNode[index] = number
            guard isNew else { continue }
            shapeAbove.append(nil)
            if isSimple, shape.plain >= 0 {
                shapeAbove[shape.plain] = number
            } else if isSimple {
                shapeOfLeaf = number
            }
            nodeOfShape.append(index)
            isLeaf.append(isSimple && shape.plain < 0)
            let lengths = Set(
                node.affixes.map { edge -> [Int] in
                    let affixes = vocabulary.affixes[edge.affixes]
                    return [vocabulary.texts[affixes.prefix].count, vocabulary.texts[affixes.suffix].count]
                })
            weights.append(1 + lengths.count)
            bounds.append(weights[number])
            if !isLeaf[number] { bounds[number] += try texts(from: [number]).map(\.bound).max() ?? 0 }
        }
    }

    private func withoutLeaves(_ shapes: [Int]) -> [Int] {
        shapes.filter { !isLeaf[$0] }.sorted()
    }

    // MARK: Texts

    /// A text that may be relevant next: the edges that it follows, and a bound for the visits below them.
    private struct Text {
        let number: Int
        let edges: Range<Int>
        let bound: Int
        /// The shapes that it reaches by affixes.
        var affixed: [Int] = []
        /// The open types that it counts, by raw value.
        var types: UInt8
        var isExact = true
    }

    /// The edges below a state.
    private struct Below {
        /// The texts' edges, sorted by text.
        var edges: [Edge] = []
        /// The shapes below the open types, and those below plain parameters, which accept every text.
        var open: [[Int]] = NamedParameterType.allCases.map { _ in [] }
        var plains: [Int] = []
        /// The affixes, and the shapes with the values between them.
        var affixes: [Edge] = []
    }

    private func below(_ shapes: [Int]) throws(WorkBudget.Exceeded) -> Below {
        var below = Below()
        for shape in shapes {
            let node = builder.nodes[nodeOfShape[shape]]
            for (text, child) in node.literals { below.edges.append(Edge(label: text, shape: shapeOfNode[child])) }
            for (list, child) in node.lists {
                let words = vocabulary.lists[list]
                try budget.spend(words.count, on: .worstCase)
                for word in words { below.edges.append(Edge(label: word, shape: shapeOfNode[child])) }
            }
            for (type, child) in node.open { below.open[type.rawValue].append(shapeOfNode[child]) }
            if let plain = node.plain { below.plains.append(shapeOfNode[plain]) }
            for (affixes, child) in node.affixes {
                below.affixes.append(Edge(label: affixes, shape: shapeOfNode[child]))
            }
        }
        try budget.spend(shapes.count + below.edges.count, on: .worstCase)
        below.edges.sort(by: Edge.isLess)
        return below
    }

    private mutating func texts(of below: Below) throws(WorkBudget.Exceeded) -> [Text] {
        let openBounds = below.open.map { $0.reduce(0) { $0 + bounds[$1] } }
        let plainBound = below.plains.reduce(0) { $0 + bounds[$1] }
        let affixes = affixEdges(below)
        func text(
            _ number: Int, _ edges: Range<Int>, types: UInt8? = nil, affixed: [Int]? = nil
        ) throws(WorkBudget.Exceeded) -> Text {
            var bound = plainBound
            let types = types ?? vocabulary.typesOfText[number]
            for type in openBounds.indices where types >> UInt8(type) & 1 == 1 { bound += openBounds[type] }
            for edge in below.edges[edges] { bound += bounds[edge.shape] }
            let reached: [Int]
            if let affixed {
                reached = affixed
            } else {
                reached = try self.affixed(vocabulary.texts[number], affixes)
            }
            for shape in reached { bound += bounds[shape] }
            return Text(number: number, edges: edges, bound: bound, affixed: reached, types: types)
        }
        var texts: [Text] = []
        var start = 0
        while start < below.edges.count {
            var end = start + 1
            while end < below.edges.count, below.edges[end].label == below.edges[start].label { end += 1 }
            texts.append(try text(below.edges[start].label, start..<end))
            start = end
        }
        if below.open.contains(where: { !$0.isEmpty }) {
            // If a route contains the sample itself, it is duplicated, which does no harm.
            for sample in vocabulary.samples { texts.append(try text(sample, 0..<0)) }
        }
        for sample in try samples(of: affixes) {
            let number = vocabulary.number(of: sample.text)
            guard let counted = sample.counted else {
                texts.append(try text(number, 0..<0))
                continue
            }
            let exact = try text(number, 0..<0)
            var bound = try text(number, 0..<0, types: counted.types, affixed: counted.affixed)
            bound.isExact = exact.types == bound.types && exact.affixed.count == bound.affixed.count
            texts.append(bound)
        }
        if texts.isEmpty { texts.append(try text(vocabulary.anyText, 0..<0)) }
        return texts
    }

    private mutating func texts(from shapes: [Int]) throws(WorkBudget.Exceeded) -> [Text] {
        try texts(of: below(shapes))
    }

    // MARK: Affixes

    /// The affixes below a state, by prefix.
    private struct AffixEdges {
        var byPrefix: [Int: [Edge]] = [:]
        /// The distinct lengths of the prefixes.
        var lengths: [Int] = []
    }

    private func affixEdges(_ below: Below) -> AffixEdges {
        var edges = AffixEdges()
        for edge in below.affixes { edges.byPrefix[vocabulary.affixes[edge.label].prefix, default: []].append(edge) }
        edges.lengths = Set(edges.byPrefix.keys.map { vocabulary.texts[$0].count }).sorted()
        return edges
    }

    /// The affixes whose prefix a text starts with.
    private func near(_ text: [UInt8], _ edges: AffixEdges) throws(WorkBudget.Exceeded) -> [Edge] {
        var near: [Edge] = []
        for length in edges.lengths where length <= text.count {
            if let prefix = vocabulary.knownNumber(of: Array(text.prefix(length))) {
                near += edges.byPrefix[prefix] ?? []
            }
        }
        try budget.spend(edges.lengths.count + near.count, on: .worstCase)
        return near
    }

    /// The shapes that a text reaches by affixes.
    private func affixed(_ text: [UInt8], _ edges: AffixEdges) throws(WorkBudget.Exceeded) -> [Int] {
        guard !edges.lengths.isEmpty else { return [] }
        var reached: [Int] = []
        for edge in try near(text, edges) {
            guard let value = vocabulary.value(in: text, between: edge.label) else { continue }
            try budget.spend(text.count / 8 + 4, on: .worstCase)
            reached += values(edge.shape) { vocabulary.accepts($0, value) }
        }
        return reached
    }

    /// The shapes below the accepted values of a shape.
    private func values(_ shape: Int, _ isAccepted: (RouteVocabulary.Affixed.Value?) -> Bool) -> [Int] {
        let node = builder.nodes[nodeOfShape[shape]]
        return node.lists.filter { isAccepted(.list($0.list)) }.map { shapeOfNode[$0.child] }
            + node.open.filter { isAccepted(.open($0.type)) }.map { shapeOfNode[$0.child] }
            + (node.plain.map { [shapeOfNode[$0]] } ?? [])
    }

    /// A text for a prefix and a suffix, and what any text that starts and ends with them may reach; nil if they overlap
    /// in the text, which then represents only itself.
    private struct Sample {
        let text: [UInt8]
        var counted: (types: UInt8, affixed: [Int])?
    }

    /// The maximum number of affixes that are examined for all pairs of a prefix and a suffix. Beyond it, a prefix has
    /// one sample, which counts all suffixes.
    private static let maximumPairs = 200_000

    private func samples(of edges: AffixEdges) throws(WorkBudget.Exceeded) -> [Sample] {
        guard !edges.lengths.isEmpty else { return [] }
        let noText = vocabulary.knownNumber(of: []).map { [$0] } ?? []
        var samples: [Sample] = []
        var pairs = 0
        for prefix in Set(edges.byPrefix.keys).union(noText).sorted() {
            let start = vocabulary.texts[prefix]
            let near = try near(start, edges)
            let suffixes = Set(near.map { vocabulary.affixes[$0.label].suffix }).union(noText).sorted()
            pairs += near.count * suffixes.count
            guard pairs <= Self.maximumPairs else {
                let all = near.flatMap { values($0.shape) { _ in true } }
                samples.append(Sample(text: start + [UInt8(ascii: "1")], counted: (.max, all)))
                continue
            }
            try budget.spend(near.count * suffixes.count / 4 + 1, on: .worstCase)
            for suffix in suffixes {
                let end = vocabulary.texts[suffix]
                let possible = near.filter { end.ends(with: vocabulary.texts[vocabulary.affixes[$0.label].suffix]) }
                guard !possible.isEmpty else { continue }
                samples.append(try sample(start, end, possible))
                samples += RouteVocabulary.overlaps(of: start, end).map { Sample(text: $0) }
            }
        }
        return samples
    }

    private func sample(
        _ prefix: [UInt8], _ suffix: [UInt8], _ edges: [Edge]
    ) throws(WorkBudget.Exceeded) -> Sample {
        var affixed: [Int] = []
        for edge in edges {
            try budget.spend((prefix.count + suffix.count) / 8 + 8, on: .worstCase)
            let own = vocabulary.affixes[edge.label]
            let start = prefix.dropFirst(vocabulary.texts[own.prefix].count)
            let end = suffix.dropLast(vocabulary.texts[own.suffix].count)
            affixed += values(edge.shape) { vocabulary.mayAccept($0, start, end) }
        }
        let types = NamedParameterType.allCases.reduce(UInt8(0)) { types, type in
            vocabulary.mayAccept(.open(type), prefix[...], suffix[...]) ? types | 1 << UInt8(type.rawValue) : types
        }
        return Sample(text: prefix + [UInt8(ascii: "1")] + suffix, counted: (types, affixed))
    }

    private func takes(_ type: Int, _ text: Int) -> Bool {
        vocabulary.typesOfText[text] >> UInt8(type) & 1 == 1
    }

    private func reached(_ text: Text, _ below: Below) -> [Int] {
        var reached = below.plains
        for edge in below.edges[text.edges] { reached.append(edge.shape) }
        for type in below.open.indices where text.types >> UInt8(type) & 1 == 1 { reached += below.open[type] }
        return reached + text.affixed
    }

    /// Whether the left text is more promising. The texts themselves break ties, so that the witness is the same in
    /// every run.
    private func isBetter(_ left: Text, _ right: Text) -> Bool {
        if left.bound != right.bound { return left.bound > right.bound }
        let (one, other) = (vocabulary.texts[left.number], vocabulary.texts[right.number])
        if one.count != other.count { return one.count < other.count }
        return one.lexicographicallyPrecedes(other)
    }

    // MARK: The exact solution

    /// The best choice for a state without leaves, or `nil` if the work limit is reached.
    private mutating func best(_ state: [Int]) throws(WorkBudget.Exceeded) -> Choice? {
        if state.isEmpty { return Choice(visits: 0, text: nil) }
        if let known = choice(for: state) { return known }
        let below = try below(state)
        work += state.count + below.edges.count + below.affixes.count
        if work > workLimit { return nil }
        var ranked = try texts(of: below)
        var result = Choice(visits: 0, text: nil)
        // The first text usually decides, so only the texts that may still exceed it are sorted.
        var isSorted = false
        var place = 0
        if let first = ranked.indices.min(by: { isBetter(ranked[$0], ranked[$1]) }) { ranked.swapAt(0, first) }
        while place < ranked.count {
            let text = ranked[place]
            place += 1
            if text.bound <= result.visits { break }
            defer {
                if !isSorted {
                    isSorted = true
                    ranked = ranked.dropFirst().filter { $0.bound > result.visits }.sorted(by: isBetter)
                    place = 0
                }
            }
            let reached = reached(text, below)
            work += reached.count
            try budget.spend(reached.count, on: .worstCase)
            let next = withoutLeaves(reached)
            guard let choice = try best(next) else { return nil }
            // The choice counts the inner nodes of the state; its leaves are visited as well.
            let visits = choice.visits + reached.count - next.count
            if visits > result.visits {
                result = Choice(visits: visits, text: text.number)
                if !text.isExact { areSamplesExact = false }
            }
        }
        result.visits += state.reduce(0) { $0 + weights[$1] }
        // The state is still unknown: the states examined in the meantime belong to smaller subtrees.
        states.insert(state)
        choices.append(result)
        return result
    }

    private func choice(for state: [Int]) -> Choice? {
        states.number(of: state).map { choices[$0] }
    }

    // MARK: The worst link

    /// Follows the best choices from the root. Returns the resulting link and the routes that it passes.
    private mutating func walk() throws(WorkBudget.Exceeded) -> (link: String, routes: [Int]) {
        var nodes = [0]
        var parts: [String] = []
        var routes = InternTable<Int>()
        while true {
            let state = withoutLeaves(nodes.map { shapeOfNode[$0] })
            guard !state.isEmpty else { break }
            var best = choice(for: state)?.text
            if best == nil {
                let texts = try texts(from: state)
                best = texts.min(by: isBetter)?.number
            }
            guard let text = best else { break }
            parts.append(vocabulary.texts[text].percentEncoded)
            var children: [Int] = []
            for node in nodes { try append(childrenOf: node, text, to: &children) }
            nodes = children
            for node in nodes { routes.insert(builder.nodes[node].route) }
        }
        return (parts.joined(separator: "/"), routes.values)
    }

    private func append(
        childrenOf index: Int, _ text: Int, to children: inout [Int]
    ) throws(WorkBudget.Exceeded) {
        let node = builder.nodes[index]
        try budget.spend(node.literals.count + node.affixes.count + node.lists.count + 1, on: .worstCase)
        for (affixes, child) in node.affixes {
            guard let value = vocabulary.value(in: vocabulary.texts[text], between: affixes) else { continue }
            let values = builder.nodes[child]
            children += values.lists.filter { vocabulary.accepts(.list($0.list), value) }.map(\.child)
            children += values.open.filter { vocabulary.accepts(.open($0.type), value) }.map(\.child)
            if let plain = values.plain { children.append(plain) }
        }
        children += node.literals.lazy.filter { $0.text == text }.map(\.child)
        children += node.lists.lazy.filter { vocabulary.list($0.list, has: text) }.map(\.child)
        children += node.open.lazy.filter { takes($0.type.rawValue, text) }.map(\.child)
        if let plain = node.plain { children.append(plain) }
    }
}
