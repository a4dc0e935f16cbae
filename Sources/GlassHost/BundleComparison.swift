import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassSchema

/// What differs between a built app and its markets, in both directions.
///
/// The lists of an app can be as long as its files. They are read once, each name is looked up and not searched, and of what
/// differs in a list the first findings stand for the others.
struct BundleComparison {
    /// How many findings a list of names has; the others are counted.
    private static let maximumOfAList = 25

    private let file: AppBundleFile
    /// Whether markets are compared although another app's identifier is theirs: the user named them.
    private let isNamed: Bool
    private let meter: Meter
    /// What the app has.
    private let present: [List: Names]
    /// The domains that the app has for some devices alone.
    private let restricted: [AssociationMode: Names]
    private let groups: Set<String>
    /// What the app's markets have together, by the list of the app that has to have it.
    private var claimed: [List: Names] = [:]
    private var count = 0

    private enum List: Hashable, CaseIterable {
        case schemes, queries, domains
    }

    /// What the comparison takes of the command's budget: the one place that spends it.
    private struct Meter {
        let budget: WorkBudget

        /// Counts a name that is read or looked up.
        func count(_ name: String) throws(WorkBudget.Exceeded) {
            try budget.spend(1 + name.utf8.count / 16, on: .comparing)
        }
    }

    /// Names without regard to letter case, of which `*.` stands for all names below a domain.
    private struct Names {
        private(set) var list: [String] = []
        private var names: Set<String> = []
        /// The ends of the names that begin with a dot, and of those with `*.` alone.
        private var ends: Set<Substring> = []
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

        /// Whether a name is there, or a wildcard that stands for it.
        func covers(_ name: String) -> Bool {
            let name = name.lowercased()
            return names.contains(name)
                || (!wildcards.isEmpty && Self.ends(of: name).contains(where: wildcards.contains))
        }

        /// Whether a name is there, or one that it stands for as a wildcard.
        func isCovered(by name: String) -> Bool {
            let name = name.lowercased()
            return names.contains(name) || (name.hasPrefix("*.") && ends.contains(name.dropFirst()))
        }

        /// The ends of a name from each of its dots on; a domain has no more than 127 of them.
        private static func ends(of name: String) -> [Substring] {
            name.indices.lazy.filter { name[$0] == "." }.prefix(127).map { name[$0...] }
        }
    }

    /// What is said of a host that the app has for some devices alone; nil for one that it has not at all.
    private static func restriction(
        of host: String, in restricted: [AssociationMode: Names], _ entitlements: String
    ) -> String? {
        let modes = AssociationMode.allCases.filter { restricted[$0]?.covers(host) ?? false }
        guard !modes.isEmpty else { return nil }
        let devices =
            switch modes {
            case [.developer]: "devices of developers"
            case [.managed]: "managed devices"
            default: "devices of developers and managed devices"
            }
        return "the app has \"applinks:\(host)\" with ?mode=\(modes.map(\.rawValue).joined(separator: "+")) alone "
            + "(\(entitlements)), so links open it on \(devices) only"
    }

    /// Compares with nothing yet. What it does counts on a budget.
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
        func differs(_ key: ConfigurationPath, _ plist: String, _ own: String, isWarning: Bool = false) {
            guard let value = file.values[plist] else {
                findings.append(
                    finding(market, key, of: plist, "the app has no \(plist)", "build it into \(file.path)"))
                return
            }
            // A list or an object may be as long as the file, and none of these is one.
            let text = value as? String ?? (value as? Int).map(String.init) ?? (value as? Double).map { "\($0)" }
            guard let text else {
                findings.append(
                    finding(market, key, of: plist, "the app's \(plist) is no text", "build a text into \(file.path)"))
                return
            }
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
        findings += try missing(.schemes, links.schemes, "deepLinking.schemes", market) {
            "the app does not claim the scheme \"\($0)\" (CFBundleURLTypes), so its links do not open it"
        }
        findings += try missing(.queries, links.outboundSchemes, "deepLinking.outboundSchemes", market, .warning) {
            "the app may not ask about the scheme \"\($0)\" (LSApplicationQueriesSchemes)"
        }
        guard let entitlements = file.entitlementsPath else { return findings.withLines(of: market.origin.files) }
        let restricted = restricted  // for the closure of the message
        findings += try missing(.domains, links.universalLinks, "deepLinking.universalLinks", market) {
            Self.restriction(of: $0, in: restricted, entitlements)
                ?? "the app has no entitlement for \"applinks:\($0)\" (\(entitlements)), so its links stay in the browser"
        }
        for (key, group) in Self.groups(of: market) where !groups.contains(group) {
            findings.append(
                finding(
                    market, key, of: group,
                    "the app has no entitlement for the group \(group.quotedForMessage) (\(entitlements))",
                    "add it to com.apple.security.application-groups; without it the app cannot open what is shared"))
        }
        return findings.withLines(of: market.origin.files)
    }

    /// What the app has and none of its markets; and that none is its market.
    func findings() throws(WorkBudget.Exceeded) -> [Finding] {
        guard count > 0 else {
            let identifier = file.values["CFBundleIdentifier"] as? String ?? ""
            return [
                Finding(
                    .bundleMismatch, at: nil, path: "platform.appInfo.bundleIdentifier", subject: identifier,
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
            "the app claims the scheme \($0.quotedForMessage), which no market of it has: its links open nothing"
        }
        findings += try extra(.queries, "deepLinking.outboundSchemes") {
            "the app asks about the scheme \($0.quotedForMessage), which no market of it lets go"
        }
        findings += try extra(.domains, "deepLinking.universalLinks") {
            "the app has an entitlement for \($0.quotedForMessage), which no market of it has: its links open nothing"
        }
        if file.entitlementsPath == nil {
            findings.append(
                Finding(
                    .bundleMismatch, severity: .warning, at: nil, path: "deepLinking.universalLinks",
                    "no .entitlements file is beside \(file.path), so domains and groups were not compared",
                    hint: "put the app's there: codesign -d --entitlements :- APP > APP.entitlements"))
        }
        return findings
    }

    private mutating func missing(
        _ list: List, _ names: [String], _ key: ConfigurationPath, _ market: Market,
        _ severity: Finding.Severity = .error, _ text: (String) -> String
    ) throws(WorkBudget.Exceeded) -> [Finding] {
        var known = Names()
        swap(&known, &claimed[list, default: Names()])
        var findings: [Finding] = []
        var omitted = 0
        for name in names {
            try known.add(name, meter)
            // An entitlement may stand for all subdomains.
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

    /// A finding for those that are only counted.
    private static func more(
        _ count: Int, _ key: ConfigurationPath, _ severity: Finding.Severity, at position: SourcePosition?
    ) -> [Finding] {
        guard count > 0 else { return [] }
        return [
            Finding(
                .omittedFindings, severity: severity, at: position, path: key,
                "and \(count.grouped) more that differ here",
                hint: "start with those that are shown")
        ]
    }

    /// The keys that name an app group, with its name.
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
