import GlassBase
import GlassInspector
import GlassMarkets
import GlassSchema

/// The page of one market, which is its link sheet, and its card on the page of all markets.
struct MarketPage {
    /// The maximum number of findings on a card.
    private static let maximumFindings = 20
    /// The number of features on a card.
    private static let cardFeatures = 4

    /// The market's id.
    let id: String
    /// Whether it loads.
    let isValid: Bool
    /// The number of its findings.
    let findings: Int
    /// The card.
    let card: HTML
    /// The text of the page; nil if the market has errors.
    let text: String?

    /// The name of the page of a market, even if it does not load. An id has no dots, so no two files have the same name.
    static func name(of id: String) -> String { id == "index" ? "index.market.html" : "\(id).html" }

    /// Creates the page and the card of a market that loads.
    ///
    /// - Parameters:
    ///   - market: The market, which nothing else uses.
    ///   - found: Its findings.
    ///   - base: The market that it extends; nil if it extends none, or an abstract base.
    init(
        of market: Market, _ found: [Finding], base: Market?, clock: ContextDate, _ paths: PagePaths,
        _ budget: WorkBudget
    ) throws {
        id = market.id
        // A policy can refuse a market that loads, as `check` says.
        isValid = !found.hasErrors
        findings = found.count
        let sheet = try LinkSheet(market, budget)
        text =
            PageFrame(
                title: market.definition.name, market: market.id, style: "style.css",
                links: [("All markets", "index.html")], content: sheet.html
            ).document
        let flags = market.flagReports([], now: clock)
        let examples = sheet.features.compactMap { feature in feature.entries.first { !$0.links.isEmpty } }
        card = .element(
            "article.card",
            .element(
                "h2", .element("a", ["href": Self.name(of: id)], "\(market.definition.name)"),
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
                .element(
                    "a", ["href": Self.name(of: id), "aria-label": "All links of \(market.definition.name)"],
                    "All links")))
    }

    /// Creates the card of a market with errors.
    init(broken id: String, _ findings: [Finding], _ paths: PagePaths) {
        self.id = id
        isValid = false
        self.findings = findings.count
        text = nil
        card = .element(
            "article.card.broken", .element("h2", "\(id)"), .element("p", Self.health(of: findings)),
            .element("p", "This market cannot be used until its errors are fixed, so it has no page."),
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
                    let situation = finding.situation.map { " Only with --context \($0.commandText)." } ?? ""
                    let hint = finding.hint.map { " Hint: \(ended(paths.shown($0)))" } ?? ""
                    return .element(
                        "li", "\(sign) \(key)\(ended(paths.shown(finding.message)))\(situation)",
                        .element("span.note", "\(hint)\(position)"))
                }),
            rest > 0 ? .element("p.note", "And \(rest.grouped) more.") : .empty,
        ])
    }

    /// A message as a sentence: some end with the documentation of a key, which has a full stop.
    private static func ended(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}
