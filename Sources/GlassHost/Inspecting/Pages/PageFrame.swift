import GlassBase
import GlassInspector

/// A page without scripts: one that the server sends, or a file of a folder of pages.
struct PageFrame {
    /// The title and heading.
    let title: String
    /// The id of the market that the page is about; nil for a page about all markets.
    var market: String?
    /// The address of the style sheet.
    let style: String
    /// The address of the icon. Static pages do not have one.
    var icon: String?
    /// The links to other pages.
    var links: [(title: String, address: String)] = []
    /// The main part.
    let content: HTML

    /// The document.
    var document: String {
        let subtitle = market.map { HTML.element("span.note", " \($0)") } ?? .empty
        let navigation: HTML =
            links.isEmpty
            ? .empty
            : .element(
                "nav", ["aria-label": "Pages"],
                [
                    .element(
                        "ul", [:],
                        links.map { .element("li", .element("a", ["href": $0.address], "\($0.title)")) })
                ])
        let page = HTML.group([
            .element(
                "head", .element("meta", ["charset": "utf-8"]),
                .element("title", "\(market.map { "\(title) (\($0))" } ?? title) · Glass host"),
                .element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                .element("meta", ["name": "color-scheme", "content": "light dark"]),
                // Nothing on the page runs, whatever a market contains.
                .element(
                    "meta",
                    [
                        "http-equiv": "Content-Security-Policy",
                        "content": "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
                    ]),
                .element("link", ["rel": "stylesheet", "href": style]),
                icon.map { .element("link", ["rel": "icon", "href": $0, "type": "image/svg+xml"]) } ?? .empty),
            .element(
                "body", .element("a.skip", ["href": "#main"], "Skip to content"),
                .element("header.top", .element("h1", "\(title)\(subtitle)"), navigation),
                .element("main", ["id": "main", "tabindex": "-1"], content)),
        ])
        return "<!doctype html>\n" + HTML.element("html", ["lang": "en"], page).markup + "\n"
    }
}

extension PageFrame {
    /// The page of a market's link sheet, which the server sends.
    init(served sheet: LinkSheet) {
        self.init(
            title: sheet.name, market: sheet.id, style: "/pages.css",
            icon: "/icon.svg",  // otherwise, a browser asks for another one
            content: sheet.html)
    }
}
