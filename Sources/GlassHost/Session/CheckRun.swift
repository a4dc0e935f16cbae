import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A check of the named markets, or of all markets in the folder: each by itself, with its base, by the policies, and with
/// the identifiers of the others. Each market is released when its findings are known.
struct CheckRun {
    /// Options for a check.
    struct Settings {
        /// A built app that the markets must match.
        var bundle: BundleComparison?
        /// Whether abstract bases are checked, too.
        var checksAbstractBases = false
        /// The severity of an identifier that two markets share.
        var clashSeverity = Finding.Severity.warning
    }

    private let session: Session
    private let markets: SessionMarkets
    private var policies: PolicySet
    private var settings: Settings
    /// The named markets; empty for all.
    private let named: [String]

    private var report = CheckReport()
    private var found: [Finding] = []
    private var acceptances: [MarketAcceptance] = []
    /// The files with these acceptances.
    private var files: [MarketFile] = []
    private var bases: BaseComparison
    private let recent = RecentMarkets()
    private var known = KnownMarkets()

    init(
        _ session: Session, _ ids: [String], _ markets: SessionMarkets, _ policies: PolicySet,
        _ settings: Settings = Settings()
    ) {
        self.session = session
        self.markets = markets
        self.policies = policies
        self.settings = settings
        named = ids.isEmpty ? session.options.market.map { [$0] } ?? [] : ids
        bases = BaseComparison(by: markets, partOf: session.account, sharing: recent)
    }

    /// Checks the markets.
    ///
    /// - Parameters:
    ///   - verb: What the command does, for its progress line.
    ///   - more: Returns further findings about a market, while it is loaded.
    mutating func report(
        _ verb: DisplayText, more: (MarketCheck) throws -> [Finding]
    ) throws -> CheckReport {
        report.failedPolicies = policies.failures
        try session.reporting {
            // A market given as a file need not belong to the folder.
            let areFiles = !named.isEmpty && named.allSatisfy(SessionMarkets.isFile)
            let abstract = try settings.checksAbstractBases && !areFiles ? markets.baseIDs() : []
            let names = try named.isEmpty ? (markets.marketIDs() + abstract).sorted() : named
            guard !names.isEmpty else { throw markets.isEmptyFailure }
            try check(names, bases: abstract, verb, more: more)
            try addComparisons(names)
            found += try settings.bundle?.findings() ?? []
        }
        leaveOutAccepted()
        return report
    }

    // MARK: Each market

    private mutating func check(
        _ names: [String], bases abstract: [String], _ verb: DisplayText, more: (MarketCheck) throws -> [Finding]
    ) throws {
        // `--now` only replaces the clock: values that a date brings are still examined.
        let requested = try session.requestedContext().withoutClock
        let load = { @Sendable [markets, recent] (name: String) in
            if abstract.contains(name) { return try LoadedMarket(check: markets.checkBase(name)) }
            let check = try recent.market(name) ?? markets.check(name)
            return LoadedMarket(check: check, lintResult: check.lintResult)
        }
        var incomplete: [String] = []
        let unread = try session.forEach(names, verb, cost: \.check.cost.steps, loading: load) { name, loaded in
            // One unreadable file must not hide the findings of the others.
            do {
                let loaded = try loaded()
                if abstract.contains(name) {
                    report.bases.append(CheckedMarket(loaded.check))
                    found += loaded.check.findings
                } else {
                    try add(loaded, isFile: SessionMarkets.isFile(name), requested, more: more)
                }
            } catch let exceeded as WorkBudget.Exceeded where exceeded.isOfCommand {
                // Its own findings are known, but not all of those that other markets decide.
                incomplete.append(name)
            } catch let error as MarketFolderError {
                report.unreadable += CommandFailure(error).findings.map { finding in
                    var finding = finding
                    finding.subject = name
                    return finding
                }
            } catch let error as CompiledMarketError {
                report.unreadable.append(Finding(.unreadable, at: nil, subject: name, "\(error)"))
            }
        }
        report.unread = UnreadMarkets(incomplete + unread, session.account)
    }

    /// Adds what is found about a market: by itself, with its base, by the command, in the app, and by the policies.
    private mutating func add(
        _ loaded: LoadedMarket, isFile: Bool, _ requested: RequestedContext, more: (MarketCheck) throws -> [Finding]
    ) throws {
        let (check, lintResult) = (loaded.check, loaded.lintResult)
        report.markets.append(CheckedMarket(check))
        found += check.report(lintResult)
        if !check.acceptances.isEmpty {
            acceptances += check.acceptances
            files += check.files
        }
        // A file may be a different version from the one in the folder, so it is not kept or compared with its base.
        if !isFile {
            recent.add(check)
            found += try bases.findings(of: check)
        }
        found += try more(check)
        if let values = check.validValues { known.add(values, lintResult, check.files) }
        guard let market = check.market else { return }
        found += try settings.bundle?.findings(of: market) ?? []
        let verdict = policies.verdict(on: market, keeping: requested.values(for: market.attributes).context)
        found += verdict.findings + verdict.notes
        report.failedPolicies += verdict.failures
        policies.leaveOut(verdict.failed)
    }

    // MARK: All markets

    /// Adds what is found by comparing the markets with each other, and with the others of the folder.
    private mutating func addComparisons(_ names: [String]) throws {
        let checked = Set(report.markets.map(\.id))
        if !named.isEmpty { report.uncompared = try addOthers(than: names) }
        let clashes = known.identities.clashes(severity: settings.clashSeverity).unexplained
        found += (named.isEmpty ? clashes : clashes.concerning(checked)).findings(by: markets, known.files)
        found += known.mentions.confusedMarkets.filter { checked.contains($0.market) }
            .findings(by: markets, known.files)
    }

    /// Adds the folder's other markets, with which the named markets can conflict. They have a small budget of their own.
    ///
    /// - Returns: The markets for which it was too small.
    private mutating func addOthers(than names: [String]) throws -> UnreadMarkets? {
        // A market given as a file need not belong to the folder.
        guard !names.allSatisfy(SessionMarkets.isFile) else { return nil }
        let others = Set(try markets.marketIDs()).subtracting(names).sorted()
        let load = { @Sendable [markets] (id: String) in
            let check = try markets.check(id)
            return LoadedMarket(check: check, lintResult: check.lintResult)
        }
        let budget = WorkBudget(steps: session.options.maximumSteps ?? others.count * WorkBudget.stepsOfAMarket)
        let unread = try session.forEach(
            others, "comparing", within: budget, cost: \.check.cost.steps, loading: load
        ) { _, loaded in
            // Errors of a market that was not named are reported when it is checked itself.
            guard let loaded = try? loaded(), let values = loaded.check.validValues else { return }
            known.add(values, loaded.lintResult, loaded.check.files)
        }
        return UnreadMarkets(unread, budget)
    }

    // MARK: Acceptances

    /// Puts the findings that nobody accepts into the report, with those about the acceptances.
    private mutating func leaveOutAccepted() {
        // If a policy fails, the command has no result, so its acceptances do not matter.
        var tracker = AcceptanceTracker(policies, today: FileAcceptances.today)
        tracker.add(acceptances)
        let judged = found.sortedByPosition().map(policies.judged)
        let left = tracker.leavingOutAccepted(judged)
        // An acceptance may be for a market that was not checked, or that could not be read.
        let isComplete =
            named.isEmpty && report.unreadable.isEmpty && report.unread == nil
            && (report.markets + report.bases).allSatisfy(\.isValid)
        let aboutAcceptances = tracker.findings(
            about: .market, isComplete: isComplete, unexamined: settings.bundle == nil ? [.bundleMismatch] : []
        )
        .withLines(of: files).withPlacesAndFixes(in: files, budget: .unlimited)
        report.findings = (left.withoutConsequences + aboutAcceptances).sortedByPosition()
        report.accepted = judged.count - left.count
    }
}
