import GlassAuthoring
package import GlassBase
import GlassContainer
import GlassMarketFiles
package import GlassMarkets
package import GlassSchema

/// The result of `check`, also used by `compile`, `new`, and programs that publish markets.
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
    var unreadable: [Finding] = []
    /// One for each policy that failed.
    var failedPolicies: [Finding] = []

    /// What kept the command from having a result.
    var failures: [Finding] { unreadable + (unread.map { [$0.finding] } ?? []) + failedPolicies }

    /// What was not checked, in one line for people; nil if everything was.
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

    init(_ check: MarketCheck) {
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
        var run = CheckRun(self, ids, try markets(), try policies(in: nil))
        var report = try run.report(verb, more: more)
        let failedPolicies = report.failedPolicies
        report.failedPolicies = []
        try report.requireResult(console)
        return (report.findings + failedPolicies).sortedByPosition()
    }
}

extension Market {
    /// The functions that keep the market from being compiled, with their positions.
    package var placedFindingsAgainstCompiling: [Finding] {
        findingsAgainstCompiling.withPlacesAndFixes(in: origin.files, budget: .unlimited)
    }
}

extension Finding {
    /// The message, followed by the hint.
    fileprivate var oneLine: DisplayText { "\(message)" + (hint.map { "; \($0)" } ?? "") }
}
