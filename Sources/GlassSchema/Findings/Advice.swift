package import GlassBase

/// What a finding advises: in words, and as a correction where the words say which.
package struct Advice: Sendable, Hashable {
    /// What to do, in words.
    package var hint: String?
    /// The same for a program; nil where the words leave something open.
    package var correction: Correction?

    /// Creates advice.
    package init(_ hint: String?, _ correction: Correction? = nil) {
        self.hint = hint
        self.correction = correction
    }

    /// Asks whether a name was misspelt.
    package static func nearest(
        to name: String, in candidates: some Sequence<String>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Advice? {
        guard let match = try Suggestion.match(for: name, in: candidates, budget: budget) else { return nil }
        return Advice(
            "did you mean \"\(match.name)\"?", .spelling(name, meant: match.name, isUnambiguous: match.isUnambiguous))
    }

    /// The same without a limit.
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> Advice? {
        do {
            return try nearest(to: name, in: candidates, budget: .unlimited)
        } catch {
            return nil  // it has no limit
        }
    }

    /// Says what to write for a text.
    package static func write(_ meant: String, for written: String) -> Advice {
        Advice("write \"\(meant)\"", .spelling(written, meant: meant, isUnambiguous: true))
    }
}
