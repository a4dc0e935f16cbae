import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassSchema

/// What differs between a built app and its markets, in both directions.
struct BundleComparison {
    private let file: AppBundleFile
    /// Whether markets are compared although another app's identifier is theirs: the user named them.
    private let isNamed: Bool
    /// What the app's markets have together, by the list of the app that has to have it.
    private var claimed: [List: Set<String>] = [:]
    private var count = 0

    private enum List: Hashable, CaseIterable {
        case schemes, queries, domains
    }

    /// Compares with nothing yet.
    init(_ file: AppBundleFile, isNamed: Bool) {
        self.file = file
        self.isNamed = isNamed
    }

    /// Compares a market with the app.
    mutating func findings(of market: Market) -> [Finding] {
        let info = market.config.appInfo
        let identifier = file.values["CFBundleIdentifier"] as? String ?? ""
        guard isNamed || identifier == info.bundleIdentifier else { return [] }
        count += 1
        var findings: [Finding] = []
        func differs(_ key: ConfigurationPath, _ plist: String, _ own: String, isWarning: Bool = false) {
            guard let value = file.values[plist] else {
                findings.append(
                    finding(market, key, of: plist, "the app has no \(plist)", "build it into \(file.path)"))
                return
            }
            let text = value as? String ?? "\(value)"
            if text.contains("$(") {
                let message = "the app's \(plist) is \(text.quotedForMessage), which a build replaces"
                findings.append(
                    finding(market, key, of: plist, message, "name the Info.plist of the built app", .warning))
            } else if text != own {
                let message = "the app has \(text.quotedForMessage) (\(plist)), the market \(own.quotedForMessage)"
                findings.append(
                    finding(market, key, of: plist, message, "make them the same", isWarning ? .warning : .error))
            }
        }
        differs("platform.appInfo.bundleIdentifier", "CFBundleIdentifier", info.bundleIdentifier)
        differs("platform.appInfo.version", "CFBundleShortVersionString", info.version)
        differs("platform.appInfo.build", "CFBundleVersion", "\(info.build)")
        if file.values["CFBundleDisplayName"] != nil {
            differs("platform.appInfo.name", "CFBundleDisplayName", info.name, isWarning: true)
        }
        let links = market.definition.deepLinking
        findings += missing(.schemes, links.schemes, "deepLinking.schemes", market) {
            "the app does not claim the scheme \"\($0)\" (CFBundleURLTypes), so its links do not open it"
        }
        findings += missing(.queries, links.outboundSchemes, "deepLinking.outboundSchemes", market, .warning) {
            "the app may not ask about the scheme \"\($0)\" (LSApplicationQueriesSchemes)"
        }
        guard let entitlements = file.entitlementsPath else { return findings.withLines(of: market.origin.files) }
        findings += missing(.domains, links.universalLinks, "deepLinking.universalLinks", market) {
            "the app has no entitlement for \"applinks:\($0)\" (\(entitlements)), so its links stay in the browser"
        }
        for (key, group) in Self.groups(of: market.config) where !file.groups.contains(group) {
            findings.append(
                finding(
                    market, key, of: group,
                    "the app has no entitlement for the group \(group.quotedForMessage) (\(entitlements))",
                    "add it to com.apple.security.application-groups; without it the app cannot open what is shared"))
        }
        return findings.withLines(of: market.origin.files)
    }

    /// What the app has and none of its markets; and that none is its market.
    func findings() -> [Finding] {
        guard count > 0 else {
            let identifier = file.values["CFBundleIdentifier"] as? String ?? ""
            return [
                Finding(
                    .bundleDiffers, at: nil, path: "platform.appInfo.bundleIdentifier", subject: identifier,
                    "no market has the bundle identifier \(identifier.quotedForMessage) of \(file.path)",
                    hint: "name the app's market")
            ]
        }
        func extra(_ list: List, _ values: [String], _ key: ConfigurationPath, _ text: (String) -> String) -> [Finding]
        {
            let known = claimed[list] ?? []
            return values.filter { !Self.isKnown($0.lowercased(), in: known, list) }.map {
                Finding(
                    .bundleDiffers, severity: .warning, at: nil, path: key, subject: $0, text($0),
                    hint: "add it, or remove it from the app")
            }
        }
        var findings = extra(.schemes, file.schemes, "deepLinking.schemes") {
            "the app claims the scheme \($0.quotedForMessage), which no market of it has: its links open nothing"
        }
        findings += extra(.queries, file.texts("LSApplicationQueriesSchemes"), "deepLinking.outboundSchemes") {
            "the app asks about the scheme \($0.quotedForMessage), which no market of it lets go"
        }
        findings += extra(.domains, file.domains, "deepLinking.universalLinks") {
            "the app has an entitlement for \($0.quotedForMessage), which no market of it has: its links open nothing"
        }
        if file.entitlementsPath == nil {
            findings.append(
                Finding(
                    .bundleDiffers, severity: .warning, at: nil, path: "deepLinking.universalLinks",
                    "no .entitlements file is beside \(file.path), so domains and groups were not compared",
                    hint: "put the app's there: codesign -d --entitlements :- APP > APP.entitlements"))
        }
        return findings
    }

    private mutating func missing(
        _ list: List, _ values: [String], _ key: ConfigurationPath, _ market: Market,
        _ severity: Finding.Severity = .error, _ text: (String) -> String
    ) -> [Finding] {
        claimed[list, default: []].formUnion(values.map { $0.lowercased() })
        let present =
            switch list {
            case .schemes: Set(file.schemes.map { $0.lowercased() })
            case .queries: Set(file.texts("LSApplicationQueriesSchemes").map { $0.lowercased() })
            case .domains: Set(file.domains)
            }
        return values.filter { value in
            // An entitlement may stand for all subdomains.
            !present.contains(value.lowercased())
                && !(list == .domains && present.contains { Self.covers($0, value.lowercased()) })
        }.map { finding(market, key, of: $0, text($0), "add what `glass-host export` prints for the market", severity) }
    }

    private static func covers(_ pattern: String, _ host: String) -> Bool {
        pattern.hasPrefix("*.") && host.hasSuffix(pattern.dropFirst())
    }

    private static func isKnown(_ value: String, in known: Set<String>, _ list: List) -> Bool {
        known.contains(value) || (list == .domains && known.contains { covers(value, $0) })
    }

    /// The keys that name an app group, with its name.
    private static func groups(of config: PlatformConfig) -> [(ConfigurationPath, String)] {
        let all: [(ConfigurationPath, String)] = [
            ("platform.userDefaultsRegistration.suite", config.userDefaultsRegistration.suite),
            ("platform.preferences.suite", config.preferences.suite),
            ("platform.cookieStorage.sharedGroup", config.cookieStorage.sharedGroup ?? ""),
        ]
        return all.filter { $0.1.hasPrefix("group.") }
    }

    private func finding(
        _ market: Market, _ key: ConfigurationPath, of subject: String, _ message: String, _ hint: String,
        _ severity: Finding.Severity = .error
    ) -> Finding {
        Finding(
            .bundleDiffers, severity: severity, at: market.source.node(at: key)?.position, path: key,
            subject: "\(market.id) \(subject)", "\(market.id): \(message)", hint: hint)
    }
}
