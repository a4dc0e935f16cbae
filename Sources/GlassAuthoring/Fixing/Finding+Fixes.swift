package import GlassBase
package import GlassMarketFiles
package import GlassMarkets
package import GlassSchema
import LuaSyntax

extension MarketLoader {
    /// A copy of the loader whose findings have fixes.
    package var writingFixes: MarketLoader { writingFixes { $0.fix(at: $1, in: $2) } }
}

extension [Finding] {
    /// Adds the end position and the fix to each finding.
    package func withPlacesAndFixes(in sources: [MarketFile], budget: WorkBudget) -> [Finding] {
        withPlaces(in: sources, budget: budget) { $0.fix(at: $1, in: $2) }
    }
}

extension Finding {
    /// The edits of the finding's correction.
    fileprivate func fix(at position: SourcePosition, in tree: LuaTree) -> Fix? {
        guard let correction,
            let found = CorrectionEditor(tree: tree).edits(for: correction, at: position, hint: hint),
            !found.edits.isEmpty
        else { return nil }
        func place(_ byte: Int) -> SourcePosition { tree.position(ofByte: byte, in: position.file) }
        return Fix(
            title: found.title,
            edits: found.edits.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }.map {
                SourceEdit(
                    start: place($0.bytes.lowerBound), end: place($0.bytes.upperBound), text: $0.text, bytes: $0.bytes)
            }, isUnambiguous: found.isUnambiguous)
    }
}
