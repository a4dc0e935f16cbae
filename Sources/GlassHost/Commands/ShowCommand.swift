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
            What the market says, what it inherits and every default, one key a line; a path shows only what is below it. \
            Secrets show their name. With --verbose also where each value was written, and which platforms honour it.

            EXAMPLES
              glass-host show platform.networking.retry -m ca
              glass-host show --format json
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("What to show, such as platform.networking.", valueName: "key.path"))
    var key: String?

    func run(in session: Session) throws {
        let market = try session.market()
        let path = try market.knownPath(key ?? "")
        let node = market.effective.node(at: path) ?? market.effective
        if session.console.isJSON {
            try session.console.result(
                json: Output(market: market.id, key: path.description, value: JSONValue(node.value)))
            return
        }
        for (leaf, value) in node.leaves(at: path) {
            var line: SafeText = leaf.elements.isEmpty ? "\(value.found)" : "\(leaf) = \(value.found)"
            if session.console.isVerbose {
                let place = market.source.node(at: leaf)?.position.map { "\($0)" } ?? "default"
                let platform = market.schema.declaration.key(at: leaf)?.appliesOn ?? .all
                let note = platform == .all ? "" : ", applies on: \(platform.rawValue)"
                line += "\("  -- \(place)\(note)", .dim)"
            }
            session.console.result(line)
        }
    }

    private struct Output: Encodable {
        let market: String
        let key: String
        let value: JSONValue
    }
}

extension ConfigurationNode {
    /// The values below this node that have no values below them, with their paths, in the order of the keys.
    fileprivate func leaves(at path: ConfigurationPath) -> [(ConfigurationPath, ConfigurationValue)] {
        switch value {
        case .map(let entries) where !entries.isEmpty:
            entries.inOrder.flatMap { $0.value.leaves(at: path.appending($0.key)) }
        case .list(let nodes) where !nodes.isEmpty:
            nodes.enumerated().flatMap { $0.element.leaves(at: path.appending(index: $0.offset + 1)) }
        case .map: [(path, .emptyTable)]
        case .list: [(path, .emptyTable)]
        default: [(path, value)]
        }
    }
}
