import GlassBase
import GlassSchema
import LuaSyntax

/// The positions of the values of a market file, across the files that it includes.
struct MarketPositions: Sendable {
    /// The file to search first.
    let file: String
    /// Returns the source map of a file of the evaluation, by its name in findings.
    let map: @Sendable (String) throws(WorkBudget.Exceeded) -> LuaSourceMap?
    /// Returns the name of an included file in findings.
    let includedFile: @Sendable (String) -> String
    /// The budget for finding positions.
    let budget: WorkBudget

    /// The positions of a key and its value.
    func positions(
        of path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> (key: SourcePosition, value: SourcePosition) {
        try positions(of: path.elements.map(LuaSourceMap.PathElement.init), in: file, depth: 0)
    }

    /// The position of the value that the file returns; the start of the file if the budget is exceeded.
    var start: SourcePosition {
        do {
            return try positions(of: ConfigurationPath()).value
        } catch {
            return SourcePosition(file: file, line: 1, column: 1)
        }
    }

    private func positions(
        of path: [LuaSourceMap.PathElement], in file: String, depth: Int
    ) throws(WorkBudget.Exceeded) -> (key: SourcePosition, value: SourcePosition) {
        try budget.spend(path.count + 1, on: .positions)
        guard let map = try self.map(file) else {
            let start = SourcePosition(file: file, line: 1, column: 1)
            return (start, start)
        }
        let located = map.position(of: path)
        let key = SourcePosition(file: file, line: located.keyPosition.line, column: located.keyPosition.column)
        // What looks like an `include` may be a function that the market defines, so only a file that was read has
        // positions. The evaluation limits the depth of includes; the limit here is only for malformed maps.
        if let included = located.included, depth < 32, try self.map(includedFile(included.file)) != nil {
            return try positions(of: included.path, in: includedFile(included.file), depth: depth + 1)
        }
        return (key, SourcePosition(file: file, line: located.valuePosition.line, column: located.valuePosition.column))
    }
}

extension LuaSourceMap.PathElement {
    init(_ element: ConfigurationPath.Element) {
        switch element {
        case .key(let key): self = .key(key)
        case .index(let index): self = .index(index)
        }
    }
}
