import GlassBase
import GlassSchema

extension MarketDifference {
    /// The lines of each key and then one for each link and each flag whose units move: `currency: "USD" in us, "CAD" in ca` between markets, `~
    /// currency: "CAD" → "USD"` between versions, with `+` for what was added and `-` for what was removed.
    public var lines: [String] { keys.flatMap(lines) + links.map(text) + flags.map { "\($0.subject): \($0.text)" } }

    /// The lines for a key that differs: one, or one for each position if lists differ inside.
    package func lines(of key: KeyDifference) -> [String] {
        guard key.parts.isEmpty else { return key.parts.map { line(of: $0, in: key) } }
        let values = key.sides.map(\.value)
        let notes = key.sides.map(\.note)
        guard key.places.count == 2, values.count == 2 else { return [line(at: "\(key.path)", values, notes)] }
        let functions = key.sides.map { "a function" + ($0.position.map { " (\($0))" } ?? "") }
        let end = "; their texts first differ at \(key.places[0]) and \(key.places[1])"
        return [
            areVersions
                ? "~ \(key.path): \(functions[0]) → \(functions[1])\(end)"
                : "\(key.path): \(functions[0]) in \(labels[0]), \(functions[1]) in \(labels[1])\(end)"
        ]
    }

    private func line(of part: StructuralDifference<ConfigurationValue>, in key: KeyDifference) -> String {
        let path = "\(key.path)\(part.path)"
        let sign = areVersions ? "~ " : ""
        switch part.form {
        case .values(let values): return line(at: path, values, [])
        case .order: return "\(sign)\(path): the same elements in a different order"
        case .elements(let sides):
            let texts = zip(labels, sides).filter { !$0.1.isEmpty }.map { label, elements in
                (label, elements.map(\.value.summary))
            }
            guard areVersions else {
                let parts = texts.map {
                    labels.count > 2 ? "\($0): \(Self.listed($1))" : "only in \($0): \(Self.listed($1))"
                }
                return "\(path): " + (labels.count > 2 ? "not in all; " : "") + parts.joined(separator: "; ")
            }
            let parts = zip(["-", "+"], sides).filter { !$0.1.isEmpty }.map { sign, elements in
                Self.listed(elements.map { "\(sign) \($0.value.summary)" })
            }
            return "~ \(path): \(parts.joined(separator: ", "))"
        }
    }

    /// The line for the values of the sides at a path.
    private func line(at path: String, _ values: [ConfigurationValue?], _ notes: [String]) -> String {
        let (texts, excerpt) = ConfigurationValue.summaries(of: values)
        let isSecret = values.contains { if case .secret? = $0 { true } else { false } }
        let areAll = !values.contains { $0 == nil }
        let note = (isSecret && areAll ? "; a different secret" : "") + excerpt
        let notes = notes.isEmpty ? values.map { _ in "" } : notes
        guard areVersions else {
            let sides = values.indices.map { "\(texts[$0]) in \(labels[$0])\(notes[$0])" }
            return "\(path): \(sides.joined(separator: ", "))\(note)"
        }
        switch (values[0] == nil, values[1] == nil) {
        case (true, _): return "+ \(path): \(texts[1])"
        case (_, true): return "- \(path): \(texts[0])\(notes[1])"
        case (false, false): return "~ \(path): \(texts[0]) → \(texts[1])\(note)"
        }
    }

    /// A routable whose links differ, on one line.
    package func text(of link: LinkDifference) -> String {
        let waitsDiffer = link.waitsDiffer
        func text(_ side: LinkDifference.Side?) -> String {
            guard let side else { return "nothing" }
            return side.links.joined(separator: " and ") + (waitsDiffer ? " (waits for \(side.waitsFor))" : "")
        }
        if areVersions {
            let sign = link.sides[0] == nil ? "+" : link.sides[1] == nil ? "-" : "~"
            let shown = link.sides.contains { $0 == nil } ? link.sides.filter { $0 != nil } : link.sides
            return "\(sign) \(link.routable): \(shown.map(text).joined(separator: " → "))"
        }
        let sides = zip(labels, link.sides).map { "\(text($1)) in \($0)" }
        return "\(link.routable): \(sides.joined(separator: ", "))"
    }

    /// The number of differences: `2 keys and 1 link differ`, `nothing differs`.
    public var summary: String {
        let parts = [(keys.count, "key"), (links.count, "link")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
        guard !parts.isEmpty else { return "nothing differs" }
        return parts.joined(separator: " and ") + (keys.count + links.count == 1 ? " differs" : " differ")
    }

    /// The first few of many texts, and the number of the others.
    private static func listed(_ texts: [String]) -> String {
        let shown = 4
        guard texts.count > shown + 1 else { return texts.joined(separator: ", ") }
        return texts.prefix(shown).joined(separator: ", ") + " and \(texts.count - shown) more"
    }
}

extension KeyDifference.Side {
    /// A note about a value that was removed.
    fileprivate var note: String {
        guard case .removed(let position) = self else { return "" }
        return position.map { " (removed at \($0))" } ?? " (removed)"
    }
}
