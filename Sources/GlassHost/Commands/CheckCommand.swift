import GlassBase
import ArgumentParser
import GlassContainer
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct CheckCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks markets and reports every problem: wrong keys and values, clashing routes, missing services.",
        usage: "glass-host check [<options>] [<market> ...]",
        discussion: """
            Checks the named markets, or all markets of the folder. Ends with 1 when a market has an error. Warnings do \
            not count, such as a secret that is not set, or a link of the extended market that opens something else \
            here, or two markets with one bundle identifier, Android package, scheme or universal link host; with \
            --strict the latter does. Secrets that are not set are counted in one line. \
            --verbose lists them, and adds what loading each market cost. --portable also reports what `compile` refuses.

            --bundle compares a built app with the named markets, or with those that have its bundle identifier: version \
            and build, URL types, queried schemes, and from the .entitlements file beside the Info.plist the associated \
            domains and app groups. What the app lacks is an error, what it has beyond its markets a warning.

            A market that extends another is told (undecided) while it inherits its currency, locales, bundle identifier, \
            schemes, hosts or suite: a key that is written out, even with the same value, is decided.

            EXAMPLES
              glass-host check
              glass-host check --portable
              glass-host check ca --bundle build/Shop.app/Info.plist
              glass-host check ca mx --format json
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Count as an error what only one market can have, such as a bundle identifier, and two have.")
    var strict = false

    @Argument(help: ArgumentHelp("The markets to check.", valueName: "market"), completion: .markets)
    var ids: [String] = []

    @Flag(help: "Report what a compiled market cannot hold: functions, as an error each.")
    var portable = false

    @Option(
        help: ArgumentHelp(
            "Compare the markets with a built app: its Info.plist, and the .entitlements beside it.", valueName: "path"),
        completion: .file())
    var bundle: String?

    func run(in session: Session) throws {
        let markets = try session.markets()
        let isNamed = !ids.isEmpty || options.market != nil
        var comparison = try bundle.map { BundleComparison(try AppBundleFile($0), isNamed: isNamed) }
        var unreadable: [Finding] = []
        var shared: [Finding] = []
        let checks: [Checked] = try session.reporting {
            var names = ids
            if names.isEmpty { names = try options.market.map { [$0] } ?? markets.marketIDs() }
            guard !names.isEmpty else { throw markets.isEmptyFailure }
            var bases = BaseComparison(by: markets)
            var identities = MarketIdentities(severity: strict ? .error : .warning)
            let checks: [Checked] = try session.console.map(names, "checking") { name in
                // One file that cannot be read must not hide what is wrong with the others.
                do {
                    let check = try markets.check(name)
                    // A file stands for itself: the folder may have another version of what it extends.
                    let compared = SessionMarkets.isFile(name) ? [] : bases.findings(of: check)
                    let functions = portable ? check.market.map(Self.findingsAgainstCompiling) ?? [] : []
                    if let market = check.market { identities.add(market) }
                    let differences = check.market.flatMap { comparison?.findings(of: $0) } ?? []
                    return Checked(check, check.findings + check.undecided + compared + functions + differences)
                } catch let error as MarketFolderError {
                    unreadable += CommandFailure(error).findings
                    return nil
                } catch let error as CompiledMarketError {
                    unreadable.append(Finding(.unreadable, at: nil, "\(error)"))
                    return nil
                }
            }.compactMap(\.self)
            shared = identities.findings + (comparison?.findings() ?? [])
            return checks
        }
        if session.console.isJSON {
            try session.console.result(json: Output(checks, shared + unreadable))
        } else if !checks.isEmpty {
            print(checks, shared, on: session.console)
        }
        guard unreadable.isEmpty else {
            throw CommandFailure(status: .impossible, unreadable.map(\.oneLine).joined(separator: "\n"))
        }
        if shared.hasErrors || checks.contains(where: { $0.findings.hasErrors }) { throw CommandFailure(status: .no) }
    }

    private static func findingsAgainstCompiling(_ market: Market) -> [Finding] {
        market.findingsAgainstCompiling.withPlaces(in: market.origin.files, allowance: .unlimited)
    }

    /// What is told about a market. The market itself is let go of, so that checking a folder takes no more memory than
    /// its largest markets, however many there are.
    private struct Checked {
        let id: String
        let isValid: Bool
        let findings: [Finding]
        let cost: MarketCost
        let routes: Int?
        let services: Int?

        init(_ check: MarketCheck, _ findings: [Finding]) {
            id = check.id
            isValid = check.market != nil
            self.findings = findings
            cost = check.cost
            routes = check.market?.routes.count
            services = check.market?.container.registrations.count
        }
    }

    private func print(_ checks: [Checked], _ shared: [Finding], on console: Console) {
        let findings = (checks.flatMap(\.findings) + shared).sortedByPosition()
        let areCounted = !console.isVerbose
        for finding in findings where !console.isQuiet || finding.severity == .error {
            if areCounted, finding.code == .secretUnset, finding.severity == .warning { continue }
            console.result(console.text(of: finding))
        }
        let secrets = findings.count { $0.code == .secretUnset && $0.severity == .warning }
        if areCounted, secrets > 0, !console.isQuiet {
            console.result(
                "\("warning", .yellow): \(counted(secrets, "secret")) \(secrets == 1 ? "is" : "are") not set; --verbose lists them"
            )
        }
        if console.isVerbose {
            var table = Table("MARKET", "ROUTES", "SERVICES", "CPU", "INSTRUCTIONS", "MEMORY")
            for check in checks {
                table.add(
                    "\(check.id)", check.routes.map { "\($0)" } ?? "-", check.services.map { "\($0)" } ?? "-",
                    "\(check.cost.milliseconds) ms", "\(check.cost.instructions)", "\(check.cost.peakMemory / 1024) KB")
            }
            console.result(table.text(console))
        }
        if console.isQuiet { return }
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count - errors
        console.result(
            "\(counted(checks.count, "market")): \(counted(errors, "error")), \(counted(warnings, "warning"))")
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private struct Output: Encodable {
        struct Market: Encodable {
            let id: String
            let valid: Bool
            let milliseconds: Double
            let instructions: Int
            let peakMemory: Int
        }

        let markets: [Market]
        let findings: [FindingOutput]

        init(_ checks: [Checked], _ more: [Finding]) {
            markets = checks.map {
                Market(
                    id: $0.id, valid: $0.isValid, milliseconds: $0.cost.milliseconds,
                    instructions: $0.cost.instructions, peakMemory: $0.cost.peakMemory)
            }
            findings = (checks.flatMap(\.findings) + more).sortedByPosition().map(FindingOutput.init)
        }
    }
}

extension Finding {
    /// The message with the hint behind it.
    fileprivate var oneLine: SafeText { "\(message)" + (hint.map { "; \($0)" } ?? "") }
}
