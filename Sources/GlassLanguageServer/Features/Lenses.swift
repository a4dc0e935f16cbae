import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaBridge

extension ServerState {
    /// The command of a lens: it shows a routable's links in a message, and does nothing else.
    static let routesCommand = "glass-host.routes"

    /// `textDocument/codeLens`: how many links open a routable, here and in other markets.
    mutating func lenses(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = question(try parameters.uri()), let market = question.market,
            let table = question.outline.entry(at: "routables"), let known = folders[question.folder].provenance[market]
        else { return .array([]) }
        let folder = folders[question.folder]
        var counts: [String: [String: Int]] = [:]
        for (id, market) in folder.provenance {
            for route in market.routes { counts[route.routable, default: [:]][id, default: 0] += 1 }
        }
        var found: [StrictJSON] = []
        for entry in question.outline.entries[table].children where question.outline.entries[entry].keyToken != nil {
            guard case .key(let routable) = question.outline.entries[entry].key else { continue }
            let own = counts[routable]?[market] ?? 0
            let others = (counts[routable] ?? [:]).filter { $0.key != market }.sorted { $0.key < $1.key }
            guard own > 0 || !others.isEmpty || known.effective.node(at: "routables") != nil else { continue }
            var title = own == 0 ? "opens no link" : "opens \(own) link\(own == 1 ? "" : "s")"
            if !others.isEmpty {
                let more = others.count > 6 ? ", …" : ""
                title += " · " + others.prefix(6).map { "\($0.key) \($0.value)" }.joined(separator: ", ") + more
            }
            found.append(
                .record([
                    "range": question.lines.range(of: question.outline.keyRange(of: entry), client.encoding).json,
                    "command": .record([
                        "title": .string(title), "command": .string(Self.routesCommand),
                        "arguments": .array([.string(folder.path), .string(routable)]),
                    ]),
                ]))
        }
        return .array(found)
    }

    /// `workspace/executeCommand`: shows the links of a routable.
    mutating func execute(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let command = parameters.json["command"]?.stringValue else { throw parameters.invalid("command, a text") }
        guard command == Self.routesCommand else {
            throw ResponseError(.invalidParams, "there is no command \(command.quotedForMessage)")
        }
        let arguments = parameters.json["arguments"]?.arrayValue ?? []
        guard arguments.count == 2, let path = arguments[0].stringValue, let routable = arguments[1].stringValue,
            let folder = folders.first(where: { $0.path == path })
        else { throw parameters.invalid("arguments: the folder and the routable") }
        var lines: [String] = []
        for id in folder.provenance.keys.sorted() {
            let patterns = folder.provenance[id]?.routes.filter { $0.routable == routable }.map(\.pattern) ?? []
            if !patterns.isEmpty { lines.append("\(id): \(patterns.prefix(20).joined(separator: ", "))") }
        }
        let text = lines.isEmpty ? "no link opens \(routable)" : "\(routable)\n" + lines.joined(separator: "\n")
        notify("window/showMessage", .record(["type": .number(3), "message": .string(text)]))
        return .null
    }
}
