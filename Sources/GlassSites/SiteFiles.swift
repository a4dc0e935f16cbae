package import GlassBase
import GlassDeepLinking

/// The site and app files for the routes of one or more markets.
///
/// Routes of several markets on the same host are merged if the app is the same, and are separate otherwise.
/// ``audit()`` determines how well each file matches each route, with evidence from links derived from the routes.
///
/// ```swift
/// let files = try SiteFiles(input)
/// print(try files.siteAssociation(host: "www.walmart.com"))
/// for claim in files.audit().claims where claim.label != .exact {
///     print(claim.pattern, claim.target, claim.label, claim.reasons.map(\.rule))
/// }
/// ```
package struct SiteFiles: Sendable {
    /// The options for generating files.
    package struct Options: Sendable, Equatable {
        /// Whether the intent filters match literals in any letter case, by a set for each letter.
        ///
        /// Android's paths are case-sensitive, the route table isn't, so without this option, routes with letters are
        /// claimed only as written.
        package var androidMatchesAnyCase: Bool

        /// The maximum size of a site association file in bytes; larger files are reported.
        package var associationSizeLimit: Int

        /// Creates options.
        package init(androidMatchesAnyCase: Bool = false, associationSizeLimit: Int = 128 * 1024) {
            self.androidMatchesAnyCase = androidMatchesAnyCase
            self.associationSizeLimit = associationSizeLimit
        }
    }

    /// The markets.
    package let input: SiteInput

    /// The options.
    package let options: Options

    /// The https hosts of all markets in lowercase, in the order of the markets: those that serve files, which for a
    /// wildcard is the host behind it.
    package let hosts: [String]

    /// Findings about things that work but that the owner should know about.
    package let findings: [SiteFinding]

    let tables: [RouteTable]
    /// The hosts of each market, some of them with a wildcard.
    let hostsOfMarket: [[String]]
    /// The rules of the files; variable, so that tests can break them.
    var association: [AssociationRules]
    /// The values of each host's variables.
    let variables: [String: [String: [String]]]
    var android: [AndroidRules]

    /// Validates the input and generates the rules of all files.
    package init(_ input: SiteInput, options: Options = Options()) throws(SiteFilesError) {
        try self.init(input, options: options, budget: .forOwnRoutes)
    }

    /// Validates the input and generates the rules of all files, within a budget.
    package init(
        _ input: SiteInput, options: Options = Options(), budget: WorkBudget
    ) throws(SiteFilesError) {
        let made: Result<SiteFiles, SiteFilesError>
        do throws(WorkBudget.Exceeded) {
            made = try Self.made(input, options, budget)
        } catch {
            throw SiteFilesError(issues: [.tooLarge("\(error)")])
        }
        self = try made.get()
    }

    private static func made(
        _ input: SiteInput, _ options: Options, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Result<SiteFiles, SiteFilesError> {
        var issues = SiteInputCheck.issues(of: input)
        var tables: [RouteTable] = []
        for market in input.markets {
            let declarations = market.routes.enumerated().map { index, route in
                RouteDeclaration(pattern: route.pattern.text, routableID: route.routableID, index: index)
            }
            do {
                tables.append(try RouteTable(declarations, budget: budget))
            } catch {
                if let exceeded = error.exceeded { throw exceeded }
                issues.append(.routes(market: market.id, error))
            }
        }
        guard issues.isEmpty else { return .failure(SiteFilesError(issues: issues)) }
        return .success(try SiteFiles(input, options, tables, budget))
    }

    private init(
        _ input: SiteInput, _ options: Options, _ tables: [RouteTable], _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        self.input = input
        self.options = options
        self.tables = tables
        let hostsOfMarket = input.markets.map { $0.universalHosts.map(SiteInputCheck.lowercased) }
        self.hostsOfMarket = hostsOfMarket
        var seen: Set<String> = []
        let hosts = hostsOfMarket.joined().map { UniversalHost($0).fileHost }.filter { seen.insert($0).inserted }
        self.hosts = hosts

        let units = Dictionary(
            grouping: try HostAppPair.units(
                of: input.markets, hosts: hostsOfMarket, app: \.bundleIdentifier, budget: budget), by: \.host)
        var association: [AssociationRules] = []
        var variables: [String: [String: [String]]] = [:]
        for host in hosts {
            var builder = SiteComponentBuilder(budget: budget)
            var compiled: [(HostAppPair, [RouteRule<SiteComponent>])] = []
            for unit in units[host] ?? [] { compiled.append((unit, try builder.components(of: unit))) }
            variables[host] = builder.variables
            let compiledVariables = SiteVariables(builder.variables)
            for (unit, components) in compiled {
                association.append(
                    try AssociationRules(
                        unit: unit, components: components, variables: compiledVariables, budget: budget))
            }
        }
        self.association = association
        self.variables = variables
        let builder = AndroidRuleBuilder(matchesAnyCase: options.androidMatchesAnyCase)
        var android: [AndroidRules] = []
        for unit in try HostAppPair.units(
            of: input.markets, hosts: hostsOfMarket, app: \.androidPackage, budget: budget)
        {
            android.append(
                AndroidRules(
                    unit: unit, rules: try builder.rules(for: unit.patterns, budget: budget),
                    dynamic: try AndroidDynamicBuilder().rules(
                        for: unit.patterns, keeping: unit.browser, budget: budget)))
        }
        self.android = android
        findings = SiteFiles.findings(
            input: input, options: options, hosts: hosts, association: association, variables: variables,
            android: android)
    }

    /// The host whose files decide about the links of a host; nil if no market has links of it.
    package func fileHost(for host: String) -> String? {
        hostsOfMarket.joined().map(UniversalHost.init).filter { $0.covers(host) }
            .max { $0.precedence < $1.precedence }?.fileHost
    }

    /// The bundle identifiers of all markets, in order.
    package var bundles: [String] { distinct(\.bundleIdentifier) }

    /// The Android packages of all markets, in order.
    package var packages: [String] { distinct(\.androidPackage) }

    private func distinct(_ value: (SiteInput.App) -> String) -> [String] {
        var seen: Set<String> = []
        return input.markets.map { value($0.app) }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    func markets(of unit: HostAppPair) -> [SiteInput.Market] { unit.markets.map { input.markets[$0] } }
}
