import Foundation
import GlassMarketFiles
package import GlassMarkets
package import GlassSchema
package import GlassSites
package import GlassBase

/// Compares two states of a markets folder.
///
/// ```swift
/// let reviewer = Reviewer(base: base, head: head)
/// let result = try reviewer.run()
/// for change in result.review.changes { print(change.severity, change.summary) }
/// ```
package struct Reviewer: Sendable {
    /// A market of one side that does not load.
    package struct UnloadableMarket: Sendable {
        /// The side.
        package let side: Review.Side
        /// The market.
        package let id: String
        /// The reason.
        package let findings: [Finding]
    }

    /// The result of a review.
    package struct Result: Sendable {
        /// The review of everything that could be compared.
        package let review: Review
        /// The markets of the base that do not load.
        package let brokenBase: [UnloadableMarket]
        /// The markets of the head that do not load.
        package let brokenHead: [UnloadableMarket]
        /// The markets that were not compared, because those before them used up the steps.
        package fileprivate(set) var unread: [String] = []
    }

    let base: ReviewedFolder
    let head: ReviewedFolder
    /// Links that people have used.
    package var links: [RecordedLink] = []
    /// The number of times that links are opened in all markets together.
    package var maximumLinksAsked = RecordedLinkShares.usualCount
    /// The current day, such as `2026-11-22`. Links that were deprecated until an earlier day can be removed.
    package var today: String
    /// The budget that pays for the comparison. Its steps limit which markets are compared.
    package var account = WorkBudget.unlimited
    /// The input for the files of a market's sites; nil for a market without an app.
    package var siteInput: @Sendable (Market) -> SiteInput.Market? = { _ in nil }

    /// Creates a reviewer.
    package init(base: ReviewedFolder, head: ReviewedFolder, today: String) {
        self.base = base
        self.head = head
        self.today = today
    }

    /// Compares each market of the two states.
    package func run() throws -> Result {
        let (older, newer) = (try base.marketIDs(), try head.marketIDs())
        let ids = Set(older + newer).sorted()
        let known = (older: Set(older), newer: Set(newer))
        let shares = RecordedLinkShares(count: maximumLinksAsked)
        let items = LoadAhead(ids.count, account: account, cost: \.steps) { index in
            let id = ids[index]
            let budget = WorkBudget(cpuTime: .seconds(10), steps: .max)
            let comparison: (Market, Market)?
            var outcome: Outcome
            do {
                (outcome, comparison) = try compared(
                    id, isOld: known.older.contains(id), isNew: known.newer.contains(id))
            } catch {
                // The markets after this one wait for its share, even if the comparison failed.
                _ = shares.take(0, at: index)
                throw error
            }
            let share = shares.take(comparison == nil ? 0 : links.count, at: index)
            if let (older, newer) = comparison {
                try compare(older, newer, links: links.prefix(share), shares, budget, into: &outcome)
            }
            outcome.steps += budget.steps
            return outcome
        }
        defer { items.end() }
        var outcomes: [Outcome] = []
        for index in ids.indices {
            guard let outcome = try items.item(at: index) else { break }
            outcomes.append(outcome)
        }
        var result = result(Array(ids.prefix(outcomes.count)), outcomes, shares)
        result.unread = Array(ids.dropFirst(outcomes.count))
        return result
    }

    /// The outcome for a market.
    struct Outcome: Sendable {
        /// The steps that the comparison took.
        var steps = 0
        var drafts: [PendingChange] = []
        var notices: [String] = []
        var brokenBase: UnloadableMarket?
        var brokenHead: UnloadableMarket?
        /// The market itself, followed by its base markets, nearest first.
        var chain: [String] = []
    }

    private func result(_ ids: [String], _ outcomes: [Outcome], _ shares: RecordedLinkShares) -> Result {
        let depths = Dictionary(zip(ids, outcomes.map(\.chain.count))) { first, _ in first }
        let changes = PendingChange.reported(outcomes.flatMap(\.drafts), depths: depths, base: base, head: head)
        let changed = Set(changes.map(\.market))
        let broken = Set(outcomes.compactMap { ($0.brokenHead ?? $0.brokenBase)?.id })
        var notices: [String] = []
        for notice in outcomes.flatMap(\.notices) where !notices.contains(notice) { notices.append(notice) }
        if let notice = shares.notice { notices.append(notice) }
        let review = Review(
            base: base.side, head: head.side, changes: changes,
            unchanged: ids.filter { !changed.contains($0) && !broken.contains($0) }, notices: notices)
        return Result(
            review: review, brokenBase: outcomes.compactMap(\.brokenBase),
            brokenHead: outcomes.compactMap(\.brokenHead))
    }

    // MARK: One market

    /// The outcome for a market, and its two versions if they must be compared.
    private func compared(
        _ id: String, isOld: Bool, isNew: Bool
    ) throws -> (outcome: Outcome, versions: (older: Market, newer: Market)?) {
        guard isNew, let newLoader = head.loader else { return (removed(id), nil) }
        let new = try newLoader.check(id)
        guard isOld, let oldLoader = base.loader else {
            var outcome = added(id, new)
            outcome.steps = new.cost.steps
            return (outcome, nil)
        }
        var outcome = Outcome(chain: chain(of: new))
        outcome.steps = new.cost.steps
        if isSame(new, oldLoader.folder, newLoader.folder) {
            // This includes a market with an error, which the change did not cause.
            if new.market == nil {
                outcome.brokenHead = UnloadableMarket(side: head.side, id: id, findings: new.findings)
            }
            return (outcome, nil)
        }
        let old = try oldLoader.toleratingUnknownKeys.check(id)
        outcome.steps += old.cost.steps
        outcome.notices += notices(of: old)
        guard let older = old.market else {
            outcome.brokenBase = UnloadableMarket(side: base.side, id: id, findings: old.findings)
            if new.market == nil {
                outcome.brokenHead = UnloadableMarket(side: head.side, id: id, findings: new.findings)
            }
            return (outcome, nil)
        }
        guard let newer = new.market else {
            let (drafts, isAll) = missingKeys(new, older)
            outcome.drafts = drafts
            if !isAll { outcome.brokenHead = UnloadableMarket(side: head.side, id: id, findings: new.findings) }
            return (outcome, nil)
        }
        return (outcome, (older, newer))
    }

    private func compare(
        _ older: Market, _ newer: Market, links: ArraySlice<RecordedLink>, _ shares: RecordedLinkShares,
        _ budget: WorkBudget, into outcome: inout Outcome
    ) throws {
        var comparison = MarketComparison(older, newer, reviewer: self, budget: budget)
        let asked = try comparison.run(links, within: shares.timeLeft) { shares.spend($0) }
        shares.leaveOut(self.links.count - asked)
        try comparison.compareSituations()
        outcome.drafts = comparison.drafts
        outcome.notices += comparison.notices
    }

    /// Whether all files of a market are the same in the other folder.
    private func isSame(_ check: MarketCheck, _ other: MarketFolder, _ own: MarketFolder) -> Bool {
        !check.files.isEmpty
            && check.files.allSatisfy { file in
                own.name(of: file.file).map { other.has($0, saying: file.bytes) } ?? false
            }
    }

    private func chain(of check: MarketCheck) -> [String] {
        guard let layers = check.market?.origin.layers else { return [check.id] }
        return layers.reversed().compactMap { layer in
            if case .string(let id)? = layer.node(at: "id")?.value { id } else { nil }
        }
    }

    private func removed(_ id: String) -> Outcome {
        var outcome = Outcome(chain: [id])
        outcome.drafts = [
            PendingChange(
                .marketRemoved, market: id, "the market \(id) was removed, with all its links",
                before: base.file(of: id), isShown: true)
        ]
        return outcome
    }

    private func added(_ id: String, _ check: MarketCheck) -> Outcome {
        var outcome = Outcome(chain: chain(of: check))
        guard let market = check.market else {
            outcome.brokenHead = UnloadableMarket(side: head.side, id: id, findings: check.findings)
            return outcome
        }
        outcome.drafts = [
            PendingChange(
                .marketAdded, market: id, "\(id) is a new market, \(market.definition.name)", after: head.file(of: id),
                isShown: true)
        ]
        return outcome
    }

    /// Notices about keys of the base that this host does not know, because the base was written for another version.
    private func notices(of old: MarketCheck) -> [String] {
        let unknown = old.findings.filter { $0.code == .unknownKey && $0.severity == .warning }
        guard let first = unknown.first else { return [] }
        let more = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
        return [
            "\(old.id): \(base.side.name) was written for a different schema: this host does not know "
                + "\(first.path)\(more), which was not compared"
        ]
    }

    /// The required keys that the base had, and without which the head does not load.
    private func missingKeys(_ new: MarketCheck, _ older: Market) -> (drafts: [PendingChange], isAll: Bool) {
        let errors = new.findings.filter { $0.severity == .error }
        let drafts = errors.compactMap { finding -> PendingChange? in
            guard finding.code == .missingKey, let node = older.source.node(at: finding.path) else { return nil }
            return PendingChange(
                .keyRequired, market: new.id, path: finding.path, values: [node.value.written],
                "\(finding.path) is required, was \(node.value.written), and was removed", before: node.position,
                after: finding.position)
        }
        return (drafts, drafts.count == errors.count)
    }
}
