import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

extension ServerState {
    /// The icon that an editor shows. The raw values are those of `SymbolKind` in the protocol.
    private enum SymbolKind: Int {
        case module = 2
        case function = 12
        case string = 15
        case number = 16
        case boolean = 17
        case array = 18
        case object = 19
        case key = 20
        case null = 21

        init(_ entry: Outline.Entry, in outline: Outline) {
            self =
                switch entry.value {
                case .table, .word(_, argument: nil):
                    entry.children.contains { outline.entries[$0].keyToken != nil } ? .object : .array
                case .function: .function
                case .boolean: .boolean
                case .integer, .number: .number
                case .string, .word: .string
                case .missing: .null
                case .name, .other: .key
                }
        }
    }

    /// `textDocument/documentSymbol`: the keys, nested like their tables.
    mutating func symbols(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        let uri = try parameters.uri()
        guard let question = question(uri), !question.outline.entries.isEmpty else { return .array([]) }
        guard client.takesSymbolTrees else {
            return .array(
                Self.keys(of: question.outline).prefix(Self.maximumTextBytes).map { entry in
                    symbol(entry, question.outline, question.lines, uri: uri)
                })
        }
        var left = Self.maximumTextBytes
        return .array(Self.trees(below: 0, question.outline, question.lines, client.encoding, levels: 12, &left))
    }

    /// The maximum number of symbols, foldings, links or lenses in a response: more than any hand-written document has,
    /// and still manageable for a client.
    static let maximumTextBytes = 10_000

    private static func trees(
        below table: Int, _ outline: Outline, _ lines: TextLines, _ encoding: PositionEncoding, levels: Int,
        _ left: inout Int
    ) -> [StrictJSON] {
        guard levels > 0 else { return [] }
        return outline.entries[table].children.compactMap { entry in
            guard left > 0 else { return nil }
            let children = trees(below: entry, outline, lines, encoding, levels: levels - 1, &left)
            let found = outline.entries[entry]
            // List elements are symbols only if they contain keys.
            guard found.keyToken != nil || !children.isEmpty else { return nil }
            left -= 1
            let name =
                switch found.key {
                case .key(let key): key
                case .index(let index): outline.overlayName(of: entry) ?? "[\(index)]"
                }
            return .record([
                "name": .string(name.isEmpty ? "\"\"" : name),
                "kind": .number(SymbolKind(found, in: outline).rawValue),
                "range": lines.range(of: outline.range(of: entry), encoding).json,
                "selectionRange": lines.range(of: selection(of: entry, outline), encoding).json,
                "children": children.isEmpty ? nil : .array(children),
            ])
        }
    }

    /// The bytes of an entry's name, or the first token of a list element. The protocol requires them to be within the
    /// entry's range.
    private static func selection(of entry: Int, _ outline: Outline) -> Range<Int> {
        if outline.entries[entry].keyToken != nil { return outline.keyRange(of: entry) }
        return outline.tree.tokens[outline.entries[entry].tokens.lowerBound].range
    }

    private static func keys(of outline: Outline) -> [Int] {
        outline.entries.indices.dropFirst().filter { outline.entries[$0].keyToken != nil }
    }

    private func symbol(_ entry: Int, _ outline: Outline, _ lines: TextLines, uri: String) -> StrictJSON {
        let container = outline.entries[entry].parent.map(outline.shortPath) ?? ""
        let name = ConfigurationPath([outline.entries[entry].key]).description
        return .record([
            "name": .string(name), "kind": .number(SymbolKind(outline.entries[entry], in: outline).rawValue),
            "location": .record([
                "uri": .string(uri), "range": lines.range(of: outline.range(of: entry), client.encoding).json,
            ]),
            "containerName": .string(container),
        ])
    }

    /// `workspace/symbol`: the keys of all markets whose path contains the letters of the query in order.
    mutating func workspaceSymbols(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let query = parameters.json["query"]?.stringValue else { throw parameters.invalid("query, a string") }
        let wanted = Array(query.lowercased().utf8)
        var found: [StrictJSON] = []
        for index in folders.indices {
            for file in folders[index].files {
                guard found.count < Self.maximumPlaces, let lines = lines(of: file),
                    let market = folders[index].loader.folder.name(of: file).flatMap(folders[index].market)
                else { continue }
                let outline =
                    openFiles[file].flatMap { self.outline(of: $0) }
                    ?? Outline(lines.bytes)
                let uri = uri(of: file)
                for entry in outline.entries(matching: wanted, in: market).prefix(Self.maximumPlaces - found.count) {
                    found.append(symbol(entry, outline, lines, uri: uri))
                }
            }
        }
        return .array(found)
    }

    /// `textDocument/foldingRange`: tables, functions and multiline comments, without the line that closes them.
    mutating func foldings(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = question(try parameters.uri()) else { return .array([]) }
        let (outline, lines) = (question.outline, question.lines)
        var ranges: [(start: Int, end: Int, kind: String?)] = []
        func add(_ start: Int, _ end: Int, _ kind: String? = nil) {
            if end > start { ranges.append((start, end, kind)) }
        }
        for entry in outline.entries.indices {
            guard let braces = outline.braces(of: entry) else { continue }
            let end = lines.line(of: outline.tree.tokens[braces.close].lowerBound)
            add(lines.line(of: outline.tree.tokens[braces.open].lowerBound), end - 1)
        }
        for function in outline.functions {
            add(lines.line(of: function.lowerBound), lines.line(of: function.upperBound) - 1)
        }
        for comment in outline.comments {
            add(lines.line(of: comment.lowerBound), lines.line(of: comment.upperBound), "comment")
        }
        return .array(
            ranges.prefix(Self.maximumTextBytes).map {
                .record([
                    "startLine": .number($0.start), "endLine": .number($0.end), "kind": $0.kind.map { .string($0) },
                ])
            })
    }

    /// `textDocument/documentLink`: included files and the base market.
    mutating func links(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = question(try parameters.uri()) else { return .array([]) }
        let folder = folders[question.folder]
        // The folder is listed at most once, and only if the document extends a market.
        var markets: Set<String>?
        var found: [StrictJSON] = []
        for entry in question.outline.entries.indices.dropFirst() where found.count < Self.maximumTextBytes {
            let value = question.outline.entries[entry]
            let file: String
            switch value.value {
            case .word("include", let name?) where !name.isEmpty && !name.hasPrefix("/") && !name.contains(".."):
                file = "\(folder.path)/\(name)"
            case .string(let id)
            where question.market != nil && question.outline.isAt(entry, "extends", below: ConfigurationPath()):
                let known = markets ?? Set(folder.ids)
                markets = known
                guard known.contains(id) else { continue }
                file = folder.loader.folder.file(of: id)
            default: continue
            }
            // The string without its quotes.
            let last = question.outline.tree.tokens[value.tokens].last { $0.kind == .string }
            guard let range = last?.range, range.count > 2 else { continue }
            found.append(
                .record([
                    "range": question.lines.range(of: range.lowerBound + 1..<range.upperBound - 1, client.encoding)
                        .json,
                    "target": .string(uri(of: file)),
                ]))
        }
        return .array(found)
    }
}

extension Outline {
    /// The keys whose path, preceded by the market's name, contains the letters in order.
    ///
    /// The matching of a key continues from the number of letters that its table's path has matched, so no path is
    /// built.
    func entries(matching letters: [UInt8], in market: String) -> [Int] {
        guard !entries.isEmpty else { return [] }
        func matched(_ text: String, from start: Int) -> Int {
            var matched = start
            for byte in text.lowercased().utf8 where matched < letters.count && byte == letters[matched] {
                matched += 1
            }
            return matched
        }
        var counts = [matched(market + ".", from: 0)]
        counts.reserveCapacity(entries.count)
        var found: [Int] = []
        for entry in entries.indices.dropFirst() {
            let parent = entries[entry].parent ?? 0
            let name = ConfigurationPath([entries[entry].key]).description
            counts.append(matched(parent == 0 || name.hasPrefix("[") ? name : "." + name, from: counts[parent]))
            if entries[entry].keyToken != nil, counts[entry] == letters.count { found.append(entry) }
        }
        return found
    }
}
