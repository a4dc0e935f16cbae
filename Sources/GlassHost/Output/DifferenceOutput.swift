import GlassBase
import GlassMarketFiles
package import GlassMarkets
import GlassSchema

/// A difference as JSON: what each market has at each key and for each routable; secrets show their names.
package struct DifferenceOutput: Encodable {
    struct Key: Encodable {
        let key: String
        let kind: String
        let secret: Bool
        let sides: [Side]
    }

    struct Side: Encodable {
        /// `value`, `removed` or `missing`.
        let state: String
        @Nullable var value: JSONValue?
        @Nullable var position: String?

        init(_ side: KeyDifference.Side) {
            switch side {
            case .value: state = "value"
            case .removed: state = "removed"
            case .missing: state = "missing"
            }
            value = side.value.map(JSONValue.init)
            position = side.position.map { "\($0)" }
        }
    }

    struct Link: Encodable {
        let routable: String
        let sides: [LinkSide]
    }

    struct LinkSide: Encodable {
        let links: [String]
        @Nullable var waitsFor: String?

        init(_ side: LinkDifference.Side?) {
            links = side?.links ?? []
            waitsFor = side?.waitsFor
        }
    }

    let labels: [String]
    let keys: [Key]
    let links: [Link]

    /// Describes a difference.
    ///
    /// - Parameter difference: The difference.
    package init(_ difference: MarketDifference) {
        labels = difference.labels
        keys = difference.keys.map { key in
            Key(
                key: key.path.description, kind: key.kind.rawValue, secret: key.isSecret,
                sides: key.sides.map(Side.init))
        }
        links = difference.links.map { Link(routable: $0.routable, sides: $0.sides.map(LinkSide.init)) }
    }
}

extension MarketDifference {
    /// The difference as a Markdown section: a table of keys and one of links.
    var markdown: String {
        var lines = ["## \(labels.map(Markdown.text).joined(separator: areVersions ? " → " : ", "))", ""]
        if isEmpty { lines += ["Nothing differs.", ""] }
        let head = { (first: String) in
            [
                Markdown.row(([first] + labels).map(Markdown.text)),
                "|\(String(repeating: "---|", count: labels.count + 1))",
            ]
        }
        if !keys.isEmpty {
            lines += head("key")
            for key in keys {
                let cells =
                    key.elementCells
                    ?? key.sides.map { side in
                        switch side {
                        case .value(let value, _): Markdown.code(value.summary)
                        case .removed: "*removed*"
                        case .missing: "*nothing*"
                        }
                    }
                lines.append(Markdown.row([Markdown.code(key.path.description)] + cells))
            }
            lines.append("")
        }
        if !links.isEmpty {
            lines += head("link")
            for link in links {
                let waitsDiffer = link.waitsDiffer
                let cells = link.sides.map { side -> String in
                    guard let side else { return "*nothing*" }
                    let note = waitsDiffer ? "<br>waits for \(Markdown.text(side.waitsFor))" : ""
                    return side.links.map(Markdown.code).joined(separator: "<br>") + note
                }
                lines.append(Markdown.row([Markdown.code(link.routable)] + cells))
            }
            lines.append("")
        }
        return lines.dropLast().joined(separator: "\n")
    }
}

extension KeyDifference {
    /// What each side of a list has alone, because the beginnings of two long lists look alike; nil for other values.
    fileprivate var elementCells: [String]? {
        guard let elements, !(elements.onlyFirst.isEmpty && elements.onlySecond.isEmpty) else { return nil }
        return [elements.onlyFirst, elements.onlySecond].map { own in
            own.isEmpty
                ? "*nothing alone*" : "alone: " + own.map { Markdown.code($0.summary) }.joined(separator: "<br>")
        }
    }
}
