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

    /// The words of other languages for types.
    private static let otherWords = [
        "text": "string", "float": "number", "double": "number", "decimal": "number", "long": "integer",
    ]

    /// Suggests the only candidate that a name abbreviates, such as "integer" for "int" and "operations" for "ops": it
    /// begins with the same letter and has all of them in order.
    package static func abbreviation(_ name: String, of candidates: some Sequence<String>) -> Advice? {
        guard (2...20).contains(name.utf8.count) else { return nil }
        let letters = name.lowercased()
        let meant = candidates.filter { candidate in
            var rest = candidate.lowercased()[...]
            guard rest.first == letters.first else { return false }
            return letters.allSatisfy { letter in
                guard let place = rest.firstIndex(of: letter) else { return false }
                rest = rest[rest.index(after: place)...]
                return true
            }
        }
        let other = otherWords[letters].flatMap { word in candidates.first { $0 == word } }
        guard meant.count <= 1, let meant = meant.first ?? other else { return nil }
        return Advice("did you mean \"\(meant)\"?", .spelling(name, meant: meant, isUnambiguous: false))
    }

    /// The names that other formats have for a key.
    private static let otherNames = [
        "condition": "when", "conditions": "when", "context": "when", "if": "when", "percentage": "percent",
    ]

    /// Suggests the key that has another name in other formats.
    package static func otherName(_ name: String, in candidates: some Sequence<String>) -> Advice? {
        guard let meant = otherNames[name], candidates.contains(meant) else { return nil }
        return Advice("did you mean \"\(meant)\"?", .spelling(name, meant: meant, isUnambiguous: false))
    }

    /// Suggests the Boolean value that a word of another format or language means; nil if it means none.
    static func boolean(_ word: String) -> Advice? {
        guard word.utf8.count <= 10 else { return nil }
        let meant: Bool
        switch word.lowercased() {
        case "true", "yes", "on", "1", "enabled": meant = true
        case "false", "no", "off", "0", "disabled": meant = false
        default: return nil
        }
        return Advice("write \(meant), without quotes", .rewrite("\(meant)", isUnambiguous: false))
    }

    /// Suggests a table for a list of names: each name as a key, with an example of its value.
    ///
    /// - Parameter type: The type of the value of a key; nil if there is no such key.
    static func keys(_ elements: [ConfigurationNode], _ type: (String) -> ValueType?) -> Advice? {
        guard (1...6).contains(elements.count) else { return nil }
        var entries: [String] = []
        for element in elements {
            guard case .string(let name) = element.value, let type = type(name) else { return nil }
            entries.append("\(name.luaKey) = \(type.exampleOfTable)")
        }
        let table = "{ \(entries.joined(separator: ", ")) }"
        return Advice("write \(table)", .rewrite(table, isUnambiguous: false))
    }

    /// Suggests what to write instead of a text.
    package static func write(_ meant: String, for written: String) -> Advice {
        Advice("write \"\(meant)\"", .spelling(written, meant: meant, isUnambiguous: true))
    }
}
