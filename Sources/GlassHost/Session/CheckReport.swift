import GlassAuthoring
package import GlassBase
import GlassContainer
import GlassMarketFiles
package import GlassMarkets
package import GlassSchema

/// What `check` says about markets. `compile`, `new`, and programs that publish markets say the same.
struct CheckReport {
    /// The markets that could be read.
    var markets: [CheckedMarket] = []
    /// The abstract bases.
    var bases: [CheckedMarket] = []
    /// The findings that the policies do not accept, sorted by position.
    var findings: [Finding] = []
    /// The number of findings that the policies accept.
    var accepted = 0
    /// The markets for which the command's budget was too small.
    var unread: UnreadMarkets?
    /// The other markets of the folder that were not compared with the named ones, for the same reason.
    var uncompared: UnreadMarkets?
    /// One for each market that could not be read.
    fileprivate var unreadable: [Finding] = []
    /// One for each policy that failed.
    fileprivate var failedPolicies: [Finding] = []

    /// What kept the command from having a result.
    var failures: [Finding] { unreadable + (unread.map { [$0.finding] } ?? []) + failedPolicies }

    /// What was not checked beside the markets that were named, in one line; nil if there is no such thing.
    var unchecked: DisplayText? {
        let lines = [uncheckedBecauseOfErrors, uncompared.map { "\($0.textOfComparison); \($0.hint)" }].compactMap(
            \.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private var uncheckedBecauseOfErrors: DisplayText? {
        let broken = markets.filter { !$0.isValid }
        guard let first = broken.first else { return nil }
        let known = broken.prefix(Self.maximumNames).map(\.id)
        let more = broken.count - known.count
        let names = more > 0 ? "\(known.joined(separator: ", ")) and \(more) more" : known.inProse()
        let errors = broken.count == 1 ? "\(first.id) has errors" : "\(names) have errors"
        return
            "not checked, because \(errors): policies, links of the base market, and what depends on a value with an error"
    }

    private static let maximumNames = 5

    /// Ends the command if it has no result.
    func requireResult(_ console: Console) throws(CommandFailure) {
        guard failures.isEmpty else {
            let messages =
                (unreadable + (unread.map { [$0.finding] } ?? [])).map(\.oneLine) + failedPolicies.map(console.text)
            throw CommandFailure(status: .impossible, messages.joined(separator: "\n"))
        }
    }
}

/// The result for a market. The market itself is released, so that checking a folder needs no more memory than its
/// largest markets, however many there are.
struct CheckedMarket {
    let id: String
    let isValid: Bool
    let cost: MarketCost
    let routes: Int?
    let services: Int?
    /// The file that it extends; nil if it extends none or did not load.
    let extends: String?
    /// Its abstract base.
    let group: String?

    fileprivate init(_ check: MarketCheck) {
        id = check.id
        isValid = check.market != nil || check.isAbstract && !check.findings.hasErrors
        extends = check.market?.definition.extends
        group = check.market?.origin.group
        cost = check.cost
        routes = check.market?.routes.count
        services = check.market?.container.registrations.count
    }
}

extension Session {
    /// Checks the named markets, or all markets in the folder: each by itself, with its base, by the policies, and with
    /// the identifiers of the others.
    ///
    /// - Parameters:
    ///   - bundle: A built app that the markets must match.
    ///   - takesBases: Whether abstract bases are checked, too.
    ///   - clashes: The severity of an identifier that two markets share.
    ///   - verb: What the command does, for its progress line.
    ///   - more: Returns further findings about a market, while it is loaded.
    func check(
        _ ids: [String], of markets: SessionMarkets, _ policies: PolicySet,
        comparedWith bundle: BundleComparison? = nil, takesBases: Bool = false, clashes severity: Finding.Severity,
        _ verb: DisplayText,
        more: (MarketCheck) throws -> [Finding]
    ) throws -> CheckReport {
        var (policies, bundle) = (policies, bundle)
        let isNamed = !ids.isEmpty || options.market != nil
        var report = CheckReport()
        report.failedPolicies = policies.failures
        // `--now` only replaces the clock: values that a date brings are still examined.
        let requested = try requestedContext().withoutClock
        var found: [Finding] = []
        var acceptances: (all: [MarketAcceptance], files: [MarketFile]) = ([], [])
        try reporting {
            var names = ids.isEmpty ? options.market.map { [$0] } ?? [] : ids
            // A market given as a file need not belong to the folder.
            let areFiles = !names.isEmpty && names.allSatisfy(SessionMarkets.isFile)
            let abstract = try takesBases && !areFiles ? markets.baseIDs() : []
            if names.isEmpty { names = try (markets.marketIDs() + abstract).sorted() }
            guard !names.isEmpty else { throw markets.isEmptyFailure }
            let recent = RecentMarkets()
            var bases = BaseComparison(by: markets, partOf: account, sharing: recent)
            var known = KnownMarkets()
            let load = { @Sendable (name: String) in
                if abstract.contains(name) { return try LoadedMarket(check: markets.checkBase(name)) }
                let check = try recent.market(name) ?? markets.check(name)
                return LoadedMarket(check: check, lintResult: check.lintResult)
            }
            var incomplete: [String] = []
            let unread = try forEach(names, verb, cost: \.check.cost.steps, loading: load) { name, loaded in
                // One unreadable file must not hide the findings of the others.
                do {
                    let loaded = try loaded()
                    let (check, lintResult) = (loaded.check, loaded.lintResult)
                    guard !abstract.contains(name) else {
                        report.bases.append(CheckedMarket(check))
                        found += check.findings
                        return
                    }
                    report.markets.append(CheckedMarket(check))
                    // A file may be another version than the folder has.
                    if !SessionMarkets.isFile(name) { recent.add(check) }
                    found += check.report(lintResult)
                    if !check.acceptances.isEmpty {
                        acceptances.all += check.acceptances
                        acceptances.files += check.files
                    }
                    // A market given as a file is not compared with its base, of which the folder may have another
                    // version.
                    if !SessionMarkets.isFile(name) { found += try bases.findings(of: check) }
                    found += try more(check)
                    if let values = check.validValues { known.add(values, lintResult, check.files) }
                    guard let market = check.market else { return }
                    found += try bundle?.findings(of: market) ?? []
                    let verdict = policies.verdict(
                        on: market, keeping: requested.values(for: market.attributes).context)
                    found += verdict.findings + verdict.notes
                    report.failedPolicies += verdict.failures
                    policies.leaveOut(verdict.failed)
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
            report.unread = UnreadMarkets(incomplete + unread, account)
            let checked = Set(report.markets.map(\.id))
            if isNamed { report.uncompared = try addOthers(than: names, in: markets, to: &known) }
            let clashes = known.identities.clashes(severity: severity).unexplained
            found += (isNamed ? clashes.concerning(checked) : clashes).findings(by: markets, known.files)
            found += known.mentions.confusedMarkets.filter { checked.contains($0.market) }
                .findings(by: markets, known.files)
            found += try bundle?.findings() ?? []
        }
        // If a policy fails, the command has no result, so its acceptances do not matter.
        var ledger = AcceptanceTracker(policies, today: AcceptanceDate.today)
        ledger.add(acceptances.all)
        let judged = found.sortedByPosition().map(policies.judged)
        let left = ledger.leavingOutAccepted(judged)
        // An acceptance may be for a market that was not checked, or that could not be read.
        let isComplete =
            !isNamed && report.unreadable.isEmpty && report.unread == nil
            && (report.markets + report.bases).allSatisfy(\.isValid)
        let ofLedger = ledger.findings(
            about: .market, isComplete: isComplete, unexamined: bundle == nil ? [.bundleMismatch] : []
        )
        .withLines(of: acceptances.files).withPlaces(in: acceptances.files, budget: .unlimited)
        report.findings = (left + ofLedger).sortedByPosition()
        report.accepted = judged.count - left.count
        return report
    }

    /// What `check` says about markets, without its options.
    ///
    /// - Parameters:
    ///   - ids: The markets; all markets of the folder if it is empty.
    ///   - verb: What the command does, for its progress line.
    ///   - more: Returns further findings about a market, while it is loaded.
    /// - Returns: The findings, including one for each policy that failed.
    /// - Throws: A failure if a market could not be read.
    package func findings(
        in ids: [String], _ verb: DisplayText, more: (MarketCheck) throws -> [Finding] = { _ in [] }
    ) throws -> [Finding] {
        var report = try check(ids, of: markets(), policies(in: nil), clashes: .warning, verb, more: more)
        let failedPolicies = report.failedPolicies
        report.failedPolicies = []
        try report.requireResult(console)
        return (report.findings + failedPolicies).sortedByPosition()
    }

    /// Adds the folder's other markets, with which the named markets can conflict. They have a small budget of their own.
    ///
    /// - Returns: The markets for which it was too small.
    private func addOthers(
        than names: [String], in markets: SessionMarkets, to known: inout KnownMarkets
    ) throws -> UnreadMarkets? {
        // A market given as a file need not belong to the folder.
        guard !names.allSatisfy(SessionMarkets.isFile) else { return nil }
        let others = Set(try markets.marketIDs()).subtracting(names).sorted()
        let load = { @Sendable (id: String) in
            let check = try markets.check(id)
            return LoadedMarket(check: check, lintResult: check.lintResult)
        }
        let budget = WorkBudget(steps: options.maximumSteps ?? others.count * WorkBudget.stepsOfAMarket)
        let unread = try forEach(others, "comparing", within: budget, cost: \.check.cost.steps, loading: load) {
            _, loaded in
            // Errors of a market that was not named are reported when it is checked itself.
            guard let loaded = try? loaded(), let values = loaded.check.validValues else { return }
            known.add(values, loaded.lintResult, loaded.check.files)
        }
        return UnreadMarkets(unread, budget)
    }
}

extension Market {
    /// The functions that keep the market from being compiled, with their positions.
    package var placedFindingsAgainstCompiling: [Finding] {
        findingsAgainstCompiling.withPlaces(in: origin.files, budget: .unlimited)
    }
}

extension Finding {
    /// The message, followed by the hint.
    fileprivate var oneLine: DisplayText { "\(message)" + (hint.map { "; \($0)" } ?? "") }
}
