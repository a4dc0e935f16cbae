import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension Session {
    /// A market of the command with mocks, to try links in it: nothing leaves the machine. It is loaded once more unless it
    /// was tried already.
    func trial(of market: Market, holding held: [String]) throws -> LinkTrial {
        // The market may come from a file that was named.
        if options.namedMarket == nil, let market = tried[market.id] { return LinkTrial(market, holding: held) }
        let named = options.namedMarket.flatMap { SessionMarkets.isFile($0) ? $0 : nil }
        return LinkTrial(try self.market(named ?? market.id, services: .mock), holding: held)
    }
}

extension LinkAnswer {
    /// What the link waits for, and what it opens or why it opens nothing. Empty if no pattern matches the link.
    var destinationLines: [DisplayText] {
        guard let preconditions else { return [] }
        let waits: DisplayText =
            "waits for: \(preconditions.isEmpty ? "nothing" : preconditions.joined(separator: ", "))"
        let reached = later ?? result
        return switch reached.outcome {
        case .routed: [waits, "goes to: \(reached.navigation.line)"]
        case .running: [waits]
        default: [waits, "opens nothing: \(reached.outcome.explanation ?? reached.outcome.name)"]
        }
    }
}

extension NavigationSnapshot {
    /// The tab and the screens as a line of text.
    var line: DisplayText {
        let screens = screens.map { screen in
            let parameters = screen.parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return screen.name + (parameters.isEmpty ? "" : "(\(parameters.joined(separator: ", ")))")
        }
        return "tab \(([tab] + screens).joined(separator: " › "))"
    }
}

extension LinkSituation {
    /// The situation as a line of text.
    var line: DisplayText {
        let options = "--context \(context.commandText)"
        return period.map { "routed \($0): \(options)" } ?? "routed with: \(options)"
    }

    /// The time in which the link opens something, as options of commands have it; nil if that does not only depend on the
    /// date.
    private var period: String? {
        from.map { from in
            let end = until.map { " until \(ContextAttribute.commandText(of: $0))" } ?? ""
            return "from \(ContextAttribute.commandText(of: from))\(end)"
        }
    }

    /// The time in which the link opens something, in words; nil if that does not only depend on the date.
    func period(in zone: String?) -> String? {
        from.map { from in "from \(from.inWords(zone: zone))\(until.map { " until \($0.inWords(zone: zone))" } ?? "")" }
    }

    var json: JSONObject {
        [
            "context": context.commandText, "from": from.map { ContextAttribute.commandText(of: $0) },
            "until": until.map { ContextAttribute.commandText(of: $0) },
        ]
    }
}
