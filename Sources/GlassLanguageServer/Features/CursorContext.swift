import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaBridge

/// A place that a client asks about, and what is known there.
struct CursorContext: Sendable {
    /// The folder, as an index of the server's folders.
    let folder: Int
    /// The file's name in diagnostics.
    let file: String
    /// The market that the file is; nil for one that markets include.
    let market: String?
    let lines: TextLines
    let outline: Outline
    /// The byte of the place.
    let offset: Int
    /// The way from the market to what the file returns: nothing for a market's own file.
    let prefix: ConfigurationPath
    let schema: SectionDeclaration

    /// The whole path of an entry.
    func path(of entry: Int) -> ConfigurationPath {
        ConfigurationPath(prefix.elements + outline.path(of: entry).elements)
    }

    /// The text of the token that a place is in, and its bytes.
    var token: (index: Int, range: Range<Int>)? {
        let index = outline.token(endingBehind: max(0, offset - 1))
        for candidate in [index + 1, index] where candidate < outline.tokens.count - 1 {
            let range = outline.tokens[candidate].range
            if range.lowerBound <= offset, offset <= range.upperBound { return (candidate, range) }
        }
        return nil
    }
}

extension ServerState {
    /// What a request is about; nil for a text that is no market's, or not open.
    mutating func question(_ parameters: Parameters) throws(ResponseError) -> CursorContext? {
        let uri = try parameters.uri()
        let position = try parameters.position()
        let encoding = client.encoding
        return question(uri) { $0.offset(of: position, encoding) }
    }

    /// The same for a whole text.
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
            schema: folder.loader.schema.declaration)
    }

    /// A text of a folder: that of the editor, or as it was read last.
    func lines(of file: String) -> TextLines? {
        if let uri = openFiles[file], let document = documents[uri] { return document.text.lines }
        return folders.lazy.compactMap { $0.text(of: file) }.first.map { TextLines($0) }
    }

    /// A place of a file, as the protocol names it.
    func location(of position: SourcePosition) -> StrictJSON? {
        guard let lines = lines(of: position.file) else { return nil }
        return location(of: position, in: lines, TokenRanges(lines.bytes))
    }

    /// The same, in a text that was looked up.
    func location(of position: SourcePosition, in lines: TextLines, _ places: TokenRanges) -> StrictJSON {
        let start = lines.offset(of: position)
        let end = places.end(at: start) ?? start
        return .record([
            "uri": .string(uri(of: position.file)), "range": lines.range(of: start..<end, client.encoding).json,
        ])
    }

    /// A whole file, as the protocol names it.
    func location(of file: String) -> StrictJSON {
        let start = ClientPosition(line: 0, character: 0)
        return .record(["uri": .string(uri(of: file)), "range": ClientRange(start, start).json])
    }

    /// A position as people read it: the folder's name, the file, the line.
    func shown(_ position: SourcePosition, in folder: Int) -> String {
        let path = folders[folder].path
        guard position.file.hasPrefix(path), let slash = path.lastIndex(of: "/") else { return "\(position)" }
        return "\(position.file[path.index(after: slash)...]):\(position.line)"
    }
}

extension MarketWorkspace {
    /// Where the markets have what an included file returns; nothing where none has it.
    func prefix(of file: String) -> ConfigurationPath {
        for id in (readers[file] ?? []).sorted() {
            guard let found = provenance[id]?.source.path(ofFile: file) else { continue }
            return found
        }
        return ConfigurationPath()
    }
}

extension ConfigurationNode {
    /// The way to the first value that a file wrote, if what is around it is another's.
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
