package import GlassBase

/// The advice of a finding: a hint and, if the hint is specific enough, a correction.
package struct Advice: Sendable, Hashable {
    /// The hint, for people.
    package var hint: String?
    /// The correction, for programs; nil if the hint is not specific enough.
    package var correction: Correction?

    /// Creates advice.
    package init(_ hint: String?, _ correction: Correction? = nil) {
        self.hint = hint
        self.correction = correction
    }

    /// Suggests the candidate that is nearest to a misspelled name.
    package static func nearest(
        to name: String, in candidates: some Sequence<String>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Advice? {
        guard let match = try Suggestion.match(for: name, in: candidates, budget: budget) else { return nil }
        return Advice(
            "did you mean \"\(match.name)\"?", .spelling(name, meant: match.name, isUnambiguous: match.isUnambiguous))
    }

    /// The same, without a limit.
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> Advice? {
        do {
            return try nearest(to: name, in: candidates, budget: .unlimited)
        } catch {
            return nil  // not reached: the budget has no limits
        }
    }

    /// Suggests what to write instead of a text.
    package static func write(_ meant: String, for written: String) -> Advice {
        Advice("write \"\(meant)\"", .spelling(written, meant: meant, isUnambiguous: true))
    }
}
