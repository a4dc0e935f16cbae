import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import GlassSites

/// The links of a market, for people who try them on a device: what each feature does, when it opens, and an example
/// for each of its patterns.
struct LinkSheet {
    /// The maximum number of patterns on a sheet. Each one has up to two codes, and is opened once.
    static let maximumEntries = 200

    /// A feature that links open.
    struct Feature {
        /// The id of its routable.
        let id: String
        /// What it does.
        let summary: String
        /// When its links open it.
        let condition: String
        /// Its patterns.
        var entries: [Entry]
    }

    /// A pattern with its example.
    struct Entry {
        let pattern: String
        let parameters: [Parameter]
        /// The example with the market's first scheme, and then with its first host, if it has them. Empty if other
        /// patterns of the market take the links.
        let links: [Link]
        /// What the example opens.
        let sentence: LinkSentence?
    }

    /// A value that a link contains.
    struct Parameter {
        let name: String
        /// What it can be, such as `a whole number`.
        let values: String
    }

    /// An example of a link.
    struct Link {
        /// Whether it has the app's own scheme. Other links may open in the browser.
        let isOfApp: Bool
        let url: String
    }

    /// The market's id.
    let id: String
    /// The market's name.
    let name: String
    /// The features, in the order of their ids.
    private(set) var features: [Feature] = []
    /// The number of patterns that are left out.
    private(set) var omitted = 0
    /// The number of patterns of the market.
    var patternCount: Int { features.reduce(omitted) { $0 + $1.entries.count } }

    private static let untried = LinkSentence(
        kind: .waits, text: "Not tried, because an earlier example did not finish.")

    /// The CPU time for the pages of a market: most of it goes into the codes of a sheet of maximum size.
    static let cpuTime = Duration.seconds(8) * BuildSpeed.slowdown

    /// Lists the links of a market, and opens each example with all preconditions met. The market's services must be
    /// mocks, and nothing else may use the market.
    init(_ market: Market, _ budget: WorkBudget) throws {
        id = market.id
        name = market.definition.name
        let summaries = market.summariesOfRoutables
        let routes = try market.routes(budget: budget)
        let patterns = Dictionary(
            market.siteInput.routes.map { ("\($0.routableID) \($0.pattern.text)", $0) },
            uniquingKeysWith: { one, _ in one })
        var (count, isSlow) = (0, false)
        for route in routes {
            guard let declared = patterns["\(route.routable) \(route.pattern)"] else { continue }
            guard count < Self.maximumEntries else {
                omitted += 1
                continue
            }
            count += 1
            if features.last?.id != route.routable {
                features.append(
                    Feature(
                        id: route.routable, summary: summaries[route.routable] ?? market.summary(ofOwn: route.routable),
                        condition: market.condition(ofRoutable: route.routable), entries: []))
            }
            let links = market.examples(of: declared)
            var sentence: LinkSentence?
            if let link = links.first {
                sentence = isSlow ? Self.untried : market.sentence(of: link.url)
                // What has not finished may still navigate, and each such example takes seconds.
                isSlow = isSlow || sentence == nil
                sentence =
                    sentence
                    ?? LinkSentence(
                        unopened: "opening it took longer than 2 seconds", in: market.definition.name)
            }
            features[features.count - 1].entries.append(
                Entry(
                    pattern: route.pattern, parameters: declared.pattern.parameters, links: links, sentence: sentence))
        }
    }
}

extension Market {
    /// What the module's routables do, by id.
    fileprivate var summariesOfRoutables: [String: String] {
        let features = module.routables.map { $0.feature } + module.asyncRoutables.map { $0.feature }
        return Dictionary(features.map { ($0.id, $0.summary) }, uniquingKeysWith: { one, _ in one })
    }

    /// What a routable of the market itself does.
    fileprivate func summary(ofOwn id: String) -> String {
        guard case .on(let settings)? = definition.routables[id] else { return "A feature of the app." }
        if let handler = settings.handler { return "A feature of the app, opened by its function \(handler)." }
        return settings.handle == nil
            ? "A screen that this market adds." : "A function in the market's file, which works only in tests."
    }

    /// When the links of a routable open something.
    fileprivate func condition(ofRoutable id: String) -> String {
        let names = preconditions(ofRoutable: id)
        guard !names.isEmpty else { return "Opens at any time." }
        return "Opens once \(names.map(words(ofPrecondition:)).inProse())."
    }

    /// The examples of a route: those links that it takes itself.
    fileprivate func examples(of route: SiteInput.Route) -> [LinkSheet.Link] {
        let path = String(route.example.drop { $0 == "/" })
        let first = path.prefix { $0 != "/" && $0 != "?" }
        // A host has no case and no escapes.
        let isHost = first.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        let own = definition.deepLinking.schemes.first.map {
            LinkSheet.Link(isOfApp: true, url: "\($0):\(isHost ? "//" : "/")\(path)")
        }
        let web = definition.deepLinking.universalLinks.firstHostWithoutWildcard.map {
            LinkSheet.Link(isOfApp: false, url: "https://\($0)/\(path)")
        }
        return [own, web].compactMap(\.self).filter { deepLinker.dryRun($0.url).routableID == route.routableID }
    }

    /// What a link opens; nil if that takes too long.
    fileprivate func sentence(of link: String) -> LinkSentence? {
        let result = LinkTrial(self).result(of: link)
        if case .running = result.outcome { return nil }
        return LinkSentence(result, in: definition.name, words: words(ofPrecondition:))
    }
}

extension RoutePattern {
    /// The values of its links, those of the path first.
    fileprivate var parameters: [LinkSheet.Parameter] {
        let inPath = segments.enumerated().compactMap { index, segment -> LinkSheet.Parameter? in
            guard let name = segment.parameterName else { return nil }
            let isOptional = isLastOptional && index == segments.count - 1
            return LinkSheet.Parameter(name: name, values: segment.values + (isOptional ? ", or nothing" : ""))
        }
        return inPath + requiredQuery.map { LinkSheet.Parameter(name: $0, values: "any text, after the question mark") }
    }
}

extension RoutePattern.Segment {
    /// What the parameter of the segment can be.
    fileprivate var values: String {
        if case .catchAll = self { return "any text, with slashes" }
        return switch type {
        case .named(let type): type.declaration.phrase
        case .oneOf(let words): words.count > 12 ? "one of \(words.count) words" : words.inProse("or")
        case nil: "any text"
        }
    }
}
