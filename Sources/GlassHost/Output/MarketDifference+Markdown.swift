import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension MarketDifference {
    /// The difference as a Markdown section: a table of keys and one of links.
    var markdown: String { markdown(title: nil) }

    /// The difference as a Markdown section.
    ///
    /// - Parameter title: What follows the labels in the header, in Markdown.
    func markdown(title: String?) -> String {
        let header = labels.map(Markdown.text).joined(separator: areVersions ? " → " : ", ")
        var lines = ["## \(header)\(title.map { ", \($0)" } ?? "")", ""]
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
        if !flags.isEmpty {
            lines += flags.map { "- \(Markdown.text("\($0.subject): \($0.text)"))" } + [""]
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
