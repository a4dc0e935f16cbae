import Foundation
import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// The markets and their states, without the events.
    func state(_ markets: PageMarkets) throws -> JSONObject {
        let pages = try markets.all()
        let own = Dictionary(uniqueKeysWithValues: pages.map { ($0.own.id, $0.own) })
        // In the order of the other views, followed by markets that have no valid version yet.
        let order = Dictionary(uniqueKeysWithValues: pages.enumerated().map { ($1.own.id, $0) })
        let statuses = store.statuses.sorted { (order[$0.id] ?? .max, $0.id) < (order[$1.id] ?? .max, $1.id) }
        let ids = statuses.map(\.id)
        let wanted =
            session.options.namedMarket ?? MarketChoice(ids: ids, ofModule: session.program.module.defaultMarket).usual
        return [
            // Relative file names are based on it.
            "root": FileManager.default.currentDirectoryPath,
            "program": ProgramName.current,
            "market": wanted.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first ?? "",
            "editor": editor,
            "markets": states(of: statuses, own),
            "situation": situation(markets, pages),
            "preconditions": preconditionWords(pages),
        ]
    }

    private func states(of statuses: [MarketStatus], _ own: [String: Market]) -> [JSONObject] {
        let findings = statuses.map { self.findings(of: $0, own[$0.id]) }
        let shared = sharedFindings()
        return zip(statuses, findings).map { status, findings in
            let all = isDeleted(status.id) ? findings : findings.inserting(shared[status.id] ?? []).withoutConsequences
            return state(of: status, own[status.id], all)
        }
    }

    /// What `check` says about the files of a market on disk, without a comparison with other markets.
    private func findings(of status: MarketStatus, _ market: Market?) -> [Finding] {
        if isDeleted(status.id) {
            reports.withLock { $0[status.id] = nil }
            return [
                Finding(
                    .unreadable, at: nil, subject: status.id,
                    "the file was deleted; this page shows its last version until the command ends")
            ]
        }
        guard !status.isCurrent else {
            return market.map { report(of: $0.id, $0.revision, until: $0.warnings) } ?? []
        }
        return status.lastRejected.map { report(of: status.id, $0.revision, until: $0.findings) } ?? []
    }

    /// What a comparison of the known markets finds in each of them, without what the files and the policies accept.
    private func sharedFindings() -> [String: [Finding]] {
        let reports = reports.withLock(\.self)
        let known = reports.values.reduce(into: KnownMarkets()) { $0.add($1.known) }
        let found = known.findings(by: loader)
        guard !found.isEmpty else { return [:] }
        let policies = (try? session.policies(in: nil)) ?? .none  // what fails is on the card already
        return found.reduce(into: [:]) { left, entry in
            var tracker = AcceptanceTracker(policies, today: FileAcceptances.today)
            tracker.add(reports[entry.key]?.acceptances ?? [])
            left[entry.key] = tracker.leavingOutAccepted(entry.value.map(policies.judged))
        }
    }

    private func state(of status: MarketStatus, _ market: Market?, _ findings: [Finding]) -> JSONObject {
        let zone = zone(of: status.id)
        let history = histories.withLock { $0[status.id] } ?? MarketHistory()
        let brokenSince = status.isCurrent ? nil : history.brokenSince ?? status.lastRejected?.time
        let flags = market?.flagReports([], now: session.clock()) ?? []
        let change: JSONObject? = history.lastChange.map { change in
            [
                "time": change.time.formatted(.iso8601),
                "lines": change.lines.prefix(Self.maximumChangeLines).map { $0.withDatesInWords(zone: zone) },
                "count": change.lines.count,
            ]
        }
        return [
            "id": status.id,
            "name": market?.definition.name,
            "file": loader.folder.file(of: status.id),
            "revision": status.applied?.revision.description,
            "since": status.applied?.time.formatted(.iso8601),
            "isCurrent": status.isCurrent,
            "findings": findings.withSecretsInOne.map(\.jsonWithCaret),
            "preconditions": market?.preconditions.names ?? [],
            "group": market?.origin.group,
            "base": market?.origin.nearestMarket,
            "brokenSince": brokenSince?.formatted(.iso8601),
            "lastChange": change,
            "links": market?.linksToTry ?? [],
            "flags": flags.prefix(Self.maximumFlags).map { FlagSentence($0, zone: zone).json },
            "flagCount": flags.count,
            "overlays": market?.overlaysInUse ?? [],
            "coming": market.map { coming(in: $0, status.applied?.revision, zone: zone).map(\.json) } ?? [],
            "zone": zone,
        ]
    }

    /// What is coming in a market. Each revision is evaluated once an hour in each situation.
    private func coming(in market: Market, _ revision: MarketRevision?, zone: String?) -> [ComingChanges.Change] {
        let now = now(market)
        let situation = market.situation.live.values.filter { $0.key != "date" }.sorted { $0.key < $1.key }
        let key = "\(revision?.description ?? "") \(now.secondsSince1970 / 3600) \(situation)"
        if let known = comings.withLock({ $0[market.id] }), known.key == key {
            return known.changes.filter { $0.date > now }
        }
        let changes = ComingChanges(of: market, after: now, zone: zone).changes
        comings.withLock { $0[market.id] = (key, changes) }
        return changes
    }

    /// The time of a market's situation.
    private func now(_ market: Market) -> ContextDate {
        if case .date(let date)? = market.situation.live["date"] { date } else { session.clock() }
    }

    /// The zone in which a market's file writes dates.
    func zone(of id: String) -> String? {
        // A file that cannot be read has a finding on its card.
        (try? String(contentsOfFile: loader.folder.file(of: id), encoding: .utf8)).flatMap(MarketZone.named)
    }

    private func isDeleted(_ id: String) -> Bool {
        !FileManager.default.fileExists(atPath: loader.folder.file(of: id))
    }

    /// What `check` says about a revision of a market. Each revision is checked once.
    ///
    /// - Parameter known: The findings of the store, which are shown until it has read the newest files.
    private func report(of id: String, _ revision: MarketRevision?, until known: [Finding]) -> [Finding] {
        if let report = reports.withLock({ $0[id] }), report.revision == revision { return report.findings }
        guard let check = try? loader.check(id), check.revision == revision,  // the store reports unreadable files
            var card = try? CardFindings(by: loader, session.policies(in: nil), keeping: MarketContext()),
            let findings = try? card.findings(of: check)  // a card has no limit of a command
        else { return known }
        var known = KnownMarkets()
        if let values = check.validValues { known.add(values, check.lintResult, check.files) }
        reports.withLock {
            $0[id] = CardReport(
                revision: check.revision, findings: findings, known: known, acceptances: check.acceptances)
        }
        return findings
    }

    /// What each precondition of a market says, in words.
    private func preconditionWords(_ pages: [PageMarket]) -> JSONObject {
        pages.reduce(into: [:]) { words, page in
            for name in page.own.preconditions.names { words[name] = page.own.words(ofPrecondition: name) }
        }
    }

    /// The number of lines about the last change on a card.
    private static let maximumChangeLines = 3
    /// The number of flags on a card. The values of the market have all of them.
    private static let maximumFlags = 12
}

extension Market {
    /// A few links that everyone can try: first those that wait for nothing, then those without parameters. The last is
    /// a web link.
    fileprivate var linksToTry: [String] {
        let routables = deepLinker.routables.prefix(100).enumerated().sorted { one, other in
            (Self.effort(one.element), one.offset) < (Self.effort(other.element), other.offset)
        }
        var links: [String] = []
        for (_, routable) in routables where links.count < 3 {
            if let link = sampleLink(to: routable.id) { links.append(link) }
        }
        if let host = definition.deepLinking.universalLinks.firstHostWithoutWildcard,
            let scheme = definition.deepLinking.schemes.first,
            let path = links.last?.dropFirst(scheme.count + "://".count)
        {
            links.append("https://\(host)/\(path)")
        }
        return links
    }

    /// The more a link of a routable needs, the larger the number.
    private static func effort(_ routable: any Routable) -> Int {
        let needs = routable.requiredPreconditions == .none ? 0 : 2
        let isSimple = routable.actionRoutes.first?.allSatisfy { !":*?".contains($0) } ?? false
        return needs + (isSimple ? 0 : 1)
    }

    /// The overlays whose condition holds in the situation, in the order of the files.
    var overlaysInUse: [String] {
        var names: [String] = []
        for fragment in origin.situations?.fragments ?? [] {
            guard let name = fragment.overlay?.name, fragment.condition.holds(in: situation.live),
                !names.contains(name)
            else { continue }
            names.append(name)
        }
        return names
    }
}

extension Finding {
    /// The finding with the offset of the caret below its source line, in which tabs are expanded.
    fileprivate var jsonWithCaret: JSONObject {
        var json = json
        json["caret"] = SourceExcerpt(self)?.offset
        return json
    }
}

extension [Finding] {
    /// The findings with others in the order of a card: errors first, and secrets that are not set last.
    fileprivate func inserting(_ others: [Finding]) -> [Finding] {
        guard !others.isEmpty else { return self }
        func rank(_ finding: Finding) -> Int { finding.severity == .error ? 0 : finding.code == .secretUnset ? 2 : 1 }
        let all = (filter { $0.code != .secretUnset } + others).sortedByPosition() + filter { $0.code == .secretUnset }
        return [0, 1, 2].flatMap { wanted in all.filter { rank($0) == wanted } }
    }
}
