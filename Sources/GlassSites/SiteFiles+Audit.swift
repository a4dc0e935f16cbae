package import GlassBase
import GlassDeepLinking

extension SiteFiles {
    /// Determines the coverage of each route for each target, with evidence from links derived from the routes.
    package func audit() -> SiteAudit {
        do {
            return try audit(budget: .unlimited)
        } catch {
            preconditionFailure("a budget without limits ran out: \(error)")
        }
    }

    /// Determines the coverage of each route for each target, within a budget.
    package func audit(budget: WorkBudget) throws(WorkBudget.Exceeded) -> SiteAudit {
        var auditor = SiteAuditor(files: self, budget: budget)
        return try auditor.run()
    }

    /// The routes that a link leads to in each market of an app on a host.
    func routes(_ link: String, unit: HostAppPair) -> [(market: Int, route: Int)] {
        do {
            let link = try DeepLink(link)
            return unit.markets.compactMap { market in
                if input.markets[market].browser.keeping(link) != nil { return nil }
                return tables[market].bestMatch(for: link).map { (market, $0.declaration.index) }
            }
        } catch {
            return []  // The gate refuses it, so no market routes it.
        }
    }
}

extension SiteFiles {
    /// Whether every market of an app on a host keeps a link in the browser.
    func keepsInBrowser(_ link: String, unit: HostAppPair) -> Bool {
        guard !unit.browser.isEmpty else { return false }
        do {
            return unit.browser.keeping(try DeepLink(link)) != nil
        } catch {
            return false  // The gate refuses it for another reason.
        }
    }
}

/// An audit in progress.
private struct SiteAuditor {
    private struct Key: Hashable {
        let market: Int
        let route: Int
        let target: SiteTarget
    }

    /// The evidence for one claim.
    private struct Evidence {
        var reasons: [RouteClaim.Reason] = []
        var claimedHits = 0
        /// The first routed link that is not claimed.
        var lostHit: String?
        /// The first link that matches the route and stays in the browser.
        var keptHit: String?
    }

    /// The parameters of the audit of an app on a host for one target, with one entry for each of its routes.
    private struct Question {
        let target: SiteTarget
        let keys: [Key]
        let places: [Key: Int]
        let rules: [[SiteClaimRules.Rule]]
        let claim: (SiteSample) throws(WorkBudget.Exceeded) -> [Int]?
    }

    private let files: SiteFiles
    private var evidence: [Key: Evidence] = [:]
    private var contradictions: [String] = []
    private var linksChecked = 0
    private let budget: WorkBudget

    init(files: SiteFiles, budget: WorkBudget) {
        self.files = files
        self.budget = budget
    }

    mutating func run() throws(WorkBudget.Exceeded) -> SiteAudit {
        let budget = budget
        for rules in files.association {
            let question = question(rules.unit, .siteAssociation) { sample throws(WorkBudget.Exceeded) in
                try rules.claim(sample, budget: budget)
            }
            try ask([question], about: rules.unit)
        }
        for rules in files.android {
            let narrowed = question(rules.unit, .androidDynamic) { sample throws(WorkBudget.Exceeded) in
                try rules.claimNarrowed(sample, budget: budget)
            }
            let plain = question(rules.unit, .android) { sample throws(WorkBudget.Exceeded) in
                try rules.claim(sample, budget: budget)
            }
            try ask([narrowed, plain], about: rules.unit)
        }
        var claims: [RouteClaim] = []
        for (index, market) in files.input.markets.enumerated() {
            for (place, route) in market.routes.enumerated() {
                for target in SiteTarget.allCases {
                    let reasons = reasons(Key(market: index, route: place, target: target), market: market)
                    claims.append(
                        RouteClaim(
                            market: market.id, routableID: route.routableID, pattern: route.pattern.text,
                            target: target, reasons: reasons))
                }
            }
        }
        return SiteAudit(claims: claims, linksChecked: linksChecked, contradictions: contradictions)
    }

    private func question(
        _ unit: HostAppPair, _ target: SiteTarget,
        claim: @escaping (SiteSample) throws(WorkBudget.Exceeded) -> [Int]?
    ) -> Question {
        let rules = unit.patterns.map {
            SiteClaimRules.rules(for: $0, target: target, matchesAnyCase: files.options.androidMatchesAnyCase)
        }
        let keys = unit.routes.map { Key(market: $0.market, route: $0.index, target: target) }
        return Question(
            target: target, keys: keys, places: Dictionary(uniqueKeysWithValues: zip(keys, keys.indices)),
            rules: rules, claim: claim)
    }

    /// Checks all sample links of an app's routes, looking each up in the tables only once.
    private mutating func ask(_ questions: [Question], about unit: HostAppPair) throws(WorkBudget.Exceeded) {
        for (place, route) in unit.routes.enumerated() {
            for sample in try SiteSample.samples(of: route.route.pattern, budget: budget) {
                let link = "https://" + unit.linkHost + sample.suffix
                let routed = files.routes(link, unit: unit)
                if files.keepsInBrowser(link, unit: unit) {
                    for question in questions { try keep(sample, link, of: place, question) }
                    continue
                }
                for question in questions { try check(sample, link, of: place, routed, question) }
            }
        }
    }

    /// Notes a link that stays in the browser, and charges the route that it was derived from if the file claims it.
    private mutating func keep(
        _ sample: SiteSample, _ link: String, of source: Int, _ question: Question
    ) throws(WorkBudget.Exceeded) {
        let key = question.keys[source]
        if evidence[key]?.keptHit == nil { evidence[key, default: Evidence()].keptHit = link }
        if question.target == .siteAssociation, sample.hasEmptySegment { return }
        linksChecked += 1
        guard try question.claim(sample) != nil else { return }
        guard question.target != .siteAssociation else {
            return contradict(link, question.target, "stays in the browser, but is claimed")
        }
        let reason = RouteClaim.Reason(label: .over, rule: Self.browserRule(question.target), witness: link)
        let known = evidence[key]?.reasons.contains { $0.rule == reason.rule } ?? false
        if !known { evidence[key, default: Evidence()].reasons.append(reason) }
    }

    /// Why a file for Android claims a link that stays in the browser.
    private static func browserRule(_ target: SiteTarget) -> String {
        target == .android
            ? "a filter cannot exclude the paths of deepLinking.browser"
            : "the paths of deepLinking.browser are excluded only as written, and only if they are plain"
    }

    /// Compares a file's claim for a link, derived from the route at `source`, with the routes in the tables.
    private mutating func check(
        _ sample: SiteSample, _ link: String, of source: Int, _ routed: [(market: Int, route: Int)],
        _ question: Question
    ) throws(WorkBudget.Exceeded) {
        let (target, rules) = (question.target, question.rules)
        // The coverage of Apple's file ignores links that the gate refuses and no recorded rule covers.
        if target == .siteAssociation, sample.hasEmptySegment { return }
        linksChecked += 1
        let owners = try question.claim(sample)
        for (market, route) in routed {
            let key = Key(market: market, route: route, target: target)
            guard let place = question.places[key] else { continue }
            if owners != nil {
                evidence[key, default: Evidence()].claimedHits += 1
                continue
            }
            if evidence[key]?.lostHit == nil { evidence[key, default: Evidence()].lostHit = link }
            // A link derived from the same route differs in a known way; one from another route may differ in any.
            let possible = rules[place].filter {
                place != source || $0.traits.isEmpty || $0.traits.contains(sample.trait)
            }
            let isExplained = charge(key, possible, label: .under, trait: sample.trait, link: link)
            if !isExplained { contradict(link, target, "is routed but not claimed, and no rule explains it") }
        }
        guard let owners, routed.isEmpty else { return }
        var isExplained = false
        for place in owners
        where charge(question.keys[place], rules[place], label: .over, trait: sample.trait, link: link) {
            isExplained = true
        }
        if !isExplained { contradict(link, target, "is claimed but not routed, and no rule explains it") }
    }

    /// Adds a reason to a claim.
    private mutating func charge(
        _ key: Key, _ rules: [SiteClaimRules.Rule], label: RouteClaim.Coverage, trait: SiteSample.Trait, link: String
    ) -> Bool {
        let candidates = rules.filter { $0.label == label }
        // A link derived from another route demonstrates the rule in a different way.
        let byTrait = candidates.first { $0.traits.contains(trait) }
        guard let rule = byTrait ?? candidates.first(where: { $0.traits.isEmpty }) ?? candidates.first else {
            return false
        }
        let known = evidence[key]?.reasons.contains { $0.label == label && $0.rule == rule.text } ?? false
        if !known {
            let reason = RouteClaim.Reason(label: label, rule: rule.text, witness: link)
            evidence[key, default: Evidence()].reasons.append(reason)
        }
        return true
    }

    private mutating func contradict(_ link: String, _ target: SiteTarget, _ text: String) {
        contradictions.append("\(target.rawValue): \(link) \(text)")
    }

    private func reasons(_ key: Key, market: SiteInput.Market) -> [RouteClaim.Reason] {
        if key.target == .urlTypes { return urlTypeReasons(key.market, market) }
        if market.universalHosts.isEmpty {
            return [RouteClaim.Reason(label: .impossible, rule: "the market has no https host", witness: "")]
        }
        let evidence = evidence[key] ?? Evidence()
        if let kept = evidence.keptHit, evidence.claimedHits == 0, evidence.lostHit == nil, evidence.reasons.isEmpty {
            let rule = "deepLinking.browser keeps its links in the browser"
            return [RouteClaim.Reason(label: .impossible, rule: rule, witness: kept)]
        }
        guard evidence.claimedHits == 0, let lost = evidence.lostHit else { return evidence.reasons }
        return [RouteClaim.Reason(label: .impossible, rule: evidence.reasons.first?.rule ?? "", witness: lost)]
    }

    private func urlTypeReasons(_ index: Int, _ market: SiteInput.Market) -> [RouteClaim.Reason] {
        guard let scheme = market.schemes.first.map(SiteInputCheck.lowercased) else {
            return [RouteClaim.Reason(label: .impossible, rule: "the market has no custom scheme", witness: "")]
        }
        let witness = ["no-such-route", "no-such-route/of/any/market", "/"].map { scheme + "://" + $0 }.first { text in
            do {
                return files.tables[index].bestMatch(for: try DeepLink(text)) == nil
            } catch {
                return true  // A link that the gate refuses is also claimed but not routed.
            }
        }
        guard let witness else { return [] }
        let rule = "a URL type claims every link of its scheme"
        return [RouteClaim.Reason(label: .over, rule: rule, witness: witness)]
    }
}
