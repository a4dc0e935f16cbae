import LuaSyntax

extension LuaTree {
    /// Why the tree is not whole; nil if the tokens and gaps are the text, and the nodes lie in each other in order.
    var defect: String? {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for token in tokens.indices {
            copy += bytes[gap(before: token)]
            copy += bytes[tokens[token].range]
        }
        if copy != bytes { return "the tokens and gaps are not the text" }
        if tokens(of: root) != 0..<tokens.count - 1 { return "tokens outside the file's block" }
        for node in allNodes {
            var end = tokens(of: node).lowerBound
            for child in children(of: node) {
                if tokens(of: child).lowerBound < end { return "a child that overlaps the one before it" }
                end = tokens(of: child).upperBound
            }
            if end > tokens(of: node).upperBound { return "a child that reaches out of its parent" }
        }
        return nil
    }

    /// Why the tree is not whole, or does not agree with the system's parser.
    func defect(comparedWith parser: SystemParser) -> String? {
        if let defect { return defect }
        let message = parser.rejection(of: bytes)
        if (message == nil) == errors.isEmpty { return nil }
        if errors.isEmpty, let message, SystemParser.isBeyondGrammar(message) { return nil }
        return "Lua: \(message ?? "accepts it"); the tree: \(errors.first.map { "\($0)" } ?? "no error")"
    }
}
