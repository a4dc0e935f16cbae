package import GlassBase

extension SiteFiles {
    /// Compares the association files that sites serve with the routes of the markets: which links a phone would miss.
    ///
    /// Links are made from every route as ``audit()`` makes them, and asked of the markets' tables and of the served
    /// files. A link that a table routes and a file does not claim stays in the browser.
    package func verify(_ served: [ServedFile], allowance: Allowance) throws(Allowance.Exceeded) -> [ServedFinding] {
        var findings: [ServedFinding] = []
        var known: Set<String> = []
        for file in served {
            if known.insert(file.host).inserted { findings += siblingFindings(of: file.host) }
            guard hasApp(for: file) else {
                // Nobody misses a file, whatever it is, of an app that there is not.
                let units = file.kind == .siteAssociation ? association.map(\.unit) : android.map(\.unit)
                findings += units.filter { $0.host == file.host }.map { noApp($0, file) }
                continue
            }
            var reading = ServedReading(file: file)
            let json = reading.json(limit: options.associationSizeLimit)
            findings += reading.findings
            guard let json else { continue }
            switch file.kind {
            case .siteAssociation: findings += try verify(json, of: file, allowance)
            case .assetLinks: findings += try verifyLinks(json, of: file, allowance)
            }
        }
        return findings
    }

    /// Whether some market of the host has the app that a file is about.
    private func hasApp(for file: ServedFile) -> Bool {
        switch file.kind {
        case .siteAssociation: association.contains { $0.unit.host == file.host && hasAppleApp($0.unit) }
        case .assetLinks: android.contains { $0.unit.host == file.host && hasAndroidApp($0.unit) }
        }
    }

    private func hasAppleApp(_ unit: SiteUnit) -> Bool { bundles.contains(unit.app) && !team(of: unit.app).isEmpty }

    private func hasAndroidApp(_ unit: SiteUnit) -> Bool {
        packages.contains(unit.app) && !digests(of: unit.app).isEmpty
    }

    /// A phone takes `walmart.ca` and `www.walmart.ca` for two sites, and people type either.
    private func siblingFindings(of host: String) -> [ServedFinding] {
        let sibling: String
        if host.hasPrefix("www.") {
            sibling = String(host.dropFirst(4))
        } else {
            // Of more labels nobody can say without a list of public suffixes whether it is a site's own name.
            guard host.split(separator: ".").count == 2 else { return [] }
            sibling = "www." + host
        }
        guard !hosts.contains(sibling) else { return [] }
        return [
            ServedFinding(
                .unlistedHost, .warning, host: host, "links of \(sibling) stay in the browser",
                hint: "add \"\(sibling)\" to deepLinking.universalLinks, or never link to it")
        ]
    }

    private func verify(
        _ json: StrictJSON, of file: ServedFile, _ allowance: Allowance
    ) throws(Allowance.Exceeded) -> [ServedFinding] {
        let content = try ServedAssociation(json, allowance: allowance)
        var findings = content.problems.map { key, message in
            ServedFinding(.malformed, .warning, host: file.host, file: file.kind, key: key, message)
        }
        for rules in association where rules.unit.host == file.host {
            let bundle = rules.unit.app
            let team = team(of: bundle)
            guard hasAppleApp(rules.unit) else {
                findings.append(noApp(rules.unit, file))
                continue
            }
            guard let patterns = content.patterns(of: "\(team).\(bundle)") else {
                findings.append(missing(bundle, team, in: content, file))
                continue
            }
            findings += try missed(
                rules.unit, file,
                served: { sample throws(Allowance.Exceeded) in
                    for pattern in patterns {
                        try allowance.spend(1 + pattern.size * sample.path.utf8.count / 256, on: .exporting)
                        if pattern.matches(path: sample.path, query: sample.query) { return !pattern.isExcluded }
                    }
                    return false
                },
                expected: { sample throws(Allowance.Exceeded) in
                    try rules.claim(sample, allowance: allowance) == nil ? nil : true
                }, allowance)
        }
        return findings
    }

    private func missing(
        _ bundle: String, _ team: String, in content: ServedAssociation, _ file: ServedFile
    ) -> ServedFinding {
        let other = content.apps.first { $0.hasSuffix("." + bundle) && $0.count == bundle.count + 11 }
        if let other {
            let message = "names \(other), and the market's app is \(team).\(bundle): no link opens it"
            return ServedFinding(
                .wrongTeam, host: file.host, file: file.kind, message,
                hint: "make appInfo.teamIdentifier and the file's appIDs the same")
        }
        return ServedFinding(
            .missingApp, host: file.host, file: file.kind, "does not name \(team).\(bundle): no link opens the app",
            hint: "serve what `glass-host export aasa --host \(file.host)` prints")
    }

    private func verifyLinks(
        _ json: StrictJSON, of file: ServedFile, _ allowance: Allowance
    ) throws(Allowance.Exceeded) -> [ServedFinding] {
        let content = try ServedAssetLinks(json, allowance: allowance)
        func finding(
            _ code: ServedFinding.Code, _ message: String, _ severity: ServedFinding.Severity = .error,
            key: String? = nil, hint: String? = nil
        ) -> ServedFinding {
            ServedFinding(code, severity, host: file.host, file: file.kind, key: key, message, hint: hint)
        }
        var findings = content.problems.map { key, message in
            finding(.malformed, message, .warning, key: key.isEmpty ? nil : key)
        }
        for other in content.includes {
            findings.append(finding(.include, "includes \(other), which is not read here", .warning))
        }
        for rules in android where rules.unit.host == file.host {
            let package = rules.unit.app
            let digests = digests(of: package)
            guard hasAndroidApp(rules.unit) else {
                findings.append(noApp(rules.unit, file))
                continue
            }
            guard let app = content.apps[package] else {
                findings.append(
                    finding(
                        .missingApp, "does not name \(package): no link opens the app",
                        hint: "serve what `glass-host export assetlinks --host \(file.host)` prints"))
                continue
            }
            for digest in digests where !app.digests.contains(digest) {
                findings.append(
                    finding(
                        .missingDigest,
                        "lacks the certificate \(digest) of \(package): an app signed with it is not verified",
                        hint: "add it to sha256_cert_fingerprints, or remove it from appInfo.android.certificateDigests"
                    ))
            }
            for digest in app.digests.subtracting(digests).sorted() {
                findings.append(
                    finding(
                        .foreignDigest, "has the certificate \(digest) for \(package), which the market does not list",
                        .warning,
                        hint:
                            "whoever signs with it opens the site's links: remove it, or add it to appInfo.android.certificateDigests"
                    ))
            }
            if app.ruleSets > 1 {
                findings.append(
                    finding(
                        .repeatedRules,
                        "has \(app.ruleSets) sets of dynamic rules for \(package), and Android takes any",
                        hint: "put them into one statement"))
            }
            guard let narrowing = app.rules else { continue }
            findings += try missed(
                rules.unit, file,
                served: { sample throws(Allowance.Exceeded) in
                    try allowance.spend(1 + narrowing.count / 4, on: .exporting)
                    return AndroidDynamicRule.allow(narrowing, path: sample.decodedPath, query: sample.query)
                },
                // What the manifest does not claim is not for the site's file to open.
                expected: { sample throws(Allowance.Exceeded) in
                    guard try rules.claim(sample, below31: false, allowance: allowance) != nil else { return false }
                    return try rules.claimNarrowed(sample, allowance: allowance) == nil ? nil : true
                }, allowance)
        }
        return findings
    }

    private func noApp(_ unit: SiteUnit, _ file: ServedFile) -> ServedFinding {
        let ids = markets(of: unit).map(\.id).joined(separator: ", ")
        let keys =
            file.kind == .siteAssociation
            ? "appInfo.bundleIdentifier and appInfo.teamIdentifier"
            : "appInfo.android.package and appInfo.android.certificateDigests"
        return ServedFinding(
            .noApp, .warning, host: file.host, file: file.kind,
            "market \(ids) has no app for this file, which is not compared with its routes", hint: "set \(keys)")
    }

    /// Asks a file about the links of a unit's routes.
    private func missed(
        _ unit: SiteUnit, _ file: ServedFile, served: (SiteSample) throws(Allowance.Exceeded) -> Bool,
        expected: (SiteSample) throws(Allowance.Exceeded) -> Bool?, _ allowance: Allowance
    ) throws(Allowance.Exceeded) -> [ServedFinding] {
        var outcomes = RouteOutcomes(unit)
        for route in unit.routes {
            for sample in try SiteSample.samples(of: route.route.pattern, allowance: allowance) {
                let link = "https://" + unit.host + sample.suffix
                let routed = routes(link, unit: unit)
                let expected = try expected(sample)
                if expected == false { continue }
                outcomes.add(link, sample.trait, routed, isOpened: try served(sample), isExpected: expected != nil)
            }
        }
        return outcomes.findings(input, file)
    }
}
