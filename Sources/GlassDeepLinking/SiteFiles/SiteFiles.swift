/// The site and app files that go with the routes of one market or several.
///
/// Routes of several markets on the same host are merged when the app is the same, and stand side by side when it is
/// not. ``audit()`` says how well each file describes each route, and proves it on links made from the routes.
///
/// ```swift
/// let files = try SiteFiles(input)
/// print(try files.siteAssociation(host: "www.walmart.com"))
/// for claim in files.audit().claims where claim.label != .exact {
///     print(claim.pattern, claim.target, claim.label, claim.reasons.map(\.rule))
/// }
/// ```
public struct SiteFiles: Sendable {
    /// What may be chosen.
    public struct Options: Sendable, Equatable {
        /// Whether the intent filters match literals in any letter case, by a set for each letter.
        ///
        /// Android compares paths with case and the route table does not, so without it routes with letters are
        /// claimed only as they are written.
        public var androidMatchesAnyCase: Bool

        /// The size above which a site association file is reported, in bytes.
        public var associationSizeLimit: Int

        /// Creates options.
        ///
        /// - Parameters:
        ///   - androidMatchesAnyCase: Whether the intent filters match literals in any letter case.
        ///   - associationSizeLimit: The size above which a site association file is reported; 128 KiB, which is
        ///     commonly given as the most that devices read.
        public init(androidMatchesAnyCase: Bool = false, associationSizeLimit: Int = 128 * 1024) {
            self.androidMatchesAnyCase = androidMatchesAnyCase
            self.associationSizeLimit = associationSizeLimit
        }
    }

    /// The markets.
    public let input: SiteInput

    /// What was chosen.
    public let options: Options

    /// The https hosts of all markets, in lower case, in the order of the markets.
    public let hosts: [String]

    /// What works but its owner should know.
    public let findings: [SiteFinding]

    let tables: [RouteTable]
    /// The hosts of each market.
    let hostsOfMarket: [[String]]
    /// The rules of the files, variable so that a test can break them.
    var association: [AssociationRules]
    /// The values of each host's variables.
    let variables: [String: [String: [String]]]
    var android: [AndroidRules]

    /// Checks the input and makes the rules of all files.
    ///
    /// - Parameters:
    ///   - input: The markets.
    ///   - options: What may be chosen.
    /// - Throws: ``SiteFilesError`` with every value that no file can hold, every market whose routes clash, and every
    ///   app that two markets describe differently. A value that only some file needs may be missing.
    public init(_ input: SiteInput, options: Options = Options()) throws(SiteFilesError) {
        var issues = SiteInputCheck.issues(of: input)
        var tables: [RouteTable] = []
        for market in input.markets {
            let declarations = market.routes.enumerated().map { index, route in
                RouteDeclaration(pattern: route.pattern.text, routableID: route.routableID, index: index)
            }
            do {
                tables.append(try RouteTable(declarations))
            } catch {
                issues.append(.routes(market: market.id, error))
            }
        }
        guard issues.isEmpty else { throw SiteFilesError(issues: issues) }
        self.input = input
        self.options = options
        self.tables = tables
        let hostsOfMarket = input.markets.map { $0.universalHosts.map(SiteInputCheck.lowercased) }
        self.hostsOfMarket = hostsOfMarket
        var hosts: [String] = []
        for host in hostsOfMarket.joined() where !hosts.contains(host) { hosts.append(host) }
        self.hosts = hosts

        let units = SiteUnit.units(of: input.markets, hosts: hostsOfMarket, app: \.bundleIdentifier)
        var association: [AssociationRules] = []
        var variables: [String: [String: [String]]] = [:]
        for host in hosts {
            var builder = SiteComponentBuilder()
            let compiled = units.filter { $0.host == host }.map { ($0, builder.components(for: $0.patterns)) }
            variables[host] = builder.variables
            for (unit, components) in compiled {
                association.append(
                    AssociationRules(unit: unit, components: components, variables: builder.variables))
            }
        }
        self.association = association
        self.variables = variables
        let builder = AndroidRuleBuilder(matchesAnyCase: options.androidMatchesAnyCase)
        android = SiteUnit.units(of: input.markets, hosts: hostsOfMarket, app: \.androidPackage).map {
            AndroidRules(unit: $0, rules: builder.rules(for: $0.patterns))
        }
        findings = SiteFiles.findings(
            input: input, options: options, hosts: hosts, association: association, variables: variables,
            android: android)
    }

    /// The bundle identifiers of all markets, in their order.
    public var bundles: [String] { distinct(\.bundleIdentifier) }

    /// The Android packages of all markets, in their order.
    public var packages: [String] { distinct(\.androidPackage) }

    private func distinct(_ value: (SiteInput.App) -> String) -> [String] {
        var result: [String] = []
        for text in input.markets.map({ value($0.app) }) where !text.isEmpty && !result.contains(text) {
            result.append(text)
        }
        return result
    }

    func markets(of unit: SiteUnit) -> [SiteInput.Market] { unit.markets.map { input.markets[$0] } }
}
