import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import GlassSites

/// Two versions of a market, and the changes that the rules find between them.
struct MarketComparison {
    let base: Market
    let head: Market
    let reviewer: Reviewer
    let budget: WorkBudget
    private(set) var drafts: [PendingChange] = []
    var notices: [String] = []
    /// The recorded links that no longer open what they opened before.
    var recorded: [RecordedChange] = []

    init(_ base: Market, _ head: Market, reviewer: Reviewer, budget: WorkBudget) {
        self.base = base
        self.head = head
        self.reviewer = reviewer
        self.budget = budget
    }

    var id: String { head.id }

    /// Applies every rule. Returns how many of the recorded links were tried.
    mutating func run(
        _ links: ArraySlice<RecordedLink>, within time: Duration, spending: (Duration) -> Void
    ) throws -> Int {
        // Satisfy all preconditions, as in an app in use: a link that waits would open nothing yet.
        base.preconditions.satisfyAll()
        head.preconditions.satisfyAll()
        let asked = replay(links, within: time, spending: spending)
        let difference = try MarketDifference(from: base, to: head, labels: ("base", "head"), budget: budget)
        try compareAddresses()
        try compareLinks()
        try compareKeys(difference)
        try compareSites()
        return asked
    }

    mutating func add(_ draft: PendingChange) { drafts.append(draft) }

    // MARK: LinkResult

    /// The result of opening a link, from the app's point of view.
    enum LinkResult: Equatable {
        case routable(String)
        case outside
        case nothing
    }

    /// Opens a link. The result is a routable even if its handler has not finished.
    static func open(_ link: String, in market: Market) -> LinkResult {
        let result = market.open(link)
        switch result.outcome {
        case .routed, .running, .waiting: return result.routableID.map(LinkResult.routable) ?? .nothing
        case .external: return .outside
        case .unroutable, .refused, .failed: return .nothing
        }
    }

    /// The prefixes of links on both sides, chosen so that only the routes differ: a scheme or a host of both sides, or
    /// else the first one of each; nil if a side has neither.
    var form: (base: String, head: String)? {
        func forms(_ market: Market) -> [String] {
            market.definition.deepLinking.schemes.map { "\($0)://" }
                + market.definition.deepLinking.universalLinks.map { "https://\(UniversalHost($0).example)/" }
        }
        let (old, new) = (forms(base), forms(head))
        if let shared = old.first(where: new.contains) { return (shared, shared) }
        guard let first = old.first, let second = new.first else { return nil }
        return (first, second)
    }
}

/// The comparison of the links that a market's site files make phones open in the app.
extension MarketComparison {
    mutating func compareSites() throws {
        guard let old = reviewer.siteInput(base), let new = reviewer.siteInput(head), old != new,
            let before = try files(of: old), let after = try files(of: new)
        else { return }
        report(try before.claims(missingFrom: after, budget: budget), .siteLost)
        report(try after.claims(missingFrom: before, budget: budget), .siteAdded)
    }

    /// The files of a market; nil if they cannot be generated, which `export` reports.
    private func files(of input: SiteInput.Market) throws -> SiteFiles? {
        do {
            return try SiteFiles(SiteInput(markets: [input]), budget: budget)
        } catch {
            if let exceeded = budget.exceeded { throw exceeded }
            return nil
        }
    }

    /// Whether a routable takes a link.
    private func opens(_ link: String, _ market: Market) -> Bool {
        if case .routable = Self.open(link, in: market) { true } else { false }
    }

    private mutating func report(_ claims: [ClaimedLink], _ rule: ChangeRule) {
        struct File: Hashable {
            let target: SiteTarget
            let host: String
            let app: String
        }
        let files = Dictionary(grouping: claims) { File(target: $0.target, host: $0.host, app: $0.app) }
        let path: ConfigurationPath = "deepLinking.universalLinks"
        func order(_ file: File) -> (String, String, String) { (file.target.rawValue, file.host, file.app) }
        for (file, links) in files.sorted(by: { order($0.key) < order($1.key) }) {
            let name = file.target == .siteAssociation ? "apple-app-site-association" : "assetlinks.json"
            let verb = rule == .siteLost ? "no longer lets" : "lets"
            add(
                PendingChange(
                    rule, market: id, path: path, subject: "\(file.target.rawValue) \(file.host) \(file.app)",
                    values: links.map(\.pattern),
                    "\(name) of \(file.host) \(verb) \(file.app) open the links of \(links.count.counted("route"))"
                        + (rule == .siteLost ? "" : ", which is new"),
                    before: base.source.node(at: path)?.position, after: head.source.node(at: path)?.position,
                    witness: links.prefix(Self.maximumProofs).first { opens($0.link, rule == .siteLost ? base : head) }?
                        .link))
        }
    }
}
