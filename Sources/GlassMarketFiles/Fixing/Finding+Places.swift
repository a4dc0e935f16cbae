package import GlassBase
package import GlassMarkets
package import GlassSchema
import LuaSyntax

extension [Finding] {
    /// Adds the end position and the fix to each finding.
    package func withPlaces(in sources: [MarketFile], budget: WorkBudget) -> [Finding] {
        withPlaces(in: sources, MarketTrees(budget: budget))
    }

    /// Adds the end position and the fix to each finding, with the syntax that a load has read.
    func withPlaces(in sources: [MarketFile], _ trees: MarketTrees) -> [Finding] {
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
                for index in indices { findings[index].add(tree, fixes: isText) }
            } catch {
                return findings  // the next charge to the budget reports it
            }
        }
        return findings
    }
}

extension Finding {
    fileprivate mutating func add(_ tree: LuaTree, fixes: Bool) {
        guard let position, let byte = tree.byte(at: position) else { return }
        func place(_ byte: Int) -> SourcePosition { tree.position(ofByte: byte, in: position.file) }
        // The end of the token at the position, if there is one.
        let token = tree.tokens[tree.token(endingAfter: byte)]
        end = token.range.contains(byte) ? place(token.upperBound) : position
        guard fixes, let correction,
            let found = CorrectionEditor(tree: tree).edits(for: correction, at: position, hint: hint),
            !found.edits.isEmpty
        else { return }
        fix = Fix(
            title: found.title,
            edits: found.edits.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }.map {
                SourceEdit(
                    start: place($0.bytes.lowerBound), end: place($0.bytes.upperBound), text: $0.text, bytes: $0.bytes)
            }, isUnambiguous: found.isUnambiguous)
    }
}
