import GlassBase
import GlassInspector
import GlassMarkets
import GlassSchema

/// The pages of one market, and its card on the page of all markets.
struct MarketPages {
    /// The maximum number of findings on a card.
    private static let maximumFindings = 20
    /// The number of features on a card.
    private static let cardFeatures = 4
    /// The maximum number of differences on a page.
    private static let maximumChanges = 500

    /// A page.
    struct Page {
        let name: String
        let text: String
    }

    /// The market's id.
    let id: String
    /// Whether it loads.
    let isValid: Bool
    /// The number of its findings.
    let findings: Int
    /// The card.
    let card: HTML
    /// The pages; none if the market has errors.
    let pages: [Page]

    /// The names of the pages of a market, even if it does not load.
    static func names(of id: String) -> [String] { Tab.allCases.map { $0.file(of: id) } }

    private enum Tab: String, CaseIterable {
        case links = "Links"
        case values = "Values"
        case services = "Services"
        case changes = "Changes"

        /// The file of the tab. An id has no dots, so no two files have the same name.
        func file(of id: String) -> String {
            let name = id == "index" ? "index.market" : id
            return self == .links ? "\(name).html" : "\(name).\(rawValue.lowercased()).html"
        }
    }

    /// Creates the pages of a market that loads.
    ///
    /// - Parameters:
    ///   - market: The market, which nothing else uses.
    ///   - found: Its findings.
    ///   - module: The module with its own services, rather than the mocks with which links are opened.
    ///   - base: The market that it extends; nil if it extends none, or an abstract base.
    init(
        of market: Market, _ found: [Finding], base: Market?, services module: MarketModule, clock: ContextDate,
        _ paths: PagePaths,
        _ budget: WorkBudget
    ) throws {
        id = market.id
        isValid = true
        findings = found.count
        let sheet = try LinkSheet(market, budget)
        let difference = try base.map { base throws(WorkBudget.Exceeded) in
            try MarketDifference([base, market], budget: budget)
        }
        var values = LuaValues(of: market, paths, budget)
        let contents: [(tab: Tab, content: HTML)] = [
            (.links, sheet.html), (.values, .group([Self.introduction(to: market), try values.html()])),
            (.services, Self.services(of: module)),
            (.changes, Self.changes(difference, of: market, base, paths)),
        ]
        pages = contents.map { tab, content in
            let links: [(title: String, address: String?)] =
                [("All markets", "index.html")]
                + Tab.allCases.map { ($0.rawValue, $0 == tab ? nil : $0.file(of: market.id)) }
            let frame = PageFrame(
                title: market.definition.name, market: market.id, style: "style.css", links: links, content: content)
            return Page(name: tab.file(of: market.id), text: frame.document)
        }
        let flags = market.flagReports([], now: clock)
        let examples = sheet.features.compactMap { feature in feature.entries.first { !$0.links.isEmpty } }
        card = .element(
            "article.card",
            .element(
                "h2", .element("a", ["href": Tab.links.file(of: id)], "\(market.definition.name)"),
                .element("span.note", " \(id)")),
            .element("p", Self.health(of: found)),
            .element("p", "\(Self.facts(of: market, sheet, base))"),
            Self.list(found, paths),
            flags.isEmpty
                ? .empty
                : .group([
                    .element("h3", "Flags"),
                    .element(
                        "ul", [:],
                        flags.map { flag in
                            .element(
                                "li", .element("code", "\(flag.flag.name)"), ": ",
                                .element("strong", "\(FlagSentence(flag).value)"),
                                .element("span.note", " \(flag.flag.definition.doc)"))
                        }),
                ]),
            examples.isEmpty
                ? .empty
                : .group([
                    .element("h3", "Links to try"),
                    .element(
                        "ul", [:],
                        examples.prefix(Self.cardFeatures).map { entry in
                            .element(
                                "li", .link(entry.links[0].url), .element("br"),
                                .element("span.outcome", entry.sentence?.html ?? .empty))
                        }),
                ]),
            .element(
                "p.more",
                HTML.joined(
                    Tab.allCases.map { tab in
                        .element(
                            "a",
                            [
                                "href": tab.file(of: market.id),
                                "aria-label": "\(tab.rawValue) of \(market.definition.name)",
                            ],
                            "\(tab.rawValue)")
                    }, separator: " · ")))
    }

    /// Creates the card of a market with errors.
    init(broken id: String, _ findings: [Finding], _ paths: PagePaths) {
        self.id = id
        isValid = false
        self.findings = findings.count
        pages = []
        card = .element(
            "article.card.broken", .element("h2", "\(id)"), .element("p", Self.health(of: findings)),
            .element("p", "This market cannot be used until its errors are fixed, so it has no pages."),
            Self.list(findings, paths))
    }

    // MARK: The card

    private static func health(of findings: [Finding]) -> HTML {
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count { $0.severity == .warning }
        if errors > 0 { return .element("span.chip.bad", "✖ Broken: \(errors.counted("error"))") }
        if warnings > 0 {
            return .element("span.chip.warn", "▲ Works, with \(warnings.counted("warning"))")
        }
        return .element("span.chip.good", "✔ Healthy")
    }

    private static func facts(of market: Market, _ sheet: LinkSheet, _ base: Market?) -> String {
        let definition = market.definition
        let extends =
            definition.extends.map { "Extends \(base.map { "\($0.definition.name) (\($0.id))" } ?? $0). " } ?? ""
        return
            "\(extends)Prices in \(definition.currency). \(definition.locales.count == 1 ? "Language" : "Languages"): "
            + "\(definition.locales.inProse()). \(sheet.patternCount.counted("link pattern")) for "
            + "\(sheet.features.count.counted("feature"))."
    }

    private static func list(_ findings: [Finding], _ paths: PagePaths) -> HTML {
        // Errors first.
        let sorted = findings.filter { $0.severity == .error } + findings.filter { $0.severity != .error }
        guard !sorted.isEmpty else { return .empty }
        let rest = sorted.count - maximumFindings
        return .group([
            .element("h3", "Findings"),
            .element(
                "ul", [:],
                sorted.prefix(maximumFindings).map { finding in
                    let kind = finding.severity.rawValue
                    let sign: HTML =
                        finding.severity == .error
                        ? .element("strong.bad", "✖ \(kind)") : .element("strong.warn", "▲ \(kind)")
                    let key: HTML =
                        finding.path.elements.isEmpty ? "" : .group([.element("code", "\(finding.path)"), ": "])
                    let position = finding.position.map { " (\(paths.shown($0.description)))" } ?? ""
                    let hint = finding.hint.map { " Hint: \(ended(paths.shown($0)))" } ?? ""
                    return .element(
                        "li", "\(sign) \(key)\(ended(paths.shown(finding.message)))",
                        .element("span.note", "\(hint)\(position)"))
                }),
            rest > 0 ? .element("p.note", "And \(rest.grouped) more.") : .empty,
        ])
    }

    /// A message as a sentence: some end with the documentation of a key, which has a full stop.
    private static func ended(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    // MARK: The pages

    private static func introduction(to market: Market) -> HTML {
        let marked: HTML =
            market.definition.extends.map { base in
                "What this market sets itself is marked “changed” or “added”; everything else comes from \(base) or is a default."
            } ?? "Every value of the market, with the defaults of what its file does not set."
        return .element("p.intro", "\(marked) Secrets are shown by name.")
    }

    private static func services(of module: MarketModule) -> HTML {
        let rows = module.services.map { service in
            let description = ServiceDescription(service, nil, in: module)
            let needs = description.needs.isEmpty ? "" : " Needs \(description.needs.inProse())."
            return HTML.element(
                "li", .element("code", "\(description.name)"), .element("span.note", " \(service.area)"),
                .element("br"), "\(description.summary)\(needs)")
        }
        return .group([
            .element("p.intro", "The services that every market of this app has; a service needs those to its right."),
            .element(
                "div.scroll", ["tabindex": "0", "role": "region", "aria-label": "Picture of the services"],
                .drawing(ServiceDiagram(of: module).svg)),
            .element("h2", "The same as a list"), .element("ul.changes.box", [:], rows),
        ])
    }

    private static func changes(
        _ difference: MarketDifference?, of market: Market, _ base: Market?, _ paths: PagePaths
    ) -> HTML {
        guard let difference, let base else {
            return .element(
                "p.intro",
                market.definition.extends.map { name in
                    let reason = market.origin.nearestMarket == nil ? "is an abstract base" : "has errors"
                    return """
                        This market extends \(name), which \(reason). The Values page marks what this market changes.
                        """
                } ?? "This market extends no other market, so there is nothing to compare it with.")
        }
        let name = base.definition.name
        func list(_ title: HTML, _ items: [(key: String, lines: [String])]) -> HTML {
            guard !items.isEmpty else { return .empty }
            let rest = items.count - maximumChanges
            return .group([
                .element("h2", title),
                .element(
                    "ul.changes.box", [:],
                    items.prefix(maximumChanges).map { item in
                        .element(
                            "li", .element("code", "\(item.key)"),
                            .group(item.lines.map { .group([.element("br"), "\(paths.shown($0))"]) }))
                    }),
                rest > 0 ? .element("p.note", "And \(rest.grouped) more.") : .empty,
            ])
        }
        /// A line without the key with which it begins.
        func shortened(_ line: String, _ key: String) -> String {
            line.hasPrefix("\(key): ") ? String(line.dropFirst(key.count + 2)) : line
        }
        return .group([
            .element(
                "p.intro", "Compared with \(name) (\(base.id)), which this market extends: \(difference.summary)."),
            list(
                "Links",
                difference.links.map { ($0.routable, [shortened(difference.text(of: $0), $0.routable)]) }),
            list(
                "Values",
                difference.keys.map { key in
                    let path = key.path.description
                    return (path, difference.lines(of: key).map { shortened($0, path) })
                }),
        ])
    }
}
