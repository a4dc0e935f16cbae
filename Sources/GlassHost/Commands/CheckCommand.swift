import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import GlassAuthoring

struct CheckCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Checks markets and reports every problem, such as invalid keys, route conflicts, or missing services.",
        usage: "glass-host check [<options>] [<market> ...]",
        discussion: """
            Checks the named markets, or all markets in the folder. Exits with 1 if a market has an error. Warnings, \
            such as an unset secret or a link of the base market that opens something else in this market, do not \
            affect the exit status. Two markets with the same bundle identifier, Android package, scheme, or universal \
            link host cause a warning or, with --strict, an error. The output shows only the number of unset secrets; \
            --verbose lists them, and also shows the time and memory used to load each market. --portable also reports \
            anything that `compile` would reject.

            Markets are checked in every situation. --context sets the situation for --bundle, and attributes that \
            stay the same for policies, which also run in up to 16 other situations with different values. --now \
            determines which conditions on the date have ended.

            --bundle compares a built app with the named markets or, by default, with those that have its bundle \
            identifier. It compares the version and build, URL types, queried schemes, and, from the .entitlements \
            file next to the Info.plist, associated domains and app groups. Anything missing from the app is an error, \
            except for a queried scheme, which is a warning. Anything in the app that its markets do not declare is a \
            warning.

            The files in the policies folder next to the markets folder, or in the folder that --policies names, \
            define the project's own rules. Their denials are reported with the other findings, and findings that they \
            accept are omitted. A market's file accepts a warning about one value with a reason: \
            accept { value, rule = "reason" }. If a policy raises an error or exceeds a limit, the command exits with 2.

            --as prints the findings in a format for other tools, without warnings about unset secrets: SARIF 2.1.0, \
            workflow commands that make GitHub Actions annotate a pull request, or a GitLab code quality report. File \
            paths are relative to the repository.

            A market that extends another causes an `undecided` warning as long as it inherits its currency, locales, \
            bundle identifier, schemes, hosts, app groups, user defaults suites, or the certificates of its own \
            Android app. To resolve the warning, set the key in the market's own file, even to the same value. If you \
            name markets, identifiers that they share with other markets in the folder are also reported.

            A file with abstract = true is a base for markets. It is checked for unknown keys and wrong values, but \
            not for keys that its markets add. A warning that several markets share is \
            printed once, with the names of the other files; --verbose prints each of them.

            The command has a limit, which is counted in steps. Markets that exceed it are reported as not checked, and \
            the command exits with 2; --max-steps raises the limit. If you name markets, comparing them with the other \
            markets in the folder has a separate, smaller limit.

            EXAMPLES
              glass-host check
              glass-host check --portable
              glass-host check ca --bundle build/Shop.app/Info.plist
              glass-host check ca mx --format json
              glass-host check --as sarif > markets.sarif
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Report an error if two markets share a value that must be unique, such as a bundle identifier.")
    var strict = false

    @Argument(
        help: ArgumentHelp("The markets to check. (default: all markets in the folder)", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Flag(help: "Report functions, which compiled markets cannot contain, as errors.")
    var portable = false

    @Option(
        help: ArgumentHelp(
            "Compare the markets with the Info.plist of a built app and the .entitlements file next to it.",
            valueName: "path"),
        completion: .file())
    var bundle: String?

    @OptionGroup var policies: PolicyOptions

    @Option(
        name: .customLong("as"),
        help: "The format of the findings: text, SARIF, GitHub annotations, or GitLab code quality.")
    var form = ReportFormat.text

    func validateArguments() throws { try form.requireText(with: options) }

    func run(in session: Session) throws {
        let markets = try session.markets()
        let policies = try session.policies(in: policies.policies)
        let bundle = try bundle.map {
            try BundleComparison(
                try AppBundleFile($0), isNamed: !ids.isEmpty || options.market != nil, budget: session.budget())
        }
        let settings = CheckRun.Settings(
            bundle: bundle, checksAbstractBases: true, clashSeverity: strict ? .error : .warning)
        var run = CheckRun(session, ids, markets, policies, settings)
        let report = try run.report("checking") { check in
            portable ? check.market?.placedFindingsAgainstCompiling ?? [] : []
        }
        if session.console.isJSON {
            try session.console.result(json: [
                "markets": report.markets.map { market in
                    [
                        "id": market.id, "valid": market.isValid, "milliseconds": market.cost.milliseconds,
                        "instructions": market.cost.instructions, "peakMemory": market.cost.peakMemory,
                        "extends": market.extends,
                    ] as JSONObject
                },
                "bases": report.bases.map { ["id": $0.id, "valid": $0.isValid] as JSONObject },
                "findings": (report.findings + report.failures).sortedByPosition().map(\.json),
                "accepted": report.accepted, "unchecked": report.unread?.ids ?? [],
                "uncompared": report.uncompared?.ids ?? [],
            ])
        } else if form != .text {
            try self.report(report.findings + report.failures, of: markets, on: session.console)
        } else if !report.markets.isEmpty || !report.bases.isEmpty {
            print(report, on: session.console)
        }
        try report.requireResult(session.console)
        if report.findings.hasErrors { throw CommandFailure(status: .no) }
        // An identifier that two markets share would be an error.
        if strict, let others = report.uncompared {
            throw CommandFailure(status: .impossible, "the result of --strict is unknown: \(others.textOfComparison)")
        }
    }

    /// Prints findings for another program.
    private func report(
        _ findings: [Finding], of markets: SessionMarkets, on console: Console
    ) throws {
        let reported = findings.filter { finding in
            if console.isQuiet { return finding.severity == .error }
            // Secrets are not set where reports are generated.
            return console.isVerbose || finding.code != .secretUnset || finding.severity != .warning
        }
        try console.report(
            reported.map(ReportEntry.init), as: form, paths: .ofProcess(fallback: markets.path),
            describe: { FindingCode(rawValue: $0)?.summary })
    }

    private func print(_ report: CheckReport, on console: Console) {
        let (checks, findings) = (report.markets, report.findings)
        let areCounted = !console.isVerbose
        var shared = SharedFindings(areCounted ? findings : [])
        for finding in findings where !console.isQuiet || finding.severity == .error {
            if areCounted, finding.code == .secretUnset, finding.severity == .warning { continue }
            guard let others = shared.others(than: finding) else { continue }
            console.result(console.text(of: finding))
            if let line = others { console.result(line) }
        }
        let secrets = findings.count { $0.code == .secretUnset && $0.severity == .warning }
        if areCounted, secrets > 0, !console.isQuiet {
            console.result(.unsetSecrets(secrets))
        }
        if console.isVerbose {
            let isGrouped = checks.contains { $0.group != nil }
            var table = Table(
                ["MARKET"] + (isGrouped ? ["EXTENDS"] : []) + ["ROUTES", "SERVICES", "CPU", "INSTRUCTIONS", "MEMORY"])
            // Base by base, so that thirty markets stay readable.
            for check in checks.sorted(by: { ($0.group ?? "", $0.id) < ($1.group ?? "", $1.id) }) {
                table.add(
                    ["\(check.id)"] + (isGrouped ? ["\(check.extends ?? "-")"] : []) + [
                        check.routes.map { "\($0)" } ?? "-", check.services.map { "\($0)" } ?? "-",
                        "\(check.cost.milliseconds) ms", "\(check.cost.instructions)",
                        "\(check.cost.peakMemory / 1024) KB",
                    ])
            }
            console.result(table.text(console))
        }
        if console.isQuiet { return }
        if let line = report.unchecked { console.result(line) }
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count { $0.severity == .warning }
        let notes = findings.count - errors - warnings
        var counts = [errors.counted("error"), warnings.counted("warning")]
        if notes > 0 { counts.append(notes.counted("note")) }
        if report.accepted > 0 { counts.append("\(report.accepted) accepted") }
        let bases = report.bases.isEmpty ? "" : ", \(report.bases.count.counted("abstract base"))"
        console.result("\(checks.count.counted("market"))\(bases): \(counts.joined(separator: ", "))")
    }
}

extension DisplayText {
    /// The line in place of the warnings about secrets that are not set.
    static func unsetSecrets(_ count: Int) -> DisplayText {
        "\("warning", .yellow): \(count.counted("secret")) \(count == 1 ? "is" : "are") not set; --verbose lists them"
    }
}
