import ArgumentParser
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

            The policies of the project are those of BASE, so that a change cannot relax the rules that it is judged by; \
            those for markets are asked about each market that a change reaches.

            --as writes the changes for other programs: the comment of a pull request in Markdown, whose first line is a \
            mark by which to replace it, SARIF 2.1.0, the commands by which GitHub Actions annotates lines, or the code \
            quality report of GitLab.

            Ends with 1 when something is at least as bad as --fail-on says, and with 2 when the two cannot be compared: no \
            such commit, no repository, or a market that does not load.

            EXAMPLES
              glass-host review
              glass-host review origin/main...HEAD
              glass-host review main --links campaign.txt --fail-on risky
              glass-host review origin/main...HEAD --as markdown > comment.md
            """
    ).asSubcommand

    static let servicesByDefault = ServiceSet.offline

    enum Threshold: String, ArgumentChoice {
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

    @OptionGroup var policies: PolicyOptions

    enum Form: String, ArgumentChoice {
        case text
        case markdown
        case sarif
        case github
        case gitlab
    }

    @Option(
        name: .customLong("as"),
        help: "The format of the changes: text, a comment in Markdown, SARIF, or what GitHub and GitLab read.")
    var form = Form.text

    @Flag(help: "Compare what loads, when a market of the base does not.")
    var allowBrokenBase = false

    func validate() throws {
        if form != .text, options.format == .json {
            throw ValidationError("--as \(form.rawValue) and --format json are two forms; choose one")
        }
        if range == "" || range?.hasPrefix("-") == true {
            throw ValidationError("expected BASE..HEAD, BASE...HEAD or BASE, and a reference begins with no \"-\"")
        }
    }

    func run(in session: Session) throws {
        let compared = try session.review(
            ReviewedRange(range), links: links, policies: policies.policies, allowsBrokenBase: allowBrokenBase)
        try print(compared.review, in: compared.folder, on: session.console)
        // Without an answer of each policy there is none.
        guard compared.failures.isEmpty else {
            throw CommandFailure(
                status: .impossible, compared.failures.map(session.console.text).joined(separator: "\n"))
        }
        if compared.review.reaches(failOn.severity) { throw CommandFailure(status: .no) }
    }

    /// Prints a review in the form that the options ask for.
    private func print(_ review: Review, in folder: String, on console: Console) throws {
        if console.isJSON { return try console.result(json: ReviewOutput(review)) }
        guard let form = ReportFormat(rawValue: form.rawValue) else {
            if form == .markdown { return console.write(forPeople: DisplayText(lines: ReviewComment(review).text)) }
            return ReviewText(review, console).print()
        }
        let told = review.changes.filter { !console.isQuiet || $0.severity > .note }
        try console.report(
            told.map(ReportEntry.init), as: form, paths: .below(folder),
            describe: { ChangeRule(rawValue: $0)?.summary ?? FindingCode(rawValue: $0)?.summary })
    }
}
