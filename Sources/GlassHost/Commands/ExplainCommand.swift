import ArgumentParser
import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema

struct ExplainCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains where a value in a market comes from, or why a link is routed the way it is.",
        usage: "glass-host explain [<options>] <key|url>",
        discussion: """
            For a key, prints the value, where it is set, each value of a base market that it overrides, the purpose \
            of the key and the values that it accepts, and which services read it. Secrets are shown by name. For a \
            list, also prints where each element was added and by which directive, and which elements `remove` \
            removed. For a key that a file removes with `unset`, prints where it was removed and its previous value. \
            With --state, remote configuration that the services received and stored in that folder overrides the \
            files, as it does in an app.

            If the value depends on the situation, also prints the values for other situations, and why they do not \
            apply. --context selects the situation. --all prints every value that the key can have, with options that \
            reproduce it.

            For a flag, prints each rule, whether it matches and why, with the position of the installation or person \
            in percent. Rules below the first match are skipped.

            You can shorten a key to the end of its path, such as maxRetries, if no other path ends the same way.

            For a link (any argument that contains a colon), uses the market that has its scheme or host, or \
            allows its domain, unless --market names another, and prints whether the link is allowed, which routes match \
            and why the others were not chosen, likely corrections in this market and in others, and which other \
            markets would accept the link. For a link that is routed, also prints the preconditions that it waits for, \
            and the tab and screens that it opens. For a link that is routed only after a certain date, or only in \
            another situation, prints options that reproduce it. All preconditions are \
            satisfied except those named with --hold. The link is opened with mock services, so the outcome is the \
            same as for `open`. \
            Exits with 0 if the link was routed.

            EXAMPLES
              glass-host explain platform.networking.retry.maxRetries -m ca
              glass-host explain currency -m mx --format json
              glass-host explain maxRetries -m ca --context build=debug
              glass-host explain maxRetries --all
              glass-host explain flags.newCheckout --context customerID=100234
              glass-host explain walmart://myacount
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp("Leave this precondition unmet; may be repeated.", valueName: "name"),
        completion: .preconditions)
    var hold: [String] = []

    @Flag(help: "Print every value that the key can have.")
    var all = false

    @Argument(
        help: ArgumentHelp(
            "What to explain: a key such as platform.networking.retry, or a link.", valueName: "key|url"),
        completion: .keys)
    var subject: String

    func validateArguments() throws {
        if all, subject.contains(":") { throw ValidationError("--all is for keys, not for links") }
    }

    func run(in session: Session) throws {
        let market = try session.market(
            for: subject.contains(":") ? subject : nil, services: subject.contains(":") ? .mock : nil)
        let budget = session.budget()
        if subject.contains(":") { return try explainLink(in: market, session) }
        let path = try market.knownPath(subject, budget: budget, takingDropped: true)
        if all { return try printAll(of: path, in: market, budget, session) }
        let remote = RemoteConfigurationLayer(of: market, in: session)
        let output = try ValueExplanation(path, in: market, remote, budget)
        let flag = FlagExplanation(path, in: market, now: session.clock())
        if session.console.isJSON {
            var json = output.json
            json["flag"] = flag?.json
            try session.console.result(json: json)
            return
        }
        let console = session.console
        if let flag {
            for line in flag.lines { console.result(line) }
            return
        }
        console.result("\(output.key, .bold) = \(output.found)")
        if let dropped = output.dropped {
            console.result("  dropped by unset  -- \(dropped)")
        }
        if output.value != nil {
            let note = output.remote == nil ? output.alternatives.note : ""
            console.result("  from \(output.remote ?? output.position?.description ?? "the default")\(note)")
        }
        if output.remote != nil || !output.alternatives.listsOverridden {
            for layer in output.overridden {
                console.result("  overrides \(layer.value.found)  -- \(layer.position?.description ?? "default")")
            }
        }
        for line in output.alternatives.lines { console.result(line) }
        if let line = output.alternatives.unsetLine { console.result("  \(line)") }
        for (index, element) in output.elements.enumerated() {
            let directive: DisplayText = element.directive.map { " (\($0))" } ?? ""
            let place = element.position?.description ?? "default"
            console.result("  [\(index + 1)] \(element.value.summary)  -- \(place)\(directive)")
        }
        for gone in output.removed {
            let (removed, written) = (gone.removed?.description ?? "unknown", gone.position?.description ?? "unknown")
            console.result("  without \(gone.value.summary)  -- \(removed) (remove), from \(written)")
        }
        if let documentation = output.documentation { console.result("  \(documentation)") }
        if let accepts = output.accepts { console.result("  accepts \(accepts)") }
        if output.appliesOn != KeyDeclaration.Platform.all.rawValue {
            console.result("  applies on: \(output.appliesOn)")
        }
        if output.isRemote { console.result("  remote configuration may change it") }
        if !output.readBy.isEmpty { console.result("  read by \(output.readBy.joined(separator: ", "))") }
    }

    /// Prints the values of all situations.
    private func printAll(
        of path: ConfigurationPath, in market: Market, _ budget: WorkBudget, _ session: Session
    ) throws {
        guard let reachable = try ReachableValues(of: path, in: market, budget: budget) else {
            throw CommandFailure(status: .impossible, "the conditions of market \"\(market.id)\" exceed a limit")
        }
        if session.console.isJSON {
            return try session.console.result(
                json: ["market": market.id, "key": path.description, "alternatives": reachable.json])
        }
        session.console.result("\("\(path)", .bold)")
        session.console.result(reachable.text(session.console))
    }

    private func explainLink(in market: Market, _ session: Session) throws {
        try market.preconditions.satisfyAll(but: hold)  // rejects a name that the market does not have
        let trial = try session.trial(of: market, holding: hold)
        let answer = try trial.answer(to: subject, budget: session.budget())
        var explanation = answer.explanation
        let others = try OtherMarkets(trying: subject, than: trial, session)
        explanation.takers = others.takers
        if let note = others.note, !session.console.isQuiet { session.console.error(note) }
        // Suggestions from other markets help only if the link opens nothing.
        let own = explanation.nearMisses.map { NearestRoute($0, in: market.id) }
        let nearest =
            answer.result.outcome.isRoutable
            ? [] : Array(NearestRoute.together(own, others.nearest).dropFirst(NearestRoute.once(own).count))
        if session.console.isJSON {
            var json = explanation.json(nearest, market: market.id)
            json["preconditions"] = answer.preconditions ?? []
            json["situations"] = answer.situations.map(\.json)
            json["refusals"] = others.refusals.map(\.json)
            try session.console.result(json: json)
        } else {
            session.console.result(
                (explanation.lines + answer.destinationLines + answer.situations.map(\.line)
                    + (others.refusals.count > 1 ? MarketRefusal.lines(others.refusals) : [])
                    + nearest.map { $0.line(in: market.id) }).joined(separator: "\n"))
        }
        guard case .routed = answer.result.outcome else { throw CommandFailure(status: .no) }
    }
}
