import GlassBase
import GlassInspector

extension LinkSheet {
    /// The sheet as the main part of a page: a heading for each feature, and for each pattern its examples with codes to
    /// scan.
    var html: HTML {
        let count = features.reduce(omitted) { $0 + $1.entries.count }
        let intro: HTML =
            count == 0
            ? "No links open anything in this market."
            : """
            Scan a code with a device that has the app, or tap a link there. Each code is an example: replace its values \
            with real ones.
            """
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
        let title = feature.id.inWords
        let anchor = "feature-\(index + 1)"
        return .element(
            "section.feature", ["aria-labelledby": anchor],
            .element(
                "header",
                .element("h2", ["id": anchor], "\(title.prefix(1).uppercased() + title.dropFirst())"),
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
            ? HTML("No example: other patterns of this market take its links.")
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
        case .waits, .external: sign = .element("span.warn", ["aria-hidden": "true"], "◷")
        case .foreign, .unmatched, .refused, .failed: sign = .element("span.bad", ["aria-hidden": "true"], "✖")
        }
        return "\(sign) \(text)"
    }
}

extension HTML {
    /// A link of a market. It can be followed only if it leads to an app or to the web: a scheme such as `javascript`
    /// would be run by the page.
    static func link(_ url: String) -> HTML {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        let isRun = ["javascript", "vbscript", "data", "file", "blob", "about", "view-source"].contains(scheme)
        return .element(isRun ? "span.link" : "a.link", ["href": isRun ? nil : url], "\(url)")
    }
}
