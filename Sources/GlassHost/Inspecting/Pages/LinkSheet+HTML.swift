import GlassBase
import GlassInspector

extension LinkSheet {
    /// The sheet as the main part of a page: a heading for each feature, and for each pattern its examples with codes to
    /// scan.
    var html: HTML {
        let intro: HTML =
            patternCount == 0
            ? "No links open anything in this market."
            : "Scan a code with a device that has the app, or tap a link there. The codes contain sample values."
        return .group(
            [.element("p.intro", intro), .element("div.sheet", [:], features.enumerated().map(Self.section))]
                + (omitted == 0
                    ? []
                    : [
                        .element(
                            "p.note",
                            "And \(omitted.grouped) more: a sheet shows at most \(Self.maximumEntries) patterns.")
                    ]))
    }

    private static func section(_ index: Int, _ feature: Feature) -> HTML {
        let anchor = "feature-\(index + 1)"
        return .element(
            "section.feature", ["aria-labelledby": anchor],
            .element(
                "header",
                .element("h2", ["id": anchor], "\(feature.id.inWords.withCapital)"),
                .element("p", "\(feature.summary) \(feature.condition)")),
            .element("ul.entries", [:], feature.entries.map(item)))
    }

    private static func item(_ entry: Entry) -> HTML {
        let values: HTML =
            entry.parameters.isEmpty
            ? .empty
            : .element(
                "dl", [:],
                entry.parameters.map {
                    .group([.element("dt", .element("code", "\($0.name)")), .element("dd", "\($0.values)")])
                })
        let outcome =
            entry.links.isEmpty
            ? HTML("No example of this pattern opens it.")
            : entry.sentence.map { $0.html } ?? .empty
        return .element(
            "li.entry",
            .element("h3", .element("code", "\(entry.pattern)")),
            .element("p.outcome", outcome), values,
            .element("div.codes", [:], entry.links.map(figure)))
    }

    private static func figure(_ link: Link) -> HTML {
        let kind = link.isOfApp ? "App link" : "Web link"
        let code = QRCode(link.url).map { HTML.drawing($0.svg(label: "Code of the \(kind.lowercased()) \(link.url)")) }
        return .element(
            "figure", code ?? .element("p.note", "This link is too long for a code."),
            .element("figcaption", .element("span.note", "\(kind)"), .link(link.url)))
    }
}

extension LinkSentence {
    /// The sentence, with a sign for its kind, so that it doesn't depend on color alone.
    var html: HTML {
        let sign: HTML
        switch kind {
        case .opens: sign = .element("span.good", ["aria-hidden": "true"], "✔")
        case .waits: sign = .element("span.warn", ["aria-hidden": "true"], "◷")
        case .external: sign = .element("span.warn", ["aria-hidden": "true"], "↗")
        case .foreign, .unmatched, .refused, .failed: sign = .element("span.bad", ["aria-hidden": "true"], "✖")
        }
        return "\(sign) \(text)"
    }
}

extension HTML {
    /// A link of a market that loads: a market cannot have a scheme that a browser runs, such as `javascript`.
    static func link(_ url: String) -> HTML { .element("a.link", ["href": url], "\(url)") }
}
