import GlassBase

extension SiteFiles {
    /// The contents of `https://HOST/.well-known/assetlinks.json`.
    ///
    /// Routes that require a query item add dynamic rules to their app's statement, which Android 15 reads and earlier
    /// versions ignore.
    package func assetLinks(host: String) throws(SiteFilesError) -> String {
        let host = try known(host)
        var issues: [SiteFilesError.Issue] = []
        var statements: [String] = []
        // A host shared by several markets serves a file if at least one of them has an Android app.
        let hasApp = android.contains { $0.unit.host == host && !$0.unit.app.isEmpty }
        for rules in android where rules.unit.host == host && !(hasApp && rules.unit.app.isEmpty) {
            let unit = rules.unit
            let digests = digests(of: unit.app)
            for market in markets(of: unit) {
                let file = "assetlinks.json"
                if market.app.androidPackage.isEmpty {
                    issues.append(.missing(market: market.id, key: "appInfo.android.package", file: file))
                } else if digests.isEmpty {
                    issues.append(.missing(market: market.id, key: "appInfo.android.certificateDigests", file: file))
                }
            }
            let dynamic = rules.dynamic.map { "          " + $0.json }.joined(separator: ",\n")
            var lines = [
                "  {",
                "    \"relation\": [\"\(AssetLinks.relation)\"],",
                "    \"target\": {",
                "      \"namespace\": \"android_app\",",
                "      \"package_name\": \(unit.app.jsonLiteral),",
                "      \"sha256_cert_fingerprints\": [",
                digests.map { "        " + $0.jsonLiteral }.joined(separator: ",\n"),
                "      ]",
                dynamic.isEmpty ? "    }" : "    },",
            ]
            if !dynamic.isEmpty {
                lines += [
                    "    \"relation_extensions\": {",
                    "      \"\(AssetLinks.relation)\": {",
                    "        \"dynamic_app_link_components\": [",
                    dynamic,
                    "        ]",
                    "      }",
                    "    }",
                ]
            }
            lines.append("  }")
            statements.append(lines.joined(separator: "\n"))
        }
        guard issues.isEmpty else { throw SiteFilesError(issues: issues) }
        return "[\n" + statements.joined(separator: ",\n") + "\n]\n"
    }

    /// The intent filters of an app, for the manifest's activity.
    ///
    /// Android combines the `data` elements of a filter freely: each scheme with each host and each path. So hosts
    /// share a filter only if all their paths are equal, and custom schemes have their own filter. The rules are for
    /// API 31 and later; comments explain how earlier levels interpret them.
    package func intentFilters(package: String) throws(SiteFilesError) -> String {
        guard packages.contains(package) else {
            throw SiteFilesError(issues: [.unknown(kind: "Android package", value: package, known: packages)])
        }
        var filters: [String] = []
        for group in intentFilterGroups(package: package) {
            var lines: [String] = []
            if let first = group.first, first.claimsWholeHostBelow31 {
                lines.append("<!-- Below API 31 this filter claims every path of its hosts. -->")
            } else if group.contains(where: { $0.rules.contains { !$0.rule.isKnownBelowAPI31 } }) {
                lines.append("<!-- Below API 31 pathAdvancedPattern is ignored: those links stay in the browser. -->")
            }
            if group.contains(where: { !$0.unit.browser.isEmpty }) {
                lines.append(
                    "<!-- A filter cannot exclude paths: the app must hand links that its gate refuses by the rule "
                        + "browser back to the browser. -->")
            }
            var data = ["android:scheme=\"https\""]
            data += group.flatMap(\.unit.names).map { "android:host=\"\(SiteText.manifest($0))\"" }
            data += (group.first?.rules ?? []).map {
                "android:\($0.rule.attribute)=\"\(SiteText.manifest($0.rule.value))\""
            }
            lines += SiteFiles.filter(attributes: " android:autoVerify=\"true\"", data: data)
            filters.append(lines.joined(separator: "\n"))
        }
        var seen: Set<String> = []
        let schemes = input.markets.filter { $0.app.androidPackage == package }.flatMap(\.schemes)
            .map(SiteInputCheck.lowercased).filter { seen.insert($0).inserted }
        if !schemes.isEmpty {
            let data = schemes.map { "android:scheme=\"\(SiteText.manifest($0))\"" }
            filters.append(SiteFiles.filter(attributes: "", data: data).joined(separator: "\n"))
        }
        return filters.joined(separator: "\n") + "\n"
    }

    /// The groups of an app's hosts that share a filter because their paths are equal.
    func intentFilterGroups(package: String) -> [[AndroidRules]] {
        var groups: [[AndroidRules]] = []
        var places: [Set<AndroidPathRule>: Int] = [:]
        for rules in android where rules.unit.app == package && !rules.rules.isEmpty {
            let paths = Set(rules.rules.map(\.rule))
            if let place = places[paths] {
                groups[place].append(rules)
            } else {
                places[paths] = groups.count
                groups.append([rules])
            }
        }
        return groups
    }

    func digests(of package: String) -> [String] {
        // Markets that specify digests for the same package specify equal ones; otherwise the input was rejected.
        let market = input.markets.first { $0.app.androidPackage == package && !$0.app.certificateDigests.isEmpty }
        return market?.app.certificateDigests.compactMap(SiteInputCheck.digest) ?? []
    }

    private static func filter(attributes: String, data: [String]) -> [String] {
        let start = [
            "<intent-filter\(attributes)>",
            "    <action android:name=\"android.intent.action.VIEW\" />",
            "    <category android:name=\"android.intent.category.DEFAULT\" />",
            "    <category android:name=\"android.intent.category.BROWSABLE\" />",
        ]
        return start + data.map { "    <data \($0) />" } + ["</intent-filter>"]
    }
}
