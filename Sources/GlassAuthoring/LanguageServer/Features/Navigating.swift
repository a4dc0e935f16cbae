import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

/// The target of a reference in a market file.
enum ReferenceTarget: Hashable {
    case key(ConfigurationPath)
    case market(String)
    case file(String)
    case precondition(String)
    case condition(String)
}

extension ServerState {
    /// `textDocument/definition`: for a key, the nearest base that sets it; for a market or a file, the file itself.
    mutating func definition(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = try question(parameters), let (thing, _) = thing(at: question) else { return .null }
        let folder = folders[question.folder]
        switch thing {
        case .market(let id):
            guard folder.ids.contains(id) else { return .null }
            return location(of: folder.loader.folder.file(of: id))
        case .file(let name): return location(of: "\(folder.path)/\(name)")
        case .precondition(let name):
            return preconditionDeclaration(name, question).flatMap { location(of: $0) } ?? .null
        case .condition(let name): return conditionDeclaration(name, question) ?? .null
        case .key(let path):
            let known = question.market.flatMap { folder.provenance[$0] }
            return known?.definition(of: path, below: question.file).flatMap { location(of: $0) }
                ?? .null
        }
    }

    /// `textDocument/references`: the uses in all markets.
    mutating func references(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = try question(parameters), let (thing, _) = thing(at: question) else { return .array([]) }
        let folder = folders[question.folder]
        var found: [StrictJSON] = []
        for file in folder.files {
            guard let lines = lines(of: file) else { continue }
            let market = folder.loader.folder.name(of: file).flatMap(folder.market)
            let prefix = market == nil ? folder.prefix(of: file) : ConfigurationPath()
            let outline =
                openFiles[file].flatMap { self.outline(of: $0) }
                ?? Outline(lines.bytes)
            for range in outline.uses(of: thing, in: folder.loader.schema.file, below: prefix)
            where found.count < Self.maximumPlaces {
                found.append(
                    .record([
                        "uri": .string(uri(of: file)), "range": lines.range(of: range, client.encoding).json,
                    ]))
            }
        }
        return .array(found)
    }

    /// `textDocument/documentHighlight`: the uses in the document.
    mutating func highlights(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = try question(parameters), let (thing, _) = thing(at: question) else { return .array([]) }
        let uses = question.outline.uses(of: thing, in: question.schema, below: question.prefix)
        return .array(
            uses.prefix(Self.maximumPlaces).map {
                .record(["range": question.lines.range(of: $0, client.encoding).json, "kind": .number(1)])
            })
    }

    /// The maximum number of results in a response: more than a user looks through.
    static let maximumPlaces = 1000

    /// The reference target at the cursor, and its bytes.
    func thing(at question: CursorContext) -> (thing: ReferenceTarget, range: Range<Int>)? {
        let outline = question.outline
        guard let entry = outline.entry(at: question.offset) else { return nil }
        let (path, place) = (question.path(of: entry), question.place(of: entry))
        let range = outline.tree.range(of: outline.entries[entry].tokens)
        let isValue = question.isOnValue(of: entry)
        switch outline.entries[entry].value {
        case .word("include", let argument?) where isValue: return (.file(argument), range)
        case .string(let name) where isValue && place.isCondition: return (.condition(name), range)
        case .word("no", let name?) where isValue && place.isCondition:
            return (.condition(name), outline.stringRange(of: entry))
        case .string(let name) where isValue:
            switch place.type?.referent {
            case .market?: return (.market(name), range)
            case .precondition?: return (.precondition(name), range)
            default: break
            }
        default: break
        }
        if !isValue, case .key(let name) = outline.entries[entry].key {
            switch place.referentOfKey {
            case .precondition?: return (.precondition(name), outline.keyRange(of: entry))
            case .condition?: return (.condition(name), outline.keyRange(of: entry))
            default: break
            }
        }
        guard place.isOfMarket else { return nil }
        return path.elements.isEmpty ? nil : (.key(path), outline.keyRange(of: entry))
    }

    /// The place at which the file or its nearest base market declares a condition.
    private func conditionDeclaration(_ name: String, _ question: CursorContext) -> StrictJSON? {
        let folder = folders[question.folder]
        let bases = question.market.flatMap { folder.provenance[$0]?.bases } ?? []
        for file in [question.file] + bases.map(folder.loader.folder.file) {
            guard let lines = lines(of: file) else { continue }
            let outline = file == question.file ? question.outline : Outline(lines.bytes)
            guard let range = outline.declaration(ofCondition: name) else { continue }
            return .record([
                "uri": .string(uri(of: file)), "range": lines.range(of: range, client.encoding).json,
            ])
        }
        return nil
    }

    /// The position at which a market declares a precondition.
    private func preconditionDeclaration(_ name: String, _ question: CursorContext) -> SourcePosition? {
        let path = ConfigurationPath([.key("preconditions"), .key(name)])
        let layers = question.market.flatMap { folders[question.folder].provenance[$0]?.layers } ?? []
        return layers.reversed().lazy.compactMap { $0.node(at: path)?.keyPosition }.first
    }
}

extension MarketWorkspace {
    /// The files of all markets, in byte order.
    var files: [String] { readers.keys.sorted() }
}

extension Outline {
    /// The bytes of an entry's string, without the word before it.
    func stringRange(of entry: Int) -> Range<Int> {
        let tokens = entries[entry].tokens
        return (tokens.last { tree.tokens[$0].kind == .string }).map { tree.tokens[$0].range } ?? tree.range(of: tokens)
    }

    /// The ranges of all references to a target.
    func uses(
        of thing: ReferenceTarget, in file: SectionDeclaration, below prefix: ConfigurationPath
    ) -> [Range<Int>] {
        entries.indices.dropFirst().compactMap { entry in
            let found = entries[entry]
            // The place is computed last: most entries are something else.
            func place() -> FilePlace { self.place(of: entry, in: file, below: prefix) }
            switch thing {
            case .key(let wanted):
                guard found.keyToken != nil, wanted.elements.last == found.key else { return nil }
                // Also in overlays and alternatives.
                return place().pathInMarket == wanted ? keyRange(of: entry) : nil
            case .market(let id):
                guard found.value == .string(id), place().type?.referent == .market else { return nil }
                return tree.range(of: found.tokens)
            case .file(let name):
                return found.value == .word("include", argument: name) ? tree.range(of: found.tokens) : nil
            case .condition(let name):
                if found.value == .string(name) || found.value == .word("no", argument: name), place().isCondition {
                    return stringRange(of: entry)
                }
                guard found.keyToken != nil, found.key == .key(name) else { return nil }
                return place().referentOfKey == .condition ? keyRange(of: entry) : nil
            case .precondition(let name):
                if found.value == .string(name), place().type?.referent == .precondition {
                    return tree.range(of: found.tokens)
                }
                guard found.keyToken != nil, found.key == .key(name) else { return nil }
                return place().referentOfKey == .precondition ? keyRange(of: entry) : nil
            }
        }
    }
}
