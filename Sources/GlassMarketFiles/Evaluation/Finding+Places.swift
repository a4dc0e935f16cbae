package import GlassBase
package import GlassMarkets
package import GlassSchema
package import LuaSyntax

/// Turns the correction of a finding at a position into edits of the text; nil if it has none.
///
/// Apps don't need fixes, so GlassAuthoring provides the writer.
package typealias FixWriter = @Sendable (Finding, SourcePosition, LuaTree) -> Fix?

extension [Finding] {
    /// Adds the end position to each finding, and its fix if there is a writer.
    package func withPlaces(in sources: [MarketFile], budget: WorkBudget, fixes: FixWriter?) -> [Finding] {
        withPlaces(in: sources, MarketTrees(budget: budget), fixes: fixes)
    }

    /// The same, reusing the syntax trees of a load.
    func withPlaces(in sources: [MarketFile], _ trees: MarketTrees, fixes: FixWriter?) -> [Finding] {
        guard !isEmpty else { return self }
        var findings = self
        let files = Dictionary(sources.map { ($0.file, $0) }) { first, _ in first }
        let indices = Dictionary(grouping: findings.indices) { findings[$0].position?.file }
        for (name, indices) in indices {
            guard let file = name.flatMap({ files[$0] }),
                indices.contains(where: { findings[$0].position?.column != nil })
            else { continue }
            do throws(WorkBudget.Exceeded) {
                let tree = try trees.tree(of: file)
                // Columns cannot be counted in bytes that are not UTF-8, and saving the file as UTF-8 changes them.
                let isText = file.firstPlaceThatIsNotUTF8 == nil
                for index in indices { findings[index].add(tree, fixes: isText ? fixes : nil) }
            } catch {
                return findings  // the next charge to the budget reports it
            }
        }
        return findings
    }
}

extension Finding {
    fileprivate mutating func add(_ tree: LuaTree, fixes: FixWriter?) {
        guard let position, let byte = tree.byte(at: position) else { return }
        // The end of the token at the position, if there is one.
        let token = tree.tokens[tree.token(endingAfter: byte)]
        end = token.range.contains(byte) ? tree.position(ofByte: token.upperBound, in: position.file) : position
        fix = fixes?(self, position, tree)
    }
}
