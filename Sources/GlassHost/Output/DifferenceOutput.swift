import GlassBase
import GlassMarketFiles
package import GlassMarkets
import GlassSchema

/// A difference as JSON: the value of each key and the links of each routable, by market, with secrets by name.
package struct DifferenceOutput: Encodable {
    struct Key: Encodable {
        let key: String
        let kind: String
        let secret: Bool
        let sides: [Side]
        /// The differences inside lists; empty if there are none, or if the values are not lists.
        let parts: [Part]
    }

    struct Part: Encodable {
        /// The full path: `platform.cookieStorage.cookies[name=storeId].value`.
        let path: String
        /// `values`, `elements`, or `order`.
        let kind: String
        let sides: [PartSide]

        init(_ part: StructuralDifference<ConfigurationValue>, of key: KeyDifference) {
            path = "\(key.path)\(part.path)"
            switch part.form {
            case .values(let values):
                kind = "values"
                sides = values.map { PartSide(value: $0) }
            case .elements(let elements):
                kind = "elements"
                sides = elements.map { PartSide(elements: $0.map(\.value)) }
            case .order:
                kind = "order"
                sides = []
            }
        }
    }

    struct PartSide: Encodable {
        @Nullable var value: JSONValue?
        /// The elements that are not on every side.
        let elements: [JSONValue]

        init(value: ConfigurationValue? = nil, elements: [ConfigurationValue] = []) {
            self.elements = elements.map(JSONValue.init)
            self.value = value.map(JSONValue.init)
        }
    }

    struct Side: Encodable {
        /// `value`, `removed`, or `missing`.
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
    package init(_ difference: MarketDifference) {
        labels = difference.labels
        keys = difference.keys.map { key in
            Key(
                key: key.path.description, kind: key.kind.rawValue, secret: key.isSecret,
                sides: key.sides.map(Side.init), parts: key.parts.map { Part($0, of: key) })
        }
        links = difference.links.map { Link(routable: $0.routable, sides: $0.sides.map(LinkSide.init)) }
    }
}

extension MarketDifference {
    /// The difference as a Markdown section: a table of keys and one of links.
    var markdown: String {
        var lines = ["## \(labels.map(Markdown.text).joined(separator: areVersions ? " → " : ", "))", ""]
        if isEmpty { lines += ["No differences.", ""] }
        let head = { (first: String) in
            [
                Markdown.row(([first] + labels).map(Markdown.text)),
                "|\(String(repeating: "---|", count: labels.count + 1))",
            ]
        }
        if !keys.isEmpty {
            lines += head("key")
            for key in keys {
                for (path, cells) in key.rows {
                    lines.append(Markdown.row([Markdown.code("\(key.path)\(path)")] + cells))
                }
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
    /// The rows of a table with a cell for each side: one for the key, or one for each position inside it.
    fileprivate var rows: [(path: String, cells: [String])] {
        guard parts.isEmpty else { return parts.map { ($0.path, self.cells(of: $0)) } }
        let texts = ConfigurationValue.summaries(of: sides.map(\.value)).texts
        let cells = zip(sides, texts).map { side, text in
            switch side {
            case .value: Markdown.code(text)
            case .removed: "*removed*"
            case .missing: "*nothing*"
            }
        }
        return [("", cells)]
    }

    private func cells(of part: StructuralDifference<ConfigurationValue>) -> [String] {
        switch part.form {
        case .values(let values):
            let texts = ConfigurationValue.summaries(of: values).texts
            return zip(values, texts).map { $0 == nil ? "*nothing*" : Markdown.code($1) }
        case .elements(let elements):
            return elements.map { own in
                own.isEmpty
                    ? "*no extra elements*"
                    : "extra: " + own.map { Markdown.code($0.value.summary) }.joined(separator: "<br>")
            }
        case .order: return sides.map { _ in "*different order*" }
        }
    }
}
