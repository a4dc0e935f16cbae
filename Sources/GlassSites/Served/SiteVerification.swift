package import GlassBase
import GlassDeepLinking
import GlassSchema

extension SiteFiles {
    /// Compares the association files that sites serve with the routes of the markets, to find links that a phone would
    /// not open in the app.
    package func verify(_ served: [ServedFile], budget: WorkBudget) -> [SiteFinding] {
        var verification = SiteVerification(self, budget: budget)
        for file in served { verification.add(file) }
        return verification.findings
    }

    /// Whether any market on the host has the app that a file is about.
    fileprivate func hasApp(for file: ServedFile) -> Bool {
        switch file.kind {
        case .siteAssociation: association.contains { $0.unit.host == file.host && hasAppleApp($0.unit) }
        case .assetLinks: android.contains { $0.unit.host == file.host && hasAndroidApp($0.unit) }
        }
    }

    fileprivate func hasAppleApp(_ unit: HostAppPair) -> Bool {
        bundles.contains(unit.app) && !team(of: unit.app).isEmpty
    }

    fileprivate func hasAndroidApp(_ unit: HostAppPair) -> Bool {
        packages.contains(unit.app) && !digests(of: unit.app).isEmpty
    }

    /// Devices treat `walmart.ca` and `www.walmart.ca` as two sites, and users type either.
    fileprivate func siblingFindings(of host: String) -> [SiteFinding] {
        let names = hostsOfMarket.joined().map(UniversalHost.init)
        let sibling: String
        if !names.contains(where: { $0.covers(host) }) {
            // A wildcard's files are on a host that the wildcard does not cover.
            sibling = host
        } else if host.hasPrefix("www.") {
            sibling = String(host.dropFirst(4))
        } else {
            sibling = "www." + host
        }
        // With more labels, only a list of public suffixes could determine whether it is a site's own name.
        guard host.hasPrefix("www.") || host.split(separator: ".").count == 2,
            !names.contains(where: { $0.covers(sibling) }), sibling == host || !hosts.contains(sibling)
        else { return [] }
        return [
            SiteFinding(
                .unlistedHost, .warning, of: host, "links of \(sibling) stay in the browser",
                hint: "add \"\(sibling)\" to deepLinking.universalLinks, or do not link to it")
        ]
    }

    fileprivate func noApp(_ unit: HostAppPair, _ file: ServedFile) -> SiteFinding {
        let ids = markets(of: unit).map(\.id).joined(separator: ", ")
        let keys =
            file.kind == .siteAssociation
            ? "appInfo.bundleIdentifier and appInfo.teamIdentifier"
            : "appInfo.android.package and appInfo.android.certificateDigests"
        return SiteFinding(
            .noApp, .warning, of: file.host, file: file.kind,
            "market \(ids) has no app for this file, so the file is not compared with its routes", hint: "set \(keys)")
    }
}

/// A comparison of the association files that sites serve with the routes of the markets.
///
/// Links are derived from every route, like in ``SiteFiles/audit()``, and matched against the markets' tables and the
/// served files. A link that a table routes but a file does not claim stays in the browser. Files are added one at a
/// time, so that only one is in memory, and all of them are charged to one budget. If the budget runs out, the current
/// file gets a finding that names the limit, and further files are not compared.
package struct SiteVerification {
    /// A generous estimate of the memory for parsed JSON, per byte of text.
    private static let bytesOfATree = 24

    private let files: SiteFiles
    private let budget: WorkBudget
    private let collected = SiteFindings()
    private var known: Set<String> = []

    /// Whether the budget ran out, so that further files are ignored.
    package private(set) var hasEnded = false

    /// Starts a comparison.
    package init(_ files: SiteFiles, budget: WorkBudget) {
        self.files = files
        self.budget = budget
    }

    /// The findings so far.
    package var findings: [SiteFinding] { collected.all }

    /// Compares a file.
    package mutating func add(_ file: ServedFile) {
        guard !hasEnded else { return }
        do {
            try compare(file)
        } catch {
            hasEnded = true
            collected.add(
                SiteFinding(
                    .tooLarge, of: file.host, file: file.kind,
                    "was not compared completely, and later files not at all: \(error)",
                    hint: "serve fewer and simpler patterns, or compare one market and host at a time"))
        }
    }

    private mutating func compare(_ file: ServedFile) throws(WorkBudget.Exceeded) {
        if known.insert(file.host).inserted { files.siblingFindings(of: file.host).forEach { collected.add($0) } }
        guard files.hasApp(for: file) else {
            // A file for an app that doesn't exist isn't missing.
            let units = file.kind == .siteAssociation ? files.association.map(\.unit) : files.android.map(\.unit)
            for unit in units where unit.host == file.host { collected.add(files.noApp(unit, file)) }
            return
        }
        let findings = ServedFileFindings(file: file, list: collected)
        let reading = ServedReading(findings: findings)
        var held = 0
        if case .bytes(let bytes) = file.content {
            held = Self.bytesOfATree * min(bytes.count, reading.limit(files.options.associationSizeLimit))
            try budget.hold(bytes: held, for: .reading)
            try budget.spend(1 + bytes.count / 16, on: .reading)
        }
        let json = reading.json(limit: files.options.associationSizeLimit)
        try budget.look(in: .reading)
        if let json {
            switch file.kind {
            case .siteAssociation: held += try compareAssociation(json, findings)
            case .assetLinks: try compareLinks(json, findings)
            }
        }
        budget.release(bytes: held)
    }

    /// Compares a file, and returns the number of bytes that it holds.
    private func compareAssociation(
        _ json: StrictJSON, _ findings: ServedFileFindings
    ) throws(WorkBudget.Exceeded) -> Int {
        let file = findings.file
        let content = try ServedAssociation(json, budget: budget, findings: findings)
        for rules in files.association where rules.unit.host == file.host {
            let bundle = rules.unit.app
            let team = files.team(of: bundle)
            guard files.hasAppleApp(rules.unit) else {
                findings.list.add(files.noApp(rules.unit, file))
                continue
            }
            guard let matcher = content.matcher(of: "\(team).\(bundle)") else {
                // A value of the wrong type, already reported, may hide the app.
                if !content.mayHideApps { findings.list.add(Self.missing(bundle, team, in: content, file)) }
                continue
            }
            let missed = try missed(
                rules.unit, file,
                served: { sample throws(WorkBudget.Exceeded) in
                    var work = MatchingWork(budget, on: .comparing)
                    let (outcomes, _) = try matcher.decision(on: sample.associationLink, &work)
                    try work.spend()
                    return outcomes
                },
                expected: { sample throws(WorkBudget.Exceeded) in
                    // Unknown behavior for a link that no market routes isn't worth reporting.
                    if sample.hasEmptySegment { return false }
                    return try rules.claim(sample, budget: budget) == nil ? nil : true
                })
            missed.forEach { findings.list.add($0) }
            let kept = try opened(rules.unit, file) { sample throws(WorkBudget.Exceeded) in
                var work = MatchingWork(budget, on: .comparing)
                let (outcomes, _) = try matcher.decision(on: sample.associationLink, &work)
                try work.spend()
                return outcomes == .opens
            }
            kept.forEach { findings.list.add($0) }
        }
        return content.size
    }

    /// The links that the market keeps in the browser and a file opens in the app, whose gate refuses them.
    private func opened(
        _ unit: HostAppPair, _ file: ServedFile, opens: (SiteSample) throws(WorkBudget.Exceeded) -> Bool
    ) throws(WorkBudget.Exceeded) -> [SiteFinding] {
        var findings: [SiteFinding] = []
        for path in unit.browser {
            let own = "/" + path.segments.map(SiteText.pathSegment).joined(separator: "/")
            let samples = [own] + (path.includesBelow ? [own + "/zq7700013x", own + "/zq7700013x/y"] : [])
            var links: [String] = []
            for text in samples where try opens(SiteSample(path: text, query: nil, trait: .plain)) {
                links.append("https://" + unit.linkHost + text)
            }
            guard !links.isEmpty else { continue }
            findings.append(
                SiteFinding(
                    .keptInBrowser, of: file.host, file: file.kind, links: links,
                    "opens \(unit.app) for links that the market keeps in the browser (\(path.text))",
                    hint: "serve the output of `glass-host export aasa --host \(file.host)`, "
                        + "or remove the path from deepLinking.browser"))
        }
        return findings
    }

    private static func missing(
        _ bundle: String, _ team: String, in content: ServedAssociation, _ file: ServedFile
    ) -> SiteFinding {
        let other = content.apps.first { $0.hasSuffix("." + bundle) && $0.count == bundle.count + 11 }
        if let other {
            let message = "names \(other), but the market's app is \(team).\(bundle): no link opens it"
            return SiteFinding(
                .wrongTeam, of: file.host, file: file.kind, message,
                hint: "use the same team in appInfo.teamIdentifier and the file's appIDs")
        }
        return SiteFinding(
            .missingApp, of: file.host, file: file.kind, "does not name \(team).\(bundle): no link opens the app",
            hint: "serve the output of `glass-host export aasa --host \(file.host)`")
    }

    private func compareLinks(
        _ json: StrictJSON, _ findings: ServedFileFindings
    ) throws(WorkBudget.Exceeded) {
        let file = findings.file
        let content = try ServedAssetLinks(json, budget: budget, findings: findings)
        for other in content.includes { findings.add(.include, "includes \(other), which is not read", .warning) }
        for rules in files.android where rules.unit.host == file.host {
            let package = rules.unit.app
            let digests = files.digests(of: package)
            guard files.hasAndroidApp(rules.unit) else {
                findings.list.add(files.noApp(rules.unit, file))
                continue
            }
            guard let app = content.apps[package] else {
                // A value of the wrong type, already reported, may hide the app.
                if content.mayHideApps { continue }
                findings.add(
                    .missingApp, "does not name \(package): no link opens the app",
                    hint: "serve the output of `glass-host export assetlinks --host \(file.host)`")
                continue
            }
            for digest in digests where !app.digests.contains(digest) && !app.mayHideDigests {
                findings.add(
                    .missingDigest,
                    "lacks the certificate \(digest) of \(package): an app signed with it is not verified",
                    hint: "add it to sha256_cert_fingerprints, or remove it from appInfo.android.certificateDigests")
            }
            for digest in app.digests.subtracting(digests).sorted() {
                findings.add(
                    .foreignDigest,
                    "has the certificate \(digest) for \(package), which the market does not list", .warning,
                    hint:
                        "apps signed with it can open the site's links: remove it, "
                        + "or add it to appInfo.android.certificateDigests"
                )
            }
            if app.ruleSets > 1 {
                findings.add(
                    .repeatedRules,
                    "has \(app.ruleSets) sets of dynamic rules for \(package), and Android may use any of them",
                    hint: "combine them in one statement")
            }
            guard let narrowing = app.rules else { continue }
            let missed = try missed(
                rules.unit, file,
                served: { sample throws(WorkBudget.Exceeded) in
                    try budget.spend(1 + narrowing.count / 4 + app.size / 16, on: .comparing)
                    return AndroidDynamicRule.allow(narrowing, path: sample.decodedPath, query: sample.query)
                        ? .opens : .stays
                },
                // Links that the manifest doesn't claim cannot be opened by the site's file.
                expected: { sample throws(WorkBudget.Exceeded) in
                    guard try rules.claim(sample, budget: budget) != nil else { return false }
                    return try rules.claimNarrowed(sample, budget: budget) == nil ? nil : true
                })
            missed.forEach { findings.list.add($0) }
        }
    }

    /// Matches a file against the links of an app's routes on a host. `expected` returns `true` if the exported file
    /// would claim a link, nil if it would not, and `false` to skip the link.
    private func missed(
        _ unit: HostAppPair, _ file: ServedFile,
        served: (SiteSample) throws(WorkBudget.Exceeded) -> AssociationOutcomes,
        expected: (SiteSample) throws(WorkBudget.Exceeded) -> Bool?
    ) throws(WorkBudget.Exceeded) -> [SiteFinding] {
        var outcomes = RouteOutcomes(unit)
        for route in unit.routes {
            for sample in try SiteSample.samples(of: route.route.pattern, budget: budget) {
                let link = "https://" + unit.linkHost + sample.suffix
                if files.keepsInBrowser(link, unit: unit) { continue }
                let routed = files.routes(link, unit: unit)
                let expected = try expected(sample)
                if expected == false { continue }
                outcomes.add(link, sample.trait, routed, try served(sample), isExpected: expected != nil)
            }
        }
        return outcomes.findings(files.input, file)
    }
}
