import GlassBase

extension SiteFiles {
    /// The file `https://HOST/.well-known/assetlinks.json`.
    ///
    /// Routes that need a query item add dynamic rules to the statement of their app, which Android 15 reads and earlier
    /// versions ignore.
    package func assetLinks(host: String) throws(SiteFilesError) -> String {
        let host = try known(host)
        var issues: [SiteFilesError.Issue] = []
        var statements: [String] = []
        // A host of several markets serves a file as long as one of them has an Android app.
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
    /// Android combines the `data` elements of one filter freely: each scheme with each host with each path. So hosts
    /// share a filter exactly when all their paths are the same, and custom schemes have a filter of their own. The
    /// rules are for API 31 and later; comments say what earlier levels make of them.
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
            var data = ["android:scheme=\"https\""]
            data += group.map { "android:host=\"\(SiteText.manifest($0.unit.host))\"" }
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

    /// The hosts of an app that share a filter: those with the same paths.
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
        // Markets that give digests for the same package give the same ones, or were refused.
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
