/// Turns a pattern's syntax tree into instructions, with repetitions expanded.
struct TextPatternCompiler {
    private var program: [TextPattern.Instruction] = []
    private var characters = 0

    /// Compiles a pattern.
    mutating func program(of node: TextPatternNode) throws(TextPatternError) -> [TextPattern.Instruction] {
        try emit(node, at: 0)
        return program + [.end]
    }

    private mutating func emit(_ node: TextPatternNode, at offset: Int) throws(TextPatternError) {
        switch node {
        case .set(let set):
            characters += 1
            guard characters <= TextPattern.maximumCharacters else {
                throw TextPatternError(
                    offset: offset,
                    message: "with its repetitions expanded, the pattern has more than "
                        + "\(TextPattern.maximumCharacters) characters", hint: "use smaller counts")
            }
            program.append(.take(set))
        case .sequence(let nodes):
            for node in nodes { try emit(node, at: offset) }
        case .choice(let nodes):
            var jumps: [Int] = []
            for (index, node) in nodes.enumerated() {
                if index == nodes.count - 1 {
                    try emit(node, at: offset)
                } else {
                    let fork = reserve()
                    try emit(node, at: offset)
                    jumps.append(reserve())
                    program[fork] = .fork(fork + 1, program.count)
                }
            }
            for jump in jumps { program[jump] = .jump(program.count) }
        case .times(let node, let least, let most, let place):
            for _ in 0..<least { try emit(node, at: place) }
            guard let most else {
                let fork = reserve()
                try emit(node, at: place)
                program.append(.jump(fork))
                program[fork] = .fork(fork + 1, program.count)
                return
            }
            var forks: [Int] = []
            for _ in least..<most {
                forks.append(reserve())
                try emit(node, at: place)
            }
            for fork in forks { program[fork] = .fork(fork + 1, program.count) }
        }
    }

    /// Reserves space for an instruction whose targets are not known yet.
    private mutating func reserve() -> Int {
        program.append(.end)
        return program.count - 1
    }
}
