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

            The files of the folder policies beside the markets, or of --policies, are the project's own rules: what they \
            deny is told with the rest, and what they accept is left out. A policy that raises an error or meets a limit ends the command with 2.

            --as writes the diagnostics for other programs, without secrets that are not set: SARIF 2.1.0, the commands by \
            which GitHub Actions annotates a pull request, or the code quality report of GitLab. Files are named below \
            the repository.

            A market that extends another is told (undecided) while it inherits its currency, locales, bundle identifier, \
            schemes, hosts, app groups or suites, or the certificates of an Android app of its own: a key that is written \
            out, even with the same value, is decided. What a named market shares with another one of the folder is told \
            too.

            EXAMPLES
              glass-host check
              glass-host check --portable
              glass-host check ca --bundle build/Shop.app/Info.plist
              glass-host check ca mx --format json
              glass-host check --as sarif > markets.sarif
            """
    ).asSubcommand

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

    @OptionGroup var policies: PolicyOptions

    enum Form: String, ArgumentChoice {
        case text
        case sarif
        case github
        case gitlab
    }

    @Option(
        name: .customLong("as"),
        help: "The format of the diagnostics: text, SARIF, annotations of GitHub, or GitLab's code quality.")
    var form = Form.text

    func validate() throws {
        if form != .text, options.format == .json {
            throw ValidationError("--as \(form.rawValue) and --format json are two forms; choose one")
        }
    }

    func run(in session: Session) throws {
        let markets = try session.markets()
        var policies = try session.policies(in: policies.policies)
        let isNamed = !ids.isEmpty || options.market != nil
        var comparison = try bundle.map {
            try BundleComparison(try AppBundleFile($0), isNamed: isNamed, budget: session.budget())
        }
        var unreadable: [Finding] = []
        // Without an answer of each policy the command has none.
        var failed = policies.failures
        var shared: [Finding] = []
        let checks: [Checked] = try session.reporting {
            var names = ids
            if names.isEmpty { names = try options.market.map { [$0] } ?? markets.marketIDs() }
            guard !names.isEmpty else { throw markets.isEmptyFailure }
            var bases = BaseComparison(by: markets)
            var identities: [MarketIdentity] = []
            let checks: [Checked] = try session.console.map(names, "checking") { name in
                // One file that cannot be read must not hide what is wrong with the others.
                do {
                    let check = try markets.check(name)
                    // A file stands for itself: the folder may have another version of what it extends.
                    let compared = SessionMarkets.isFile(name) ? [] : bases.findings(of: check)
                    let functions = portable ? check.market.map(Self.findingsAgainstCompiling) ?? [] : []
                    if let market = check.market { identities.append(MarketIdentity(market)) }
                    let differences = try check.market.flatMap { try comparison?.findings(of: $0) } ?? []
                    let verdict = check.market.map { policies.verdict(on: $0) } ?? PolicySet.Verdict()
                    failed += verdict.failures
                    policies.leaveOut(verdict.failed)
                    return Checked(
                        check, check.findings + check.undecided + compared + functions + differences + verdict.findings)
                } catch let error as MarketFolderError {
                    unreadable += CommandFailure(error).findings.map { finding in
                        var finding = finding
                        finding.subject = name
                        return finding
                    }
                    return nil
                } catch let error as CompiledMarketError {
                    unreadable.append(Finding(.unreadable, at: nil, subject: name, "\(error)"))
                    return nil
                }
            }.compactMap(\.self)
            if isNamed { identities += try others(than: names, in: markets, session) }
            let clashes = identities.clashes(severity: strict ? .error : .warning)
            shared =
                (isNamed ? clashes.concerning(Set(checks.map(\.id))) : clashes).findings(by: markets)
                + (try comparison?.findings() ?? [])
            return checks
        }
        var ledger = AcceptanceTracker(policies, today: PolicyDate.today)
        let found = (checks.flatMap(\.findings) + shared).sortedByPosition().map(policies.judged)
        let left = ledger.leavingOutAccepted(found)
        // An accept may be for a market that was not asked for, or that could not be read.
        let isComplete = !isNamed && unreadable.isEmpty && checks.allSatisfy(\.isValid)
        let report = Report(
            checks: checks,
            findings: (left + ledger.findings(about: .market, isComplete: isComplete)).sortedByPosition(),
            accepted: found.count - left.count)
        if session.console.isJSON {
            try session.console.result(json: Output(report, unreadable + failed))
        } else if let form = ReportFormat(rawValue: form.rawValue) {
            try self.report(report.findings + unreadable + failed, as: form, of: markets, on: session.console)
        } else if !checks.isEmpty {
            print(report, on: session.console)
        }
        guard unreadable.isEmpty, failed.isEmpty else {
            let messages = unreadable.map(\.oneLine) + failed.map(session.console.text)
            throw CommandFailure(status: .impossible, messages.joined(separator: "\n"))
        }
        if report.findings.hasErrors { throw CommandFailure(status: .no) }
    }

    /// What the folder's other markets have, with which those that the user named can clash.
    private func others(
        than names: [String], in markets: SessionMarkets, _ session: Session
    ) throws -> [MarketIdentity] {
        // A file stands for itself: it need not belong to the folder.
        guard !names.allSatisfy(SessionMarkets.isFile) else { return [] }
        let others = Set(try markets.marketIDs()).subtracting(names).sorted()
        return session.console.map(others, "comparing") { id in
            // What is wrong with a market that was not named is told when it is.
            (try? markets.check(id))?.market.map(MarketIdentity.init)
        }.compactMap(\.self)
    }

    /// What is told about all markets.
    private struct Report {
        let checks: [Checked]
        /// What is wrong, by position.
        let findings: [Finding]
        /// How many findings the policies accept.
        let accepted: Int
    }

    /// Prints diagnostics for another program.
    private func report(
        _ findings: [Finding], as form: ReportFormat, of markets: SessionMarkets, on console: Console
    ) throws {
        let told = findings.filter { finding in
            if console.isQuiet { return finding.severity == .error }
            // Where reports are made there are no secrets.
            return console.isVerbose || finding.code != .secretUnset || finding.severity != .warning
        }
        try console.report(
            told.map(ReportEntry.init), as: form, paths: .ofProcess(fallback: markets.path),
            describe: { FindingCode(rawValue: $0)?.summary })
    }

    private static func findingsAgainstCompiling(_ market: Market) -> [Finding] {
        market.findingsAgainstCompiling.withPlaces(in: market.origin.files, budget: .unlimited)
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

    private func print(_ report: Report, on console: Console) {
        let (checks, findings) = (report.checks, report.findings)
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
        let warnings = findings.count { $0.severity == .warning }
        let notes = findings.count - errors - warnings
        console.result(
            "\(counted(checks.count, "market")): \(counted(errors, "error")), \(counted(warnings, "warning"))"
                + (notes > 0 ? ", \(counted(notes, "note"))" : "")
                + (report.accepted > 0 ? ", \(report.accepted) accepted" : ""))
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
        /// How many findings the policies accept.
        let accepted: Int

        init(_ report: Report, _ failures: [Finding]) {
            accepted = report.accepted
            markets = report.checks.map {
                Market(
                    id: $0.id, valid: $0.isValid, milliseconds: $0.cost.milliseconds,
                    instructions: $0.cost.instructions, peakMemory: $0.cost.peakMemory)
            }
            findings = (report.findings + failures).sortedByPosition().map(FindingOutput.init)
        }
    }
}

extension Finding {
    /// The message with the hint behind it.
    fileprivate var oneLine: DisplayText { "\(message)" + (hint.map { "; \($0)" } ?? "") }
}
