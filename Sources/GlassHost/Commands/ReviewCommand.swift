import ArgumentParser
import Foundation
import GlassBase
import GlassMarketFiles
import GlassReview
import GlassSchema

struct ReviewCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Says what a change of the markets does to links, apps and people.",
        usage: "glass-host review [<options>] [<base>..<head>]",
        discussion: """
            Compares the markets of two commits: BASE..HEAD; BASE...HEAD from their common ancestor, as a pull request; \
            BASE alone with the files as they are; nothing is HEAD with the files as they are. Nothing is checked out or \
            fetched, and no hook runs.

            breaking  something that worked does not work any more, and a link that was opened on both sides shows it, or \
            a key does
            risky     somebody has to look: a new permission, another host, a shorter timeout, what cannot be decided
            note      worth knowing

            A change is told once, under the market whose file it is in, with the markets that it reaches. Recorded links, \
            one a line as for open --from, are opened on both sides; without --links those of links/*.txt beside the markets \
            folder.

            Ends with 1 when something is at least as bad as --fail-on says, and with 2 when the two cannot be compared: no \
            such commit, no repository, or a market that does not load.

            EXAMPLES
              glass-host review
              glass-host review origin/main...HEAD
              glass-host review main --links campaign.txt --fail-on risky
            """)

    static let servicesByDefault = ServiceSet.offline

    enum Threshold: String, ExpressibleByArgument, CaseIterable {
        case breaking
        case risky
        case note
        case never

        /// The severity; nil for none.
        var severity: Change.Severity? { Change.Severity(rawValue: rawValue) }
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "What is compared. (default: HEAD with the files as they are)", valueName: "base..head"))
    var range: String?

    @Option(
        help: ArgumentHelp("A file of links that people have used; may be repeated.", valueName: "file"),
        completion: .file())
    var links: [String] = []

    @Option(help: ArgumentHelp("How bad a change must be to end with 1.", valueName: "severity"))
    var failOn = Threshold.breaking

    @Flag(help: "Compare what loads, when a market of the base does not.")
    var allowBrokenBase = false

    func validate() throws {
        if range == "" || range?.hasPrefix("-") == true {
            throw ValidationError("expected BASE..HEAD, BASE...HEAD or BASE, and a reference begins with no \"-\"")
        }
    }

    func run(in session: Session) throws {
        let compared = try ReviewedRange(range).folders(session)
        var reviewer = Reviewer(base: compared.base, head: compared.head, today: Self.today)
        reviewer.links = try RecordedLinkFiles(links, beside: options.markets).links()
        reviewer.siteInput = { $0.siteInput }
        let result = try session.reporting { try reviewer.run() }
        let comparable = result.brokenHead.isEmpty && (allowBrokenBase || result.brokenBase.isEmpty)
        var review = result.review
        review.notices = compared.notices + review.notices + notices(of: result)
        if comparable { try print(review, on: session.console) }
        guard comparable else { throw failure(of: result, session.console) }
        if review.reaches(failOn.severity) { throw CommandFailure(status: .no) }
    }

    /// Prints a review in the form that the options ask for.
    private func print(_ review: Review, on console: Console) throws {
        if console.isJSON {
            try console.result(json: ReviewOutput(review))
        } else {
            ReviewText(review, console).print()
        }
    }

    /// What is left out of a comparison that goes on.
    private func notices(of result: Reviewer.Result) -> [String] {
        guard allowBrokenBase, !result.brokenBase.isEmpty else { return [] }
        let ids = result.brokenBase.map(\.id).joined(separator: ", ")
        return ["\(ids): not compared, because \(result.review.base.name) has errors there"]
    }

    private func failure(of result: Reviewer.Result, _ console: Console) -> CommandFailure {
        let broken = result.brokenHead + (allowBrokenBase ? [] : result.brokenBase)
        let lines = broken.flatMap { market -> [SafeText] in
            let errors = market.findings.filter { $0.severity == .error }
            return ["market \"\(market.id)\" of \(market.side.name) cannot be loaded:"] + errors.map(console.text)
        }
        let advice: SafeText =
            result.brokenHead.isEmpty
            ? "compare what loads with --allow-broken-base, or with another base" : "mend it first: check says the same"
        var failure = CommandFailure(status: .impossible, (lines + [advice]).joined(separator: "\n"))
        failure.findings = broken.flatMap { $0.findings.filter { $0.severity == .error } }
        return failure
    }

    /// The day in this time zone.
    private static var today: String {
        let now = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
        return String(format: "%04d-%02d-%02d", now.year ?? 0, now.month ?? 0, now.day ?? 0)
    }
}
