import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import GlassSites
import GlassAuthoring

struct ExportCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints a file for a website or an app, generated from the routes of one market or of all markets.",
        usage: "glass-host export [<options>] <file>",
        discussion: """
            The files are:

              aasa            Apple's apple-app-site-association
              assetlinks      Android's assetlinks.json
              intent-filters  the intent filters for an Android manifest (API level 31 and later)
              info-plist      the URL types and queried schemes of the Apple app
              entitlements    the associated domains of the Apple app
              links-md        a Markdown page of the supported links

            A site file is for one host; use --host if the markets have several. A route that the file cannot express \
            causes a warning on standard error. For each route, --labels lists whether each format claims exactly its \
            links, more of them, fewer, or none, and by which rule. --all rejects markets that share a bundle \
            identifier, Android package, scheme, or universal link host, because the file would merge them.

            EXAMPLES
              glass-host export aasa > apple-app-site-association
              glass-host export aasa --all --host www.walmart.ca
              glass-host export intent-filters -m ca --labels
            """
    )

    enum File: String, CaseIterable, ExpressibleByArgument {
        case aasa
        case assetlinks
        case intentFilters = "intent-filters"
        case infoPlist = "info-plist"
        case entitlements
        case linksMarkdown = "links-md"

        /// Whether the file lists paths. The others have identifiers only.
        var containsRoutes: Bool {
            switch self {
            case .aasa, .intentFilters, .linksMarkdown: true
            case .assetlinks, .infoPlist, .entitlements: false
            }
        }

        /// The file as warnings name it.
        var siteFile: SiteFinding.File {
            switch self {
            case .aasa: .siteAssociation
            case .assetlinks: .assetLinks
            case .intentFilters: .intentFilters
            case .infoPlist: .infoPlist
            case .entitlements: .entitlements
            case .linksMarkdown: .supportedLinks
            }
        }
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Include every market in the folder.")
    var all = false

    @Option(help: ArgumentHelp("The host of a site file. (default: the only host)", valueName: "host"))
    var host: String?

    @Flag(help: "Make Android patterns case-insensitive, like the app's routes.")
    var androidAnyCase = false

    @Flag(help: "List how closely each format matches each route, instead of printing the file.")
    var labels = false

    @Argument(help: "The file to print.")
    var file: File

    func run(in session: Session) throws {
        let markets = try session.siteInputs(all: all, containRoutes: labels || file.containsRoutes)
        var siteOptions = SiteFiles.Options()
        siteOptions.androidMatchesAnyCase = androidAnyCase
        let budget = session.budget()
        do {
            let files = try SiteFiles(
                SiteInput(markets: markets), options: siteOptions, budget: budget)
            if session.console.isJSON {
                let audit = try files.audit(budget: budget)
                let content = try content(of: files, budget)
                let warnings = try warnings(of: files).map(\.description)
                try session.console.result(
                    json: [
                        "markets": markets.map(\.id), "file": file.rawValue, "content": content,
                        "warnings": warnings, "labels": audit.claims.map(\.json),
                    ])
            } else if labels {
                print(try files.audit(budget: budget), on: session.console)
            } else {
                session.console.write(DisplayText(lines: try content(of: files, budget)))
            }
            if !session.console.isQuiet {
                for finding in try warnings(of: files) { session.console.error("warning: \(finding)") }
            }
        } catch let error as SiteFilesError {
            if let exceeded = budget.exceeded { throw exceeded }
            throw CommandFailure(status: .no, error.issues.map { "\($0)" as DisplayText }.joined(separator: "\n"))
        }
    }

    /// The warnings about the requested file only.
    private func warnings(of files: SiteFiles) throws -> [SiteFinding] {
        let host = file == .aasa ? try onlyHost(of: files.hosts) : nil
        // --labels covers every file.
        return labels ? files.findings : files.findings.filter { $0.concerns(file.siteFile, host: host) }
    }

    /// The file with one line break at its end.
    private func content(of files: SiteFiles, _ budget: WorkBudget) throws -> String {
        let text = try whole(of: files, budget)
        return String(text.reversed().drop { $0 == "\n" }.reversed()) + "\n"
    }

    /// The table of the Android app in a market of the module.
    private static var androidKey: String {
        let package = MarketSchema(HostSettings.current.module).path(.androidPackage)
        return package.map { "\(ConfigurationPath(Array($0.elements.dropLast())))" } ?? "the Android app's package"
    }

    private func whole(of files: SiteFiles, _ budget: WorkBudget) throws -> String {
        switch file {
        case .aasa: try files.siteAssociation(host: onlyHost(of: files.hosts))
        case .assetlinks: try files.assetLinks(host: onlyHost(of: files.hosts))
        case .intentFilters where files.packages.isEmpty:
            throw CommandFailure(
                status: .no,
                "\(all ? "no market has an" : "the market has no") Android app, which intent filters are for; set "
                    + "\(Self.androidKey), or omit this file")
        case .intentFilters:
            try files.packages.map { try files.intentFilters(package: $0) }.joined(separator: "\n")
        case .infoPlist:
            try files.bundles.map { try files.infoPlist(bundle: $0) }.joined(separator: "\n")
        case .entitlements:
            try files.bundles.map { try files.entitlements(bundle: $0) }.joined(separator: "\n")
        case .linksMarkdown: files.supportedLinks(audit: try files.audit(budget: budget))
        }
    }

    /// The host that the user named, or the only one.
    private func onlyHost(of hosts: [String]) throws -> String {
        if let host { return host }
        guard hosts.count == 1 else {
            throw CommandFailure(
                status: .no,
                hosts.isEmpty
                    ? "\(all ? "no market has a" : "the market has no") host for universal links; set "
                        + "deepLinking.universalLinks"
                    : "there are several hosts; choose one with --host: \(hosts.joined(separator: ", "))")
        }
        return hosts[0]
    }

    private func print(_ audit: SiteAudit, on console: Console) {
        var table = Table("MARKET", "PATTERN", "ROUTABLE", "TARGET", "FIT", "RULE")
        for claim in audit.claims {
            table.add(
                "\(claim.market)", "\(claim.pattern)", "\(claim.routableID)", "\(claim.target.rawValue)",
                "\(claim.label.rawValue)", "\(claim.reasons.map(\.rule).joined(separator: "; "))")
        }
        console.result(table.text(console))
    }
}

extension RouteClaim {
    fileprivate var json: JSONObject {
        [
            "market": market, "pattern": pattern, "routable": routableID, "target": target.rawValue,
            "fit": label.rawValue, "rules": reasons.map(\.rule),
        ]
    }
}
