import GlassAuthoring
import GlassBase
import GlassInspector
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A page of all markets of a folder and the link sheet of each, as files without scripts.
///
/// The same markets in the same situation give the same files: they contain no times and no paths of the machine. They
/// are for everyone who can open the folder, so personal values of the situation are left out before a market is read.
struct StaticPages {
    private static let style = "style.css"
    private static let index = "index.html"

    /// What was written.
    struct Result {
        /// The markets in the order of their cards, without their pages.
        var markets: [(id: String, isValid: Bool, findings: Int)] = []
        var files: [String] = []
        var removed: [String] = []
        /// Whether a market could not even be read.
        var isIncomplete = false
    }

    private let session: Session
    private let folder: PageFolder

    /// Prepares to write to a folder.
    init(_ session: Session, to path: String) throws {
        self.session = session
        folder = try PageFolder(path)
    }

    /// Writes the pages.
    func write() throws -> Result {
        let markets = try session.markets().withoutPersonalValues
        let paths = PagePaths(markets.path)
        let clock = session.clock()
        let ids = try session.reporting { try markets.marketIDs() }
        guard !ids.isEmpty else { throw markets.isEmptyFailure }
        let possible = [Self.index, Self.style] + ids.map(MarketPage.name)
        try folder.check(possible)
        try folder.begin(possible)
        var result = Result()
        var cards: [HTML] = []
        let recent = RecentMarkets()
        let first = try load(ids, by: markets)
        let unread = Set(first.unread)
        var findings = try CardFindings(
            by: markets, session.policies(in: nil), keeping: MarketContext(), shared: first.shared,
            sharing: recent)
        var situation = MarketContext()
        // A value that is personal for one market is not shown for another.
        var personal: Set<String> = []
        result.files = [Self.index, Self.style]
        try session.reporting {
            _ = try session.console.map(ids, "writing") { id in
                let page: MarketPage
                do {
                    if unread.contains(id) { throw session.account.exceededByCommand }
                    let check = try first.checks[id] ?? session.charged(markets.check(id))
                    recent.add(check)
                    if let market = check.market {
                        situation.values.merge(markets.requested(for: market).values) { one, _ in one }
                        personal.formUnion(market.attributes.filter(\.isPrivate).map(\.name))
                        // An abstract base is not a market, and a base with errors has no name.
                        let base = try market.origin.nearestMarket.flatMap { id in
                            try (first.checks[id] ?? recent.market(id) ?? session.charged(markets.check(id))).market
                        }
                        page = try MarketPage(
                            of: market, findings.findings(of: check).ofFiles, base: base, clock: clock, paths,
                            WorkBudget(cpuTime: LinkSheet.cpuTime, steps: .max))
                    } else {
                        page = try MarketPage(broken: id, findings.findings(of: check).ofFiles, paths)
                    }
                } catch let error as WorkBudget.Exceeded {
                    result.isIncomplete = true
                    page = MarketPage(broken: id, [Finding(.limit, at: nil, "\(error)")], paths)
                } catch let error as MarketFolderError {
                    result.isIncomplete = true
                    page = MarketPage(broken: id, CommandFailure(error).findings, paths)
                } catch let error as CompiledMarketError {
                    result.isIncomplete = true
                    page = MarketPage(broken: id, [Finding(.unreadable, at: nil, "\(error)")], paths)
                }
                if let text = page.text {
                    try folder.write(Array(text.utf8), to: MarketPage.name(of: id))
                    result.files.append(MarketPage.name(of: id))
                }
                result.markets.append((id, page.isValid, page.findings))
                cards.append(page.card)
            }
        }
        situation.values = situation.values.filter { !personal.contains($0.key) }
        try folder.write(PageStyle.bytes, to: Self.style)
        let frame = PageFrame(
            title: "Markets", style: Self.style, content: Self.content(result, cards, in: situation))
        try folder.write(Array(frame.document.utf8), to: Self.index)
        result.removed = try folder.finish(result.files)
        return result
    }

    /// What is known of all markets before the first page is written.
    private struct Loaded {
        /// The markets, as long as there is memory for them. The others are loaded again.
        var checks: [String: MarketCheck] = [:]
        /// What a comparison of all markets finds in each of them.
        var shared: [String: [Finding]] = [:]
        /// The markets for which the command's budget was too small.
        var unread: [String] = []
    }

    /// The maximum memory of the markets that are kept until their pages are written.
    private static let maximumBytes = 64 << 20

    private func load(_ ids: [String], by markets: SessionMarkets) throws -> Loaded {
        var loaded = Loaded()
        var known = KnownMarkets()
        var bytes = 0
        let load = { @Sendable (id: String) in
            let check = try markets.check(id)
            return LoadedMarket(check: check, lintResult: check.lintResult, values: check.validValues)
        }
        loaded.unread = try session.forEach(ids, "comparing", cost: \.check.cost.steps, loading: load) { id, item in
            // A market that cannot be read has a card that says so.
            guard let item = try? item() else { return }
            let size = item.check.market?.footprint ?? 0
            if bytes + size <= Self.maximumBytes {
                loaded.checks[id] = item.check
                bytes += size
            }
            if let values = item.values { known.add(values, item.lintResult, item.check.files) }
        }
        if ids.count > 1 { loaded.shared = known.findings(by: markets) }
        return loaded
    }

    private static func content(_ result: Result, _ cards: [HTML], in situation: MarketContext) -> HTML {
        let broken = result.markets.count { !$0.isValid }
        let count = result.markets.count == 1 ? "One market" : "\(result.markets.count.grouped) markets"
        let health = broken == 0 ? "" : broken == 1 ? "; one is broken" : "; \(broken.grouped) are broken"
        let set: HTML =
            situation.values.isEmpty
            ? "The pages show the default situation."
            : "The pages show the situation \(HTML.element("code", "\(situation.commandText)"))."
        return .group([
            .element("p.intro", "\(count)\(health). \(set) Personal values, such as a customer’s id, are omitted."),
            .element("div.cards", [:], cards),
        ])
    }
}

extension [Finding] {
    /// The findings that depend on the files alone. Whether a secret is set depends on the machine.
    fileprivate var ofFiles: [Finding] { filter { $0.code != .secretUnset && $0.code != .secretMalformed } }
}
