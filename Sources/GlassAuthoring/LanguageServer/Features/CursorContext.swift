import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

/// The cursor position of a request, with its file, outline and schema.
struct CursorContext: Sendable {
    /// The index of the folder in ``ServerState/folders``.
    let folder: Int
    /// The path shown in diagnostics.
    let file: String
    /// The market that the file defines; nil for an included file.
    let market: String?
    let lines: TextLines
    let outline: Outline
    /// The byte offset of the cursor.
    let offset: Int
    /// The path at which the market includes the file; empty for the market's own file.
    let prefix: ConfigurationPath
    /// Every key of a market file.
    let schema: SectionDeclaration

    /// The whole path of an entry: of the market's key, if the entry is a value of one in an overlay or an alternative.
    func path(of entry: Int) -> ConfigurationPath {
        place(of: entry).pathInMarket ?? ConfigurationPath(prefix.elements + outline.path(of: entry).elements)
    }

    /// What an entry is about.
    func place(of entry: Int) -> FilePlace { outline.place(of: entry, in: schema, below: prefix) }

    /// Whether the cursor is on the value of an entry, and not on its key.
    func isOnValue(of entry: Int) -> Bool {
        outline.entries[entry].keyToken == nil || offset > outline.keyRange(of: entry).upperBound
    }

    /// The token at the cursor: its index and its bytes.
    var token: (index: Int, range: Range<Int>)? {
        let index = outline.tree.token(endingAfter: max(0, offset - 1))
        for candidate in [index + 1, index] where candidate < outline.tree.tokens.count - 1 {
            let range = outline.tree.tokens[candidate].range
            if range.lowerBound <= offset, offset <= range.upperBound { return (candidate, range) }
        }
        return nil
    }
}

extension ServerState {
    /// The context of a request; nil for a document that isn't open or doesn't belong to a markets folder.
    mutating func question(_ parameters: Parameters) throws(ResponseError) -> CursorContext? {
        let uri = try parameters.uri()
        let position = try parameters.position()
        let encoding = client.encoding
        return question(uri) { $0.offset(of: position, encoding) }
    }

    /// The context of a request that concerns a whole document.
    mutating func question(
        _ uri: String, at offset: (TextLines) -> Int = { _ in 0 }
    ) -> CursorContext? {
        guard let outline = outline(of: uri), let document = documents[uri], let home = document.home else {
            return nil
        }
        let folder = folders[home.folder]
        let file = "\(folder.path)/\(home.name)"
        let market = folder.market(of: home.name)
        return CursorContext(
            folder: home.folder, file: file, market: market, lines: document.text.lines, outline: outline,
            offset: offset(document.text.lines), prefix: market == nil ? folder.prefix(of: file) : ConfigurationPath(),
            schema: folder.loader.schema.file)
    }

    /// The text of a file: the open document, or the file as of its last evaluation.
    func lines(of file: String) -> TextLines? {
        if let uri = openFiles[file], let document = documents[uri] { return document.text.lines }
        return folders.lazy.compactMap { $0.text(of: file) }.first.map { TextLines($0) }
    }

    /// A position in a file as a `Location` of the protocol.
    func location(of position: SourcePosition) -> StrictJSON? {
        guard let lines = lines(of: position.file) else { return nil }
        return location(of: position, in: lines, TokenRanges(lines.bytes))
    }

    /// A position in a file whose text is known, as a `Location` of the protocol.
    func location(of position: SourcePosition, in lines: TextLines, _ places: TokenRanges) -> StrictJSON {
        let start = lines.offset(of: position)
        let end = places.end(at: start) ?? start
        return .record([
            "uri": .string(uri(of: position.file)), "range": lines.range(of: start..<end, client.encoding).json,
        ])
    }

    /// The beginning of a file as a `Location` of the protocol.
    func location(of file: String) -> StrictJSON {
        let start = ClientPosition(line: 0, character: 0)
        return .record(["uri": .string(uri(of: file)), "range": ClientRange(start, start).json])
    }

    /// A position for display: the folder's name, the file and the line.
    func shown(_ position: SourcePosition, in folder: Int) -> String {
        let path = folders[folder].path
        guard position.file.hasPrefix(path), let slash = path.lastIndex(of: "/") else { return "\(position)" }
        return "\(position.file[path.index(after: slash)...]):\(position.line)"
    }
}

extension MarketWorkspace {
    /// The path at which markets include a file; empty if none does.
    func prefix(of file: String) -> ConfigurationPath {
        for id in (readers[file] ?? []).sorted() {
            guard let found = provenance[id]?.source.path(ofFile: file) else { continue }
            return found
        }
        return ConfigurationPath()
    }
}

extension ConfigurationNode {
    /// The path of the topmost value that a file defines.
    fileprivate func path(ofFile file: String) -> ConfigurationPath? {
        var open: [(node: ConfigurationNode, path: ConfigurationPath)] = [(self, ConfigurationPath())]
        while let (node, path) = open.popLast() {
            if node.position?.file == file { return path }
            switch node.value {
            case .map(let entries): open += entries.map { ($0.value, path.appending($0.key)) }
            case .list(let nodes): open += nodes.enumerated().map { ($0.element, path.appending(index: $0.offset + 1)) }
            default: continue
            }
        }
        return nil
    }
}
