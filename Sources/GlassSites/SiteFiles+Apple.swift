import GlassBase
import GlassDeepLinking

extension SiteFiles {
    /// The contents of `https://HOST/.well-known/apple-app-site-association`.
    ///
    /// Uses components and defaults, which iOS 14 and macOS 11 support. The first matching component decides.
    package func siteAssociation(host: String) throws(SiteFilesError) -> String {
        let host = try known(host)
        let rules = association.filter { $0.unit.host == host }
        var issues: [SiteFilesError.Issue] = []
        for market in rules.flatMap({ markets(of: $0.unit) }) {
            let file = "apple-app-site-association"
            // A market may omit the team if another market with the same app sets it.
            if market.app.bundleIdentifier.isEmpty {
                issues.append(.missing(market: market.id, key: "appInfo.bundleIdentifier", file: file))
            } else if team(of: market.app.bundleIdentifier).isEmpty {
                issues.append(.missing(market: market.id, key: "appInfo.teamIdentifier", file: file))
            }
        }
        guard issues.isEmpty else { throw SiteFilesError(issues: issues) }
        return SiteFiles.associationText(rules, variables: variables[host] ?? [:]) { bundle in
            team(of: bundle) + "." + bundle
        }
    }

    /// The `Info.plist` fragment of an app: its URL types, and the schemes that it may query.
    package func infoPlist(bundle: String) throws(SiteFilesError) -> String {
        var lines = ["    <key>CFBundleURLTypes</key>"]
        var types: [String] = []
        var seen: Set<String> = []
        for market in try markets(bundle: bundle) {
            let schemes = market.schemes.map(SiteInputCheck.lowercased).filter { seen.insert($0).inserted }
            guard !schemes.isEmpty else { continue }
            types += [
                "        <dict>",
                "            <key>CFBundleTypeRole</key>",
                "            <string>Editor</string>",
                "            <key>CFBundleURLName</key>",
                "            <string>\((bundle + "." + market.id).xmlText)</string>",
                "            <key>CFBundleURLSchemes</key>",
                "            <array>",
            ]
            types += schemes.map { "                <string>\($0.xmlText)</string>" }
            types += ["            </array>", "        </dict>"]
        }
        lines += types.isEmpty ? ["    <array/>"] : ["    <array>"] + types + ["    </array>"]
        let others = try queriedSchemes(bundle: bundle)
        if !others.isEmpty {
            lines += ["    <key>LSApplicationQueriesSchemes</key>", "    <array>"]
            lines += others.map { "        <string>\($0.xmlText)</string>" }
            lines.append("    </array>")
        }
        return SiteFiles.propertyList(lines)
    }

    /// The distinct schemes of other apps that an app's markets open.
    private func queriedSchemes(bundle: String) throws(SiteFilesError) -> [String] {
        var seen: Set<String> = []
        return try markets(bundle: bundle).flatMap(\.outboundSchemes).map(SiteInputCheck.lowercased)
            .filter { seen.insert($0).inserted }
    }

    /// The entitlements fragment of an app: its associated domains.
    package func entitlements(bundle: String) throws(SiteFilesError) -> String {
        var seen: Set<String> = []
        let domains = try markets(bundle: bundle).flatMap(\.universalHosts).map(SiteInputCheck.lowercased)
            .filter { seen.insert($0).inserted }
        var lines = ["    <key>com.apple.developer.associated-domains</key>"]
        if domains.isEmpty {
            lines.append("    <array/>")
        } else {
            lines.append("    <array>")
            lines += domains.map { "        <string>applinks:\($0.xmlText)</string>" }
            lines.append("    </array>")
        }
        return SiteFiles.propertyList(lines)
    }

    func known(_ host: String) throws(SiteFilesError) -> String {
        let host = UniversalHost(SiteInputCheck.lowercased(host)).fileHost
        guard hosts.contains(host) else {
            throw SiteFilesError(issues: [.unknown(kind: "host", value: host, known: hosts)])
        }
        return host
    }

    private func markets(bundle: String) throws(SiteFilesError) -> [SiteInput.Market] {
        guard bundles.contains(bundle) else {
            throw SiteFilesError(issues: [.unknown(kind: "bundle identifier", value: bundle, known: bundles)])
        }
        return input.markets.filter { $0.app.bundleIdentifier == bundle }
    }

    /// The team that any market of the app specifies. Conflicting teams were rejected.
    func team(of bundle: String) -> String {
        let teams = input.markets.filter { $0.app.bundleIdentifier == bundle }.map(\.app.teamIdentifier)
        return teams.first { !$0.isEmpty } ?? ""
    }

    static func associationText(
        _ rules: [AssociationRules], variables: [String: [String]], appIdentifier: (String) -> String = { $0 }
    ) -> String {
        let defaults = "    \"defaults\": { \"caseSensitive\": false, \"percentEncoded\": true },"
        var lines = ["{", "  \"applinks\": {", defaults]
        if !variables.isEmpty {
            lines.append("    \"substitutionVariables\": {")
            let names = variables.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
            for name in names {
                let values = (variables[name] ?? []).map(\.jsonLiteral).joined(separator: ", ")
                lines.append("      \(name.jsonLiteral): [\(values)]\(name == names.last ? "" : ",")")
            }
            lines.append("    },")
        }
        lines.append("    \"details\": [")
        for (index, rule) in rules.enumerated() {
            lines.append("      {")
            lines.append("        \"appIDs\": [\(appIdentifier(rule.unit.app).jsonLiteral)],")
            lines.append("        \"components\": [")
            for (place, component) in rule.components.enumerated() {
                lines.append("          \(component.rule.json)\(place == rule.components.count - 1 ? "" : ",")")
            }
            lines += ["        ]", "      }\(index == rules.count - 1 ? "" : ",")"]
        }
        lines += ["    ]", "  }", "}", ""]
        return lines.joined(separator: "\n")
    }

    private static func propertyList(_ lines: [String]) -> String {
        let address = "http://www.apple.com/DTDs/PropertyList-1.0.dtd"
        let start = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"\(address)\">",
            "<plist version=\"1.0\">",
            "<dict>",
        ]
        return (start + lines + ["</dict>", "</plist>", ""]).joined(separator: "\n")
    }
}
