import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassSchema

/// The differences between a built app and its markets, in both directions.
///
/// An app's lists can be as long as its files. Each list is read once, names are looked up rather than searched for,
/// and only the first differences of a list are reported individually.
struct BundleComparison {
    /// The maximum number of findings for a list of names; the rest are counted.
    private static let maximumOfAList = 25

    private let file: AppBundleFile
    /// Whether to compare markets whose bundle identifier differs, because the user named them.
    private let isNamed: Bool
    private let meter: Meter
    /// The names that the app declares.
    private let present: [List: Names]
    /// The domains that the app declares only for some devices.
    private let restricted: [AssociationMode: Names]
    private let groups: Set<String>
    /// The names of all of the app's markets, by the app's list that must contain them.
    private var claimed: [List: Names] = [:]
    private var count = 0
    /// The key of the bundle identifier in the module of the markets.
    private let identifierKey = MarketSchema(HostSettings.current.module).path(.bundleIdentifier) ?? ConfigurationPath()

    private enum List: Hashable, CaseIterable {
        case schemes, queries, domains
    }

    /// Charges the comparison's work to the command's budget. Nothing else in the comparison does.
    private struct Meter {
        let budget: WorkBudget

        /// Charges for a name that is read or looked up.
        func count(_ name: String) throws(WorkBudget.Exceeded) {
            try budget.spend(1 + name.utf8.count / 16, on: .comparing)
        }
    }

    /// A case-insensitive set of names, in which `*.` matches all names below a domain.
    private struct Names {
        private(set) var list: [String] = []
        private var names: Set<String> = []
        /// The suffixes of all names, each starting at a dot.
        private var ends: Set<Substring> = []
        /// The names that begin with `*.`, without the asterisk.
        private var wildcards: Set<Substring> = []

        init() {}

        init(_ list: [String], _ meter: Meter) throws(WorkBudget.Exceeded) {
            for name in list { try add(name, meter) }
        }

        mutating func add(_ name: String, _ meter: Meter) throws(WorkBudget.Exceeded) {
            try meter.count(name)
            list.append(name)
            let name = name.lowercased()
            names.insert(name)
            if name.hasPrefix("*.") { wildcards.insert(name.dropFirst()) }
            for end in Self.ends(of: name) {
                try meter.count(name)
                ends.insert(end)
            }
        }

        /// Whether the set contains a name, or a wildcard that matches it.
        func covers(_ name: String) -> Bool {
            let name = name.lowercased()
            return names.contains(name)
                || (!wildcards.isEmpty && Self.ends(of: name).contains(where: wildcards.contains))
        }

        /// Whether the set contains a name or, if the name is a wildcard, any name that it matches.
        func isCovered(by name: String) -> Bool {
            covers(name) || (name.hasPrefix("*.") && ends.contains(name.lowercased().dropFirst()))
        }

        /// The suffixes of a name that start at its dots. A domain has at most 127 of them.
        private static func ends(of name: String) -> [Substring] {
            name.indices.lazy.filter { name[$0] == "." }.prefix(127).map { name[$0...] }
        }
    }

    /// The message for a host that the app declares only for some devices; nil if the app does not declare it at all.
    private static func restriction(
        of host: String, in restricted: [AssociationMode: Names], _ entitlements: String
    ) -> String? {
        let modes = AssociationMode.allCases.filter { restricted[$0]?.covers(host) ?? false }
        guard !modes.isEmpty else { return nil }
        let devices =
            switch modes {
            case [.developer]: "developer devices"
            case [.managed]: "managed devices"
            default: "developer and managed devices"
            }
        return "the app has \"applinks:\(host)\" only with ?mode=\(modes.map(\.rawValue).joined(separator: "+")) "
            + "(\(entitlements)), so links open it only on \(devices)"
    }

    /// Reads the app's names. All work is charged to a budget.
    init(_ file: AppBundleFile, isNamed: Bool, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        self.file = file
        self.isNamed = isNamed
        let meter = Meter(budget: budget)
        self.meter = meter
        present = [
            .schemes: try Names(file.schemes, meter),
            .queries: try Names(file.texts("LSApplicationQueriesSchemes"), meter),
            .domains: try Names(file.domains, meter),
        ]
        var restricted: [AssociationMode: Names] = [:]
        for mode in AssociationMode.allCases { restricted[mode] = try Names(file.domains(for: mode), meter) }
        self.restricted = restricted
        groups = Set(file.groups)
    }

    /// Compares a market with the app.
    mutating func findings(of market: Market) throws(WorkBudget.Exceeded) -> [Finding] {
        let info = market.config.appInfo
        let identifier = file.values["CFBundleIdentifier"] as? String ?? ""
        guard isNamed || identifier == info.bundleIdentifier else { return [] }
        count += 1
        var findings: [Finding] = []
        func differs(_ role: KeyDeclaration.Role, _ plist: String, _ own: String, isWarning: Bool = false) {
            guard let key = market.schema.path(role) else { return }
            guard let value = file.values[plist] else {
                findings.append(
                    finding(market, key, of: plist, "the app has no \(plist)", "add it to \(file.path)"))
                return
            }
            // Only scalars are shown: a list or a dictionary can be as long as the file, and none of these values is
            // one.
            let text = value as? String ?? (value as? Int).map(String.init) ?? (value as? Double).map { "\($0)" }
            guard let text else {
                findings.append(
                    finding(
                        market, key, of: plist, "the app's \(plist) is not a string",
                        "make it a string in \(file.path)"))
                return
            }
            if text.contains("$(") {
                let message = "the app's \(plist) is \(text.quotedForMessage), which is an unresolved build setting"
                findings.append(
                    finding(market, key, of: plist, message, "name the Info.plist of the built app", .warning))
            } else if text != own {
                let message =
                    "the app has \(text.quotedForMessage) (\(plist)), but the market has \(own.quotedForMessage)"
                findings.append(
                    finding(market, key, of: plist, message, "make them the same", isWarning ? .warning : .error))
            }
        }
        differs(.bundleIdentifier, "CFBundleIdentifier", info.bundleIdentifier)
        differs(.appVersion, "CFBundleShortVersionString", info.version)
        differs(.appBuild, "CFBundleVersion", "\(info.build)")
        if file.values["CFBundleDisplayName"] != nil {
            differs(.appName, "CFBundleDisplayName", info.name, isWarning: true)
        }
        let links = market.definition.deepLinking
        findings += try missing(.schemes, links.schemes, "deepLinking.schemes", market) {
            "the app does not claim the scheme \"\($0)\" (CFBundleURLTypes), so its links do not open it"
        }
        findings += try missing(.queries, links.outboundSchemes, "deepLinking.outboundSchemes", market, .warning) {
            "the app is not allowed to query the scheme \"\($0)\" (LSApplicationQueriesSchemes)"
        }
        guard let entitlements = file.entitlementsPath else { return findings.withLines(of: market.origin.files) }
        let restricted = restricted  // for the message closure
        findings += try missing(.domains, links.universalLinks, "deepLinking.universalLinks", market) {
            Self.restriction(of: $0, in: restricted, entitlements)
                ?? "the app has no entitlement for \"applinks:\($0)\" (\(entitlements)), so its links stay in the browser"
        }
        for (key, group) in Self.groups(of: market) where !groups.contains(group) {
            findings.append(
                finding(
                    market, key, of: group,
                    "the app has no entitlement for the group \(group.quotedForMessage) (\(entitlements))",
                    "add it to com.apple.security.application-groups; without it, the app cannot open the shared data"))
        }
        return findings.withLines(of: market.origin.files)
    }

    /// The names that the app declares and none of its markets has; or a finding that no market belongs to the app.
    func findings() throws(WorkBudget.Exceeded) -> [Finding] {
        guard count > 0 else {
            let identifier = file.values["CFBundleIdentifier"] as? String ?? ""
            return [
                Finding(
                    .bundleMismatch, at: nil, path: identifierKey, subject: identifier,
                    "no market has the bundle identifier \(identifier.quotedForMessage) of \(file.path)",
                    hint: "name the app's market")
            ]
        }
        func extra(
            _ list: List, _ key: ConfigurationPath, _ text: (String) -> String
        ) throws(WorkBudget.Exceeded) -> [Finding] {
            var findings: [Finding] = []
            var omitted = 0
            for name in present[list]?.list ?? [] {
                try meter.count(name)
                if claimed[list]?.isCovered(by: name) ?? false { continue }
                guard findings.count < Self.maximumOfAList else {
                    omitted += 1
                    continue
                }
                findings.append(
                    Finding(
                        .bundleMismatch, severity: .warning, at: nil, path: key, subject: name, text(name),
                        hint: "add it, or remove it from the app"))
            }
            return findings + Self.more(omitted, key, .warning, at: nil)
        }
        var findings = try extra(.schemes, "deepLinking.schemes") {
            "the app claims the scheme \($0.quotedForMessage), which none of its markets has: its links open nothing"
        }
        findings += try extra(.queries, "deepLinking.outboundSchemes") {
            "the app queries the scheme \($0.quotedForMessage), which none of its markets allows"
        }
        findings += try extra(.domains, "deepLinking.universalLinks") {
            "the app has an entitlement for \($0.quotedForMessage), unlike its markets: its links open nothing"
        }
        if file.entitlementsPath == nil {
            findings.append(
                Finding(
                    .bundleMismatch, severity: .warning, at: nil, path: "deepLinking.universalLinks",
                    "there is no .entitlements file next to \(file.path), so domains and groups were not compared",
                    hint: "save the app's entitlements there: codesign -d --entitlements :- APP > APP.entitlements"))
        }
        return findings
    }

    private mutating func missing(
        _ list: List, _ names: [String], _ key: ConfigurationPath, _ market: Market,
        _ severity: Finding.Severity = .error, _ text: (String) -> String
    ) throws(WorkBudget.Exceeded) -> [Finding] {
        var known = Names()
        // Moved out while names are added, so that the sets are not copied.
        swap(&known, &claimed[list, default: Names()])
        var findings: [Finding] = []
        var omitted = 0
        for name in names {
            try known.add(name, meter)
            // An entitlement can cover all subdomains.
            if present[list]?.covers(name) ?? false { continue }
            guard findings.count < Self.maximumOfAList else {
                omitted += 1
                continue
            }
            findings.append(
                finding(
                    market, key, of: name, text(name), "add what `glass-host export` prints for the market", severity))
        }
        claimed[list] = known
        return findings + Self.more(omitted, key, severity, at: market.source.node(at: key)?.position)
    }

    /// A finding that counts the differences beyond the limit.
    private static func more(
        _ count: Int, _ key: ConfigurationPath, _ severity: Finding.Severity, at position: SourcePosition?
    ) -> [Finding] {
        guard count > 0 else { return [] }
        return [
            Finding(
                .omittedFindings, severity: severity, at: position, path: key,
                "\(count.grouped) more differences",
                hint: "fix the reported ones first")
        ]
    }

    /// The keys whose value is an app group, with the group.
    private static func groups(of market: Market) -> [(ConfigurationPath, String)] {
        market.schema.declaration.identifyingKeys.compactMap { path, identity in
            guard identity == .appGroup, case .string(let group)? = market.source.node(at: path)?.value,
                group.hasPrefix("group.")
            else { return nil }
            return (path, group)
        }
    }

    private func finding(
        _ market: Market, _ key: ConfigurationPath, of subject: String, _ message: String, _ hint: String,
        _ severity: Finding.Severity = .error
    ) -> Finding {
        Finding(
            .bundleMismatch, severity: severity, at: market.source.node(at: key)?.position, path: key,
            subject: "\(market.id) \(subject)", "\(market.id): \(message)", hint: hint)
    }
}
