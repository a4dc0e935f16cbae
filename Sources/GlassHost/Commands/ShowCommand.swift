import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct ShowCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the effective configuration of a market.",
        usage: "glass-host show [<options>] [<key.path>]",
        discussion: """
            Prints what the market sets, what it inherits, and every default, one key per line. A path limits the \
            output to that key and the keys below it. Secrets are shown by name. --verbose also shows where each value \
            is set and which platforms support its key.

            EXAMPLES
              glass-host show platform.networking.retry -m ca
              glass-host show --format json
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The key to show, such as platform.networking.", valueName: "key.path"), completion: .keys)
    var key: String?

    func run(in session: Session) throws {
        let market = try session.market()
        let budget = session.budget()
        let path = try market.knownPath(key ?? "", budget: budget)
        guard let node = try market.effective(at: path, spending: budget, on: .listing) else { return }
        try session.noteUnset(in: market, below: path, budget)
        if session.console.isJSON {
            try session.console.result(
                json: ["market": market.id, "key": path.description, "value": JSONValue(node.value)])
            return
        }
        try node.forEachLeaf(at: path, budget: budget) { leaf, value in
            var line: DisplayText = leaf.elements.isEmpty ? "\(value.found)" : "\(leaf) = \(value.found)"
            if session.console.isVerbose {
                let place = market.source.node(at: leaf)?.position.map { "\($0)" } ?? "default"
                let platform = market.schema.declaration.key(at: leaf)?.appliesOn ?? .all
                let note = platform == .all ? "" : ", applies on: \(platform.rawValue)"
                line += "\("  -- \(place)\(note)", .dim)"
            }
            session.console.result(line)
        }
    }
}
