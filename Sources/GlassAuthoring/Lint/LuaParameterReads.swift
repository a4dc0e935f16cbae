import GlassSchema
import LuaSyntax

/// The parameters of a link that a function of a market file reads, as far as its text tells.
struct LuaParameterReads {
    private let names: Set<String>

    /// Reads a function.
    ///
    /// - Returns: nil if there is no function at the position, or if it uses the whole link or all of its parameters.
    init?(_ tree: LuaTree, functionAt position: SourcePosition) {
        guard let column = position.column,
            let token = tree.token(at: tree.lines.byte(at: LuaLines.Position(line: position.line, column: column))),
            let node = tree.nodes(around: token).last(where: { tree.kind($0) == .functionValue }),
            tree.tokens(of: node).lowerBound == token, let function = tree.function(node)
        else { return nil }
        guard let link = function.parameters.first else {
            names = []
            return
        }
        let name = tree.text(of: link)
        var names: Set<String> = []
        for index in tree.tokens(of: function.body)
        where tree.kind(at: index) == .name && tree.text(of: index) == name && !Self.isField(index, tree) {
            guard tree.kind(at: index + 1) == .dot else { return nil }
            switch tree.text(of: index + 2) {
            case "scheme", "host", "query", "pattern": continue
            case "parameters", "rawParameters": break
            default: return nil
            }
            switch tree.kind(at: index + 3) {
            case .dot: names.insert(tree.text(of: index + 4))
            case .leftBracket where tree.kind(at: index + 4) == .string && tree.kind(at: index + 5) == .rightBracket:
                names.insert(String(decoding: tree.value(ofString: index + 4), as: UTF8.self))
            default: return nil
            }
        }
        self.names = names
    }

    /// Whether a name is a field of something, as in `state.link`, or a key, as in `{ link = 1 }`.
    private static func isField(_ index: Int, _ tree: LuaTree) -> Bool {
        tree.kind(at: index - 1) == .dot || tree.kind(at: index - 1) == .colon
            || (tree.kind(at: index + 1) == .assign
                && [.leftBrace, .comma, .semicolon].contains(tree.kind(at: index - 1)))
    }

    /// Whether the function reads a parameter.
    func contains(_ name: String) -> Bool { names.contains(name) }
}
