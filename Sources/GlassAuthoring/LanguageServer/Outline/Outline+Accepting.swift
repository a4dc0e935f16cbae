import GlassMarketFiles
package import GlassSchema
import LuaSyntax

extension Outline {
    /// The reason that an edit writes, for the author to replace.
    private static let reason = "why this is intended"

    /// The edits that accept a warning: around the value that it is about, or in the `accept` that the value has.
    ///
    /// - Returns: The bytes and their replacements; nil if the warning cannot be accepted, or if it is about no value of
    ///   the file.
    package func acceptance(of finding: Finding) -> [Correction.Edit]? {
        guard finding.severity == .warning, finding.policy == nil, finding.code.canBeAccepted,
            let position = finding.position,
            var entry = entry(at: TextLines(tree.bytes).offset(of: position)), entries[entry].parent != nil
        else { return nil }
        let rule = "\(finding.code.rawValue) = \(Self.reason.luaLiteral)"
        // The value of an `accept` is the first element of its table. A name in that table is one of its rules.
        if let parent = entries[entry].parent, isAccept(parent) {
            guard entries[entry].key == .index(1) else { return nil }
            entry = parent
        }
        if isAccept(entry) {
            guard let last = entries[entry].children.last, !entries[last].tokens.isEmpty else { return nil }
            let end = tree.range(of: entries[last].tokens).upperBound
            return [Correction.Edit(end..<end, ", \(rule)")]
        }
        // What is nil, or still being typed, has no value to accept.
        switch entries[entry].value {
        case .missing, .name("nil"): return nil
        default: break
        }
        let value = tree.range(of: entries[entry].tokens)
        return [
            Correction.Edit(value.lowerBound..<value.lowerBound, "accept { "),
            Correction.Edit(value.upperBound..<value.upperBound, ", \(rule) }"),
        ]
    }

    private func isAccept(_ entry: Int) -> Bool {
        if case .word("accept", nil) = entries[entry].value { true } else { false }
    }
}
