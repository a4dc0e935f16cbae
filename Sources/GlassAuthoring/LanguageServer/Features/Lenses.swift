import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaBridge

extension ServerState {
    /// The command of a code lens that shows a routable's links in a message.
    static let routesCommand = "glass-host.routes"
    /// The command of a code lens that shows in a message where a sample link of a routable would lead. It opens
    /// nothing.
    static let tryCommand = "glass-host.tryLink"

    /// The command of a code lens that shows the rules of a flag in a message.
    static let flagCommand = "glass-host.flag"

    /// `textDocument/codeLens`: the number of links that open a routable, in this market and others, and a command to
    /// try one; the owner and the last day of a flag.
    mutating func lenses(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = question(try parameters.uri()), let market = question.market,
            let known = folders[question.folder].provenance[market]
        else { return .array([]) }
        return .array(routableLenses(question, market, known) + flagLenses(question, market, known))
    }

    /// The kind, the owner, the last day and the shares of each flag.
    private func flagLenses(
        _ question: CursorContext, _ market: String, _ known: MarketProvenanceTree
    ) -> [StrictJSON] {
        guard let table = question.outline.entry(at: "flags") else { return [] }
        let entries = question.outline.entries[table].children.prefix(Self.maximumPlaces)
        return entries.compactMap { entry -> StrictJSON? in
            guard question.outline.entries[entry].keyToken != nil,
                case .key(let name) = question.outline.entries[entry].key, let flag = known.flags.flags[name]
            else { return nil }
            let shares = flag.sharesText
            let command = StrictJSON.record([
                "title": .string(flag.lifeText + (shares.isEmpty ? "" : " · \(shares)")),
                "command": .string(Self.flagCommand),
                "arguments": .array([.string(folders[question.folder].path), .string(market), .string(name)]),
            ])
            let range = question.lines.range(of: question.outline.keyRange(of: entry), client.encoding).json
            return .record(["range": range, "command": command])
        }
    }

    private func routableLenses(
        _ question: CursorContext, _ market: String, _ known: MarketProvenanceTree
    ) -> [StrictJSON] {
        guard let table = question.outline.entry(at: "routables") else { return [] }
        let folder = folders[question.folder]
        var counts: [String: [String: Int]] = [:]
        for (id, market) in folder.provenance {
            for route in market.routes { counts[route.routable, default: [:]][id, default: 0] += 1 }
        }
        var found: [StrictJSON] = []
        // Cached by routable, because a document may repeat one any number of times.
        var titles: [String: String] = [:]
        let hasRoutables = known.effective.node(at: "routables") != nil
        for entry in question.outline.entries[table].children where question.outline.entries[entry].keyToken != nil {
            guard case .key(let routable) = question.outline.entries[entry].key, found.count < Self.maximumTextBytes
            else {
                continue
            }
            let own = counts[routable]?[market] ?? 0
            guard hasRoutables || counts[routable] != nil else { continue }
            let title = titles[routable] ?? Self.title(of: counts[routable] ?? [:], in: market)
            titles[routable] = title
            let range = question.lines.range(of: question.outline.keyRange(of: entry), client.encoding).json
            func add(_ title: String, _ command: String, _ arguments: [String]) {
                let command = StrictJSON.record([
                    "title": .string(title), "command": .string(command),
                    "arguments": .array(arguments.map { .string($0) }),
                ])
                found.append(.record(["range": range, "command": command]))
            }
            add(title, Self.routesCommand, [folder.path, routable])
            if own > 0 { add("try a link", Self.tryCommand, [folder.path, market, routable]) }
        }
        return found
    }

    /// The number of links that open a routable in a market and in others.
    private static func title(of counts: [String: Int], in market: String) -> String {
        let own = counts[market] ?? 0
        let others = counts.filter { $0.key != market }.sorted { $0.key < $1.key }
        let title = own == 0 ? "opens no link" : "opens \(own) link\(own == 1 ? "" : "s")"
        guard !others.isEmpty else { return title }
        let more = others.count > 6 ? ", …" : ""
        return title + " · " + others.prefix(6).map { "\($0.key) \($0.value)" }.joined(separator: ", ") + more
    }

    /// `workspace/executeCommand`: shows the links of a routable, or where a link would lead.
    mutating func execute(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let command = parameters.json["command"]?.stringValue else {
            throw parameters.invalid("command, a string")
        }
        let arguments = parameters.json["arguments"]?.arrayValue?.map { $0.stringValue ?? "" } ?? []
        switch command {
        case Self.routesCommand:
            guard arguments.count == 2, let folder = folders.first(where: { $0.path == arguments[0] }) else {
                throw parameters.invalid("arguments: the folder and the routable")
            }
            show(Self.routes(of: arguments[1], in: folder))
        case Self.flagCommand:
            guard arguments.count == 3, let folder = folders.first(where: { $0.path == arguments[0] }) else {
                throw parameters.invalid("arguments: the folder, the market and the flag")
            }
            show(Self.rules(of: arguments[2], in: folder.provenance[arguments[1]]))
        case Self.tryCommand: try tryLater(try linkTry(arguments, parameters))
        default: throw ResponseError(.invalidParams, "unknown command \(command.quotedForMessage)")
        }
        return .null
    }

    private static func rules(of name: String, in market: MarketProvenanceTree?) -> String {
        guard let flag = market?.flags.flags[name] else { return "there is no flag \(name)" }
        let rules = flag.rules.map { rule in
            let condition = rule.wholeCondition == .always ? "everywhere" : "when \(rule.wholeCondition)"
            return if case .outcome(let outcome) = rule.result {
                "\(rule.name): \(outcome.text) \(condition)"
            } else {
                "\(rule.name): \(rule.sharesText ?? "") \(condition)"
            }
        }
        return (["\(name), \(flag.lifeText)"] + rules.prefix(20) + ["otherwise \(flag.fallback.text)"])
            .joined(separator: "\n")
    }

    private static func routes(of routable: String, in folder: MarketWorkspace) -> String {
        var lines: [String] = []
        for id in folder.provenance.keys.sorted() {
            let patterns = folder.provenance[id]?.routes.filter { $0.routable == routable }.map(\.pattern) ?? []
            if !patterns.isEmpty { lines.append("\(id): \(patterns.prefix(20).joined(separator: ", "))") }
        }
        return lines.isEmpty ? "no link opens \(routable)" : "\(routable)\n" + lines.joined(separator: "\n")
    }

    /// The dry run for the arguments of the command: those of a code lens, or a link that the user typed.
    private func linkTry(_ arguments: [String], _ parameters: Parameters) throws(ResponseError) -> LinkDryRun {
        if arguments.count == 1, !arguments[0].isEmpty {
            return LinkDryRun(wanted: .link(arguments[0]), markets: folders.flatMap(\.lastValid))
        }
        guard arguments.count == 3, let folder = folders.first(where: { $0.path == arguments[0] }) else {
            throw parameters.invalid("arguments: a link, or the folder, the market and the routable")
        }
        return LinkDryRun(wanted: .routable(arguments[2]), markets: folder.lastValid.filter { $0.id == arguments[1] })
    }
}
