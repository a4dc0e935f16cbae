import GlassSchema

extension MarketDifference {
    /// One line for each key and then for each link: `currency: "USD" in us, "CAD" in ca` between markets,
    /// `~ currency: "CAD" → "USD"` between versions, with `+` for what came and `-` for what went.
    public var lines: [String] { keys.map(text) + links.map(text) }

    /// A key that differs, on one line.
    ///
    /// - Parameter key: One of ``keys``.
    /// - Returns: The line.
    package func text(of key: KeyDifference) -> String {
        let note = key.isSecret && key.kind == .changed ? "; another secret" : ""
        if areVersions { return "\(key.kind.sign) \(key.path): \(versions(of: key))\(note)" }
        if let elements = key.elements {
            let parts = zip(labels, [elements.onlyFirst, elements.onlySecond]).filter { !$0.1.isEmpty }
            if parts.isEmpty { return "\(key.path): the same elements in another order" }
            let texts = parts.map { "only in \($0): \(Self.listed($1.map(\.summary)))" }
            return "\(key.path): \(texts.joined(separator: "; "))"
        }
        let sides = zip(labels, key.sides).map { label, side in "\(side.text) in \(label)\(side.note)" }
        return "\(key.path): \(sides.joined(separator: ", "))\(note)"
    }

    /// A routable whose links differ, on one line.
    ///
    /// - Parameter link: One of ``links``.
    /// - Returns: The line.
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

    /// How much differs: `2 keys and 1 link differ`, `nothing differs`.
    public var summary: String {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        let parts = [(keys.count, "key"), (links.count, "link")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        guard !parts.isEmpty else { return "nothing differs" }
        return parts.joined(separator: " and ") + (keys.count + links.count == 1 ? " differs" : " differ")
    }

    /// The first few of many texts.
    private static func listed(_ texts: [String]) -> String {
        let shown = 4
        guard texts.count > shown + 1 else { return texts.joined(separator: ", ") }
        return texts.prefix(shown).joined(separator: ", ") + " and \(texts.count - shown) more"
    }

    private func versions(of key: KeyDifference) -> String {
        if let elements = key.elements {
            let parts = [
                elements.onlyFirst.map { "- \($0.summary)" }, elements.onlySecond.map { "+ \($0.summary)" },
            ].filter { !$0.isEmpty }
            return parts.isEmpty
                ? "the same elements in another order" : parts.map(Self.listed).joined(separator: ", ")
        }
        switch key.kind {
        case .changed: return "\(key.sides[0].text) → \(key.sides[1].text)"
        case .added: return key.sides[1].text
        case .removed: return key.sides[0].text + key.sides[1].note
        }
    }
}

extension KeyDifference.Kind {
    fileprivate var sign: String {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
    }
}

extension KeyDifference.Side {
    fileprivate var text: String { value?.summary ?? "nothing" }

    /// What is worth saying about a value that is not there.
    fileprivate var note: String {
        guard case .removed(let position) = self else { return "" }
        return position.map { " (removed at \($0))" } ?? " (removed)"
    }
}
