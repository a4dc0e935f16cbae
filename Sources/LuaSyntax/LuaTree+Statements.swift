// The parts of statements that declare or assign.

extension LuaTree {
    /// The left and the right side of a `local`, an assignment or a `for`.
    package struct Binding: Sendable {
        /// The names or targets on the left. A name may be missing.
        package var targets: [NodeID] = []
        /// The expressions on the right, without the block of a `for`.
        package var values: [NodeID] = []
        /// The block of a `for`.
        package var body: NodeID?
    }

    /// The parts of a `local`, `assignment` or `for` node.
    package func binding(_ node: NodeID) -> Binding {
        var binding = Binding()
        var isRight = false
        for child in children(of: node) {
            switch kind(child) {
            case .attribute: break
            case .block: binding.body = child
            default:
                if isRight { binding.values.append(child) } else { binding.targets.append(child) }
            }
            // Only a comma or an attribute continues the left side.
            let next = tokens[tokens(of: child).upperBound].kind
            isRight = isRight || next != .comma && next != .less
        }
        return binding
    }

    /// The text of a name node; nil if the name is missing.
    package func name(_ node: NodeID) -> String? {
        let tokens = tokens(of: node)
        return kind(node) == .name && !tokens.isEmpty ? text(of: tokens.lowerBound) : nil
    }
}
