import GlassBase
import ArgumentParser
import GlassMarketFiles
package import GlassMarkets
import GlassSchema

struct DiffCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares markets: their keys and their links.",
        usage: """
            glass-host diff [<options>] <market> <market> ...
            glass-host diff [<options>] --against <dir-or-reference> [<market> ...]
            """,
        discussion: """
            Compares effective values, including defaults, and the links that open each routable. Differences within a \
            list are shown with their paths, such as cookies[name=storeId].value. Tables in a list are matched by the \
            first of id, key, code, name, and value that all of them have, or otherwise by position. Secrets are \
            compared and shown by name.

            --against compares each named market, or every market, with the market that has the same id in another \
            markets folder, such as another checkout, or in a commit, given as a branch, a tag, or any other git \
            reference. If a folder and a reference have the same name, the folder is used. Comparing with a commit \
            does not check anything out.

            Markets are compared in the situation that --context describes. Differences that exist only in other \
            situations follow, each with such a situation.

            If the shares of a flag differ between two versions, also prints the percentage of units that get a \
            different value.

            Exits with 0 even if something differs, unless you pass --exit-code, in which case it exits with 1. Exits \
            with 2 if a market cannot be loaded.

            EXAMPLES
              glass-host diff us ca
              glass-host diff us ca mx --as markdown
              glass-host diff ca --against ../main/markets --exit-code
              glass-host diff --against main
            """
    )

    enum Form: String, CaseIterable, ExpressibleByArgument {
        case text
        case markdown
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The markets to compare: two or more, or any number with --against.", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Option(
        help: ArgumentHelp(
            "The markets folder or git reference to compare with, as the older version.",
            valueName: "dir-or-reference"),
        completion: .foldersAndReferences)
    var against: String?

    @Option(name: .customLong("as"), help: "The output format.")
    var form = Form.text

    @Flag(help: "Exit with 1 if something differs.")
    var exitCode = false

    func validateArguments() throws {
        if against == nil, ids.count < 2 {
            throw ValidationError("name two markets, or a folder or git reference with --against")
        }
        if form == .markdown, options.format == .json {
            throw ValidationError("--as markdown and --format json cannot be combined")
        }
    }

    func run(in session: Session) throws {
        var comparisons = Comparisons()
        if let against {
            try compare(session, with: against, into: &comparisons)
        } else {
            let source = try session.markets()
            let markets = try session.map(ids, of: source, "loading", failing: .impossible) { try session.held($0) }
            try comparisons.append(
                MarketDifference(markets, labels: labels(of: markets), budget: session.budget()), of: markets, session)
        }
        try print(comparisons, on: session.console)
        if exitCode, !comparisons.isEmpty { throw CommandFailure(status: .no) }
    }

    /// The labels of the markets: their ids, or the paths of compiled files.
    private func labels(of markets: [Market]) -> [String] {
        zip(ids, markets).map { SessionMarkets.isFile($0) ? $0 : $1.id }
    }

    private struct Comparisons {
        var differences: [MarketDifference] = []
        /// For each difference, what only other situations show.
        var situations: [[SituationDifference]] = []
        var onlyHere: [String] = []
        var onlyThere: [String] = []

        var isEmpty: Bool {
            differences.allSatisfy(\.isEmpty) && situations.allSatisfy(\.isEmpty) && onlyHere.isEmpty
                && onlyThere.isEmpty
        }

        mutating func append(_ difference: MarketDifference, of markets: [Market], _ session: Session) throws {
            differences.append(difference)
            situations.append(try session.situations(of: markets, beside: difference))
        }
    }

    private func compare(_ session: Session, with folder: String, into comparisons: inout Comparisons) throws {
        let here = try session.markets()
        let there = SessionMarkets(
            try session.loader(of: session.older(folder)), in: try session.requestedContext())
        let (idsHere, idsThere) = try session.reporting { (try here.marketIDs(), try there.marketIDs()) }
        let names = ids.isEmpty ? Set(idsHere + idsThere).sorted() : ids
        session.expect(markets: names.count * 2)
        var unread: [String] = []
        _ = try session.console.map(names, "comparing") { id in
            guard !session.account.isSpent else { return unread.append(id) }
            switch (idsHere.contains(id), idsThere.contains(id)) {
            case (true, false):
                // A new market with errors is no difference, but one that cannot be compared.
                session.release(try session.held(session.loaded(id, by: here)))
                comparisons.onlyHere.append(id)
            case (false, true): comparisons.onlyThere.append(id)
            default:
                // If neither folder has the market, the loader reports that, with the nearest name.
                let after = try session.held(session.loaded(id, by: here))
                let before = try session.held(session.loaded(id, by: there))
                let difference = try MarketDifference(
                    from: before, to: after, labels: (there.file(of: id), here.file(of: id)),
                    budget: session.budget())
                try comparisons.append(difference, of: [before, after], session)
                // A difference keeps both markets in memory, so only markets without one are released.
                if difference.isEmpty { [before, after].forEach(session.release) }
            }
        }
        if let unread = UnreadMarkets(unread, session.account) { throw unread.failure }
    }

    private func print(_ comparisons: Comparisons, on console: Console) throws {
        if console.isJSON {
            try console.result(
                json: [
                    "comparisons": zip(comparisons.differences, comparisons.situations).map { $0.json(with: $1) },
                    "onlyHere": comparisons.onlyHere,
                    "onlyThere": comparisons.onlyThere,
                ])
            return
        }
        let alone =
            comparisons.onlyHere.map { "\($0): only in \(options.markets)" }
            + comparisons.onlyThere.map { "\($0): only in \(against ?? "")" }
        if form == .markdown {
            let sections = zip(comparisons.differences, comparisons.situations)
                .filter { !$0.isEmpty || !$1.isEmpty || !console.isQuiet }.map { $0.markdown(with: $1) }
            let list = alone.map { "- \(Markdown.text($0))" }.joined(separator: "\n")
            let text = (sections + (list.isEmpty ? [] : [list])).joined(separator: "\n\n")
            if !text.isEmpty { console.result(DisplayText(lines: text)) }
            return
        }
        for (difference, situations) in zip(comparisons.differences, comparisons.situations)
        where !difference.isEmpty || !situations.isEmpty || !console.isQuiet {
            let separator = difference.areVersions ? " → " : ", "
            console.result("\(difference.labels.joined(separator: separator), .bold)")
            print(difference, on: console)
            for situation in situations {
                console.result("when --context \(situation.context.commandText)")
                print(situation.difference, on: console)
            }
            if !console.isQuiet { console.result("\(difference.summary(with: situations))", wrappedBy: 0) }
        }
        for line in alone { console.result("\(line)") }
    }

    /// Prints the keys and links of a difference.
    private func print(_ difference: MarketDifference, on console: Console) {
        if !difference.keys.isEmpty { console.result("keys") }
        for key in difference.keys {
            for line in difference.lines(of: key) { console.result("  \(console.colored(line))", wrappedBy: 6) }
            guard console.isVerbose else { continue }
            for (label, side) in zip(difference.labels, key.sides) {
                let place = side.position.map { "\($0)" } ?? (side.value == nil ? "nowhere" : "default")
                console.result("\("      \(label): \(place)", .dim)")
            }
        }
        if !difference.links.isEmpty { console.result("links") }
        for link in difference.links {
            console.result("  \(console.colored(difference.text(of: link)))", wrappedBy: 6)
        }
        if !difference.flags.isEmpty { console.result("flags") }
        for shift in difference.flags { console.result("  \(shift.subject): \(shift.text)", wrappedBy: 6) }
    }
}

extension Session {
    /// What only other situations show of markets that are compared.
    func situations(of markets: [Market], beside difference: MarketDifference) throws -> [SituationDifference] {
        try reporting { try SituationDifference.all(of: markets, beside: difference, budget: budget()) }
    }
}

extension MarketDifference {
    /// The number of differences, also of those that only other situations show.
    package func summary(with situations: [SituationDifference]) -> String {
        guard !situations.isEmpty else { return summary }
        let keys = situations.reduce(0) { $0 + $1.difference.keys.count }
        let links = situations.reduce(0) { $0 + $1.difference.links.count }
        let more = isEmpty ? "" : "more "
        let counts = [(keys, "key"), (links, "link")].filter { $0.0 > 0 }
            .map { "\($0.0) \(more)\($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
        let other = "in other situations, \(counts) \(keys + links == 1 ? "differs" : "differ")"
        return isEmpty ? other : "\(summary); \(other)"
    }

    /// The difference in Markdown, followed by a section for each other situation.
    fileprivate func markdown(with situations: [SituationDifference]) -> String {
        let own = isEmpty && !situations.isEmpty ? [] : [markdown]
        return
            (own
            + situations.map { situation in
                situation.difference.markdown(
                    title: "when \(Markdown.code("--context \(situation.context.commandText)"))")
            }).joined(separator: "\n\n")
    }
}

extension Session {
    /// Loads a market for comparison, where a market that does not load is a failure rather than a negative result.
    func loaded(_ id: String, by markets: SessionMarkets) throws -> Market {
        try market(of: id, failing: .impossible) {
            charged(try markets.check(id))
        }
    }
}
