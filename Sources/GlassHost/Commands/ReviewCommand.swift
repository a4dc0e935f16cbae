import ArgumentParser
import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSchema

struct ReviewCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Reports how a change to the markets affects links, apps, and users.",
        usage: "glass-host review [<options>] [<base>..<head>]",
        discussion: """
            Compares two versions of the markets, by default HEAD and the working files:

              BASE..HEAD   two commits
              BASE...HEAD  HEAD and its common ancestor with BASE, as in a pull request
              BASE         a commit and the working files

            Nothing is checked out or fetched, and no hooks run. Each change has one of these severities:

              breaking  something that worked no longer works, as shown by a link opened in
                        both versions or by a key
              risky     needs a human decision: a new permission, a different host,
                        a shorter timeout, or a loss that could not be proven
              note      worth knowing

            Each change is reported once, under the market whose file changed, along with the other markets that it \
            affects. Recorded links, one per line as for `open --from`, are opened in both versions. By default, they \
            are read from links/*.txt next to the markets folder.

            The project's policies are read from BASE, so that a change cannot relax the rules that apply to it; \
            policies for markets run on each market that a change affects.

            --as prints the changes in a format for other tools: a pull request comment in Markdown, whose first line \
            is a marker for finding and replacing the comment; SARIF 2.1.0; workflow commands that make GitHub Actions \
            annotate lines; or a GitLab code quality report.

            Exits with 1 if a change has at least the severity of --fail-on, and with 2 if the versions cannot be \
            compared because there is no repository, a commit does not exist, or a market does not load.

            EXAMPLES
              glass-host review
              glass-host review origin/main...HEAD
              glass-host review main --links campaign.txt --fail-on risky
              glass-host review origin/main...HEAD --as markdown > comment.md
            """
    )

    static let servicesByDefault = ServiceSet.offline

    enum Threshold: String, CaseIterable, ExpressibleByArgument {
        case breaking
        case risky
        case note
        case never

        /// The severity; nil for `never`.
        var severity: Change.Severity? { Change.Severity(rawValue: rawValue) }
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "The versions to compare. (default: HEAD and the working files)", valueName: "base..head"))
    var range: String?

    @Option(
        help: ArgumentHelp("A file of recorded links, one per line; may be repeated.", valueName: "file"),
        completion: .file())
    var links: [String] = []

    @Option(help: ArgumentHelp("The lowest severity that causes the command to exit with 1.", valueName: "severity"))
    var failOn = Threshold.breaking

    @OptionGroup var policies: PolicyOptions

    enum Form: String, CaseIterable, ExpressibleByArgument {
        case text
        case markdown
        case sarif
        case github
        case gitlab
    }

    @Option(
        name: .customLong("as"),
        help: "The format of the changes: text, a Markdown comment, SARIF, GitHub annotations, or GitLab code quality.")
    var form = Form.text

    @Flag(help: "If a market in the base version does not load, compare the other markets.")
    var allowBrokenBase = false

    func validateArguments() throws {
        if form != .text, options.format == .json {
            throw ValidationError("--as \(form.rawValue) and --format json cannot be combined")
        }
        if range == "" || range?.hasPrefix("-") == true {
            throw ValidationError("expected BASE..HEAD, BASE...HEAD, or BASE; a reference cannot begin with \"-\"")
        }
    }

    func run(in session: Session) throws {
        let compared = try session.review(
            ReviewedRange(range), links: links, policies: policies.policies, allowsBrokenBase: allowBrokenBase)
        try print(compared.review, in: compared.folder, on: session.console)
        // If a policy fails, the command has no result.
        guard compared.failures.isEmpty else {
            throw CommandFailure(
                status: .impossible, compared.failures.map(session.console.text).joined(separator: "\n"))
        }
        if compared.review.reaches(failOn.severity) { throw CommandFailure(status: .no) }
    }

    /// Prints a review in the format that the options select.
    private func print(_ review: Review, in folder: String, on console: Console) throws {
        if console.isJSON { return try console.result(json: review.json) }
        guard let form = ReportFormat(rawValue: form.rawValue), form != .text else {
            if form == .markdown { return console.write(forPeople: DisplayText(lines: ReviewComment(review).text)) }
            return ReviewText(review, console).print()
        }
        let reported = review.changes.filter { !console.isQuiet || $0.severity > .note }
        try console.report(
            reported.map(ReportEntry.init), as: form, paths: .below(folder),
            describe: { ChangeRule(rawValue: $0)?.summary ?? FindingCode(rawValue: $0)?.summary })
    }
}
