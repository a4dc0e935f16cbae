import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// Two versions of a market, and the changes that the rules find between them.
struct MarketComparison {
    let base: Market
    let head: Market
    let reviewer: Reviewer
    let budget: WorkBudget
    private(set) var drafts: [PendingChange] = []
    private(set) var notices: [String] = []
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
                + market.definition.deepLinking.universalLinks.map { "https://\($0)/" }
        }
        let (old, new) = (forms(base), forms(head))
        if let shared = old.first(where: new.contains) { return (shared, shared) }
        guard let first = old.first, let second = new.first else { return nil }
        return (first, second)
    }
}
