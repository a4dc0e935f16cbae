import GlassBase
import GlassSchema
import LuaBridge

/// Where the values of a market file were written, across the files that it includes.
struct MarketPositions: Sendable {
    /// The file that is asked first.
    let file: String
    /// The map of a file of the evaluation, by its name in diagnostics.
    let map: @Sendable (String) throws(WorkBudget.Exceeded) -> LuaSourceMap?
    /// The name of an included file in diagnostics.
    let includedFile: @Sendable (String) -> String
    /// The budget for finding positions.
    let budget: WorkBudget

    /// Where a key and its value were written.
    func positions(
        of path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> (key: SourcePosition, value: SourcePosition) {
        try positions(of: path.elements.map(LuaSourceMap.PathElement.init), in: file, depth: 0)
    }

    /// Where the value of the file was returned; the file's beginning when the budget has run out.
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
        // What looks like an `include` may be a function of the market's own: only a file that was read has positions.
        // An include chain is at most as deep as the evaluation allowed; the bound here is only for broken maps.
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
