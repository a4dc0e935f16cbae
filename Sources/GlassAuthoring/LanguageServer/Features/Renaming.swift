import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

extension ServerState {
    /// `textDocument/prepareRename`: the range of a name that can be renamed, and the name.
    mutating func prepareRename(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = try question(parameters) else { return .null }
        if let parameter = parameter(at: question) {
            return .record([
                "range": question.lines.range(of: parameter.range, client.encoding).json,
                "placeholder": .string(parameter.name),
            ])
        }
        guard let (name, range) = try renamed(at: question) else { return .null }
        // A client renames the text in the range, which has no quotes.
        let isQuoted = [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(question.lines.bytes[range.lowerBound])
        let text = isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range
        return .record([
            "range": question.lines.range(of: text, client.encoding).json, "placeholder": .string(name.text),
        ])
    }

    /// `textDocument/rename`: the edits in all files of the markets that share the name, and in their tests.
    mutating func rename(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let new = parameters.json["newName"]?.stringValue else { throw parameters.invalid("newName, a string") }
        let question = try question(parameters)
        if let question, let parameter = parameter(at: question) {
            guard new != parameter.name else { return edit([]) }
            let edits = try edits(renaming: parameter, to: new, question)
            let uri = try parameters.uri()
            return edit([(uri, documents[uri]?.text.version, question.lines, edits)])
        }
        guard let question, let (name, _) = try renamed(at: question) else {
            throw .refusedRename(
                "only routables, flags, conditions, preconditions, and parameters of paths can be renamed")
        }
        guard new != name.text else { return edit([]) }
        guard name.kind.format.matches(new) else {
            throw .refusedRename("\(new.quotedForMessage) is not valid; write \(name.kind.format.expectation)")
        }
        guard !isOfApp(MarketName(name.kind, new), question.folder) else {
            throw .refusedRename("the app already has the \(name.kind.rawValue) \(new.quotedForMessage)")
        }
        let folder = folders[question.folder]
        var renaming = Renaming(name, to: new, in: folder.current.folder, schema: folder.loader.schema)
        var edits = try renaming.edits(from: question.file)
        try checkComputed(name, edits, renaming.markets, folder)
        if renaming.isOnlyOne { edits += renaming.edits(inTests: tests(beside: folder.path)) }
        return edit(
            edits.map { file in
                let document = documents[uri(of: file.file)]
                return (uri(of: file.file), document?.text.version, file.lines, file.edits)
            })
    }

    /// The name at the cursor, and the bytes of its token; nil if nothing there can be renamed.
    private func renamed(
        at question: CursorContext
    ) throws(ResponseError) -> (name: MarketName, range: Range<Int>)? {
        guard let (thing, range) = thing(at: question), let name = MarketName(thing) else { return nil }
        guard !isOfApp(name, question.folder) else {
            throw .refusedRename(
                "the app declares the \(name.kind.rawValue) \(name.text.quotedForMessage); rename it in the app's code")
        }
        return (name, range)
    }

    /// Whether the app has the name, so that markets can only use it.
    private func isOfApp(_ name: MarketName, _ folder: Int) -> Bool {
        let module = folders[folder].loader.module
        return switch name.kind {
        case .routable: module.features.contains { $0.id == name.text }
        case .precondition: module.preconditions.contains { $0.name == name.text }
        case .flag, .condition: false
        }
    }

    /// Refuses to rename a key that Lua computes, which would keep its name.
    private func checkComputed(
        _ name: MarketName, _ edits: [Renaming.EditedFile], _ markets: Set<String>, _ folder: MarketWorkspace
    ) throws(ResponseError) {
        for id in markets.sorted() where folder.isCurrent(id) {
            for layer in folder.provenance[id]?.layers ?? [] {
                guard let node = layer.node(at: name.path), let position = node.keyPosition ?? node.position else {
                    continue
                }
                let edited = edits.first { $0.file == position.file }
                let offset = edited.map { $0.lines.offset(of: position) } ?? 0
                guard edited?.edits.contains(where: { $0.bytes.contains(offset) }) != true else { continue }
                throw .refusedRename(
                    "\(position) computes the key \(name.text.quotedForMessage); write it out, or rename it by hand")
            }
        }
    }

    /// The tests next to a markets folder, with unsaved texts.
    private func tests(beside markets: String) -> MarketFolder {
        let path = "\(DocumentURI.standardized(markets + "/.."))/scripts"
        var texts: [String: [UInt8]] = [:]
        for document in documents.values {
            guard let file = DocumentURI.path(of: document.text.uri), file.hasPrefix(path + "/") else { continue }
            texts[String(file.dropFirst(path.count + 1))] = document.text.lines.bytes
        }
        return MarketFolder(found: path).replacing(texts)
    }
}

extension ResponseError {
    static func refusedRename(_ message: String) -> ResponseError {
        ResponseError(.requestFailed, message)
    }
}

/// A name that markets declare and use.
struct MarketName: Hashable {
    enum Kind: String {
        case routable, flag, condition, precondition

        /// The names that are valid.
        var format: StringFormat { self == .flag ? .flag : .identifier }

        /// The methods of a test whose first argument is such a name.
        var methods: [String] {
            switch self {
            case .routable: ["link"]
            case .flag: ["flag"]
            case .precondition: ["satisfy", "reset"]
            case .condition: []
            }
        }
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    /// The name that a reference is to; nil for another key, a market, and a file.
    init?(_ target: ReferenceTarget) {
        switch target {
        case .condition(let name): self.init(.condition, name)
        case .precondition(let name): self.init(.precondition, name)
        case .key(let path) where path.elements.count == 2:
            guard case .key(let name) = path.elements[1],
                let kind = [Kind.routable, .flag].first(where: { path.elements[0] == .key($0.rawValue + "s") })
            else { return nil }
            self.init(kind, name)
        case .key, .market, .file: return nil
        }
    }

    /// The path at which a market declares it.
    var path: ConfigurationPath { ConfigurationPath([.key(kind.rawValue + "s"), .key(text)]) }

    var target: ReferenceTarget {
        switch kind {
        case .routable, .flag: .key(path)
        case .condition: .condition(text)
        case .precondition: .precondition(text)
        }
    }
}

/// Renames a name in the files of a folder.
///
/// A name belongs to the topmost file of an inheritance chain that declares or uses it, and to all markets below it. Other
/// markets of the folder may have the same name for something else, unless they include one of the same files.
struct Renaming {
    /// The changes to a file.
    struct EditedFile {
        let file: String
        let lines: TextLines
        let edits: [ServerState.TextEdit]
    }

    /// What a file says about the name.
    private struct FileUses {
        let lines: TextLines
        /// The position of the first syntax error.
        var error: SourcePosition?
        var extends: String?
        var includes: Set<String> = []
        var edits: Set<Range<Int>> = []
        /// The edits that keep the shares of users, by position.
        var salts: Set<Int> = []
        var texts: [Range<Int>: String] = [:]
        var isDeclared = false
        /// Whether the flag divides users by its name.
        var hasShares = false
        /// Where a flag's table begins, if it has no salt, and whether it has one.
        var flagTable: Int?
        var hasSalt = false
        /// A position at which the file has the new name.
        var taken: SourcePosition?
        /// Where the file has the old name, if its place in a market is unknown.
        var uncertain: SourcePosition?
    }

    private let old: MarketName
    private let new: MarketName
    private let folder: MarketFolder
    /// Every key of a market file.
    private let file: SectionDeclaration
    /// The files that have been read, by their paths relative to the folder.
    private var files: [String: FileUses] = [:]
    private var seen: Set<Visit> = []
    private var ids: [String] = []
    /// The markets and bases whose name it is.
    private(set) var markets: Set<String> = []
    /// Whether no other market of the folder has the name, so that a test cannot mean another one.
    private(set) var isOnlyOne = false

    /// A file at a place in a market; nil for one that has no path.
    private struct Visit: Hashable {
        let name: String
        let prefix: ConfigurationPath?
    }

    /// The maximum number of places in which files are included.
    private static let maximumVisits = 10_000
    /// The maximum length of the path at which a file is included, in case files include each other.
    private static let maximumDepth = 32
    /// The maximum number of edits: more than anybody reads, and still manageable for a client.
    private static let maximumEdits = 10_000

    init(_ old: MarketName, to new: String, in folder: MarketFolder, schema: MarketSchema) {
        file = schema.file
        self.old = old
        self.new = MarketName(old.kind, new)
        self.folder = folder
    }

    /// The edits in the files of the markets, for a name in one of their files.
    mutating func edits(from file: String) throws(ResponseError) -> [EditedFile] {
        try readAll()
        guard let origin = folder.name(of: file) else { return [] }
        markets = members(from: origin)
        let names = Set(markets.flatMap { allFiles(of: $0) })
        let above = Set(markets.flatMap { chain(of: $0) }.flatMap { allFiles(of: $0) })
        for name in above.sorted() {
            guard let found = files[name] else { continue }
            if let error = found.error { throw .refusedRename("\(error) has a syntax error; fix it first") }
            if let taken = found.taken {
                throw .refusedRename(
                    "\(taken) already has the \(new.kind.rawValue) \(new.text.quotedForMessage); choose another name")
            }
            if let place = found.uncertain {
                throw .refusedRename("\(place) may be the same name; rename it by hand")
            }
        }
        guard names.contains(where: { files[$0]?.isDeclared == true }) else {
            throw .refusedRename(
                "no file of the markets folder declares the \(old.kind.rawValue) \(old.text.quotedForMessage)")
        }
        isOnlyOne = !ids.contains { id in
            !markets.contains(id) && allFiles(of: id).contains { files[$0]?.edits.isEmpty == false }
        }
        keepShares(of: names)
        let edited = names.sorted().compactMap { name -> EditedFile? in
            guard let found = files[name], !found.edits.isEmpty else { return nil }
            let salts = found.salts.map {
                ServerState.TextEdit(bytes: $0..<$0, text: " salt = \(old.text.luaLiteral),")
            }
            let edits = found.edits.map { ServerState.TextEdit(bytes: $0, text: found.texts[$0] ?? new.text) } + salts
            return EditedFile(
                file: "\(folder.path)/\(name)", lines: found.lines,
                edits: edits.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound })
        }
        guard edited.reduce(0, { $0 + $1.edits.count }) <= Self.maximumEdits else {
            throw .refusedRename("the name is used more than \(Self.maximumEdits.grouped) times")
        }
        return edited
    }

    /// The edits in the tests of the markets: the name as the argument of a method that takes such a name.
    func edits(inTests folder: MarketFolder) -> [EditedFile] {
        // Without the folder, there are no tests.
        guard let ids = try? folder.fileIDs(), !old.kind.methods.isEmpty else { return [] }  // as above
        return ids.prefix(MarketWorkspace.maximumMarkets).compactMap { id in
            // A file that cannot be read cannot be edited either.
            guard let read = try? folder.read(include: "\(id).lua", limit: Outline.maximumTextBytes),  // as above
                read.bytes.count <= Outline.maximumTextBytes
            else { return nil }
            let tree = LuaTree(read.bytes)
            let edits = tree.tokens.indices.filter { token in
                guard tree.tokens[token].kind == .string, isOld(token, tree) else { return false }
                let call = token > 0 && tree.tokens[token - 1].kind == .leftParenthesis ? token - 1 : token
                return call > 1 && tree.tokens[call - 2].kind == .colon
                    && old.kind.methods.contains(tree.text(of: call - 1))
            }.map { ServerState.TextEdit(bytes: tree.tokens[$0].range, text: replacement(of: $0, in: tree)) }
            return edits.isEmpty ? nil : EditedFile(file: read.file, lines: TextLines(read.bytes), edits: edits)
        }
    }

    // MARK: Reading

    private mutating func readAll() throws(ResponseError) {
        do throws(MarketFolderError) {
            ids = try folder.fileIDs()
        } catch {
            throw .refusedRename("\(error)")
        }
        guard ids.count <= MarketWorkspace.maximumMarkets else {
            throw .refusedRename("the folder has more than \(MarketWorkspace.maximumMarkets.grouped) markets")
        }
        var rest = ids.map { Visit(name: "\($0).lua", prefix: ConfigurationPath()) }
        while let visit = rest.popLast() {
            guard seen.insert(visit).inserted, visit.prefix?.elements.count ?? 0 <= Self.maximumDepth else {
                continue
            }
            guard seen.count <= Self.maximumVisits else {
                throw .refusedRename("the markets include files in more than \(Self.maximumVisits.grouped) places")
            }
            rest += try read(visit)
        }
    }

    /// Reads a file at a place, and returns what it includes.
    private mutating func read(_ visit: Visit) throws(ResponseError) -> [Visit] {
        let bytes: [UInt8]
        do throws(MarketFolderError) {
            bytes = try folder.read(include: visit.name, limit: Outline.maximumTextBytes).bytes
        } catch .missingFile {
            return []  // a finding of the file that includes it
        } catch {
            throw .refusedRename("\(error)")
        }
        guard bytes.count <= Outline.maximumTextBytes else {
            throw .refusedRename(
                "\(folder.path)/\(visit.name) has more than \(Outline.maximumTextBytes.formattedBytes)")
        }
        let outline = Outline(bytes)
        let file = "\(folder.path)/\(visit.name)"
        func position(_ token: Int) -> SourcePosition {
            let place = outline.tree.position(of: token)
            return SourcePosition(file: file, line: place.line, column: place.column)
        }
        var found = files[visit.name] ?? FileUses(lines: TextLines(bytes))
        defer { files[visit.name] = found }
        found.error = outline.tree.errors.first.map { position($0.token) }
        guard let prefix = visit.prefix else {
            let tree = outline.tree
            found.uncertain = tree.tokens.indices.first {
                [.string, .name].contains(tree.tokens[$0].kind) && isOld($0, tree)
            }.map(position)
            return []
        }
        var included: [Visit] = []
        for entry in outline.entries.indices.dropFirst() {
            if prefix.elements.isEmpty, case .string(let base) = outline.entries[entry].value,
                outline.isAt(entry, "extends", below: prefix)
            {
                found.extends = base
            }
            guard case .word("include", let name?) = outline.entries[entry].value else { continue }
            found.includes.insert(name)
            included.append(
                Visit(name: name, prefix: outline.place(of: entry, in: self.file, below: prefix).pathInMarket))
        }
        for range in outline.uses(of: old.target, in: self.file, below: prefix) {
            let token = outline.tree.token(endingAfter: range.lowerBound)
            found.edits.insert(outline.tree.tokens[token].range)
            found.texts[outline.tree.tokens[token].range] = replacement(of: token, in: outline.tree)
        }
        found.taken =
            outline.uses(of: new.target, in: self.file, below: prefix).first
            .map { position(outline.tree.token(endingAfter: $0.lowerBound)) } ?? found.taken
        readDeclarations(outline, prefix, into: &found)
        return included
    }

    /// Reads the declarations of the name, and whether they divide users by it.
    private func readDeclarations(_ outline: Outline, _ prefix: ConfigurationPath, into found: inout FileUses) {
        for entry in outline.entries.indices.dropFirst() where outline.entries[entry].keyToken != nil {
            let isCondition = old.kind == .condition && prefix.elements.isEmpty
            guard outline.entries[entry].key == .key(old.text),
                isCondition
                    ? outline.isAt(entry, old.path, below: prefix)
                    : outline.place(of: entry, in: file, below: prefix).pathInMarket == old.path
            else { continue }
            found.isDeclared = true
            guard old.kind == .condition || old.kind == .flag else { continue }
            if outline.keys(of: entry).contains("salt") { found.hasSalt = true }
            if let braces = outline.braces(of: entry) { found.flagTable = outline.tree.tokens[braces.open].upperBound }
            var inner = outline.entries[entry].children
            while let next = inner.popLast() {
                inner += outline.entries[next].children
                guard [.key(RolloutDefinition.key), .key("split")].contains(outline.entries[next].key),
                    let braces = outline.braces(of: next), !outline.keys(of: next).contains("salt")
                else { continue }
                found.hasShares = true
                if old.kind == .condition { found.salts.insert(outline.tree.tokens[braces.open].upperBound) }
            }
        }
    }

    /// Whether a token is the old name.
    private func isOld(_ token: Int, _ tree: LuaTree) -> Bool {
        tree.tokens[token].kind == .string
            ? tree.value(ofString: token).elementsEqual(old.text.utf8) : tree.text(of: token) == old.text
    }

    /// The new name as a token in the place of the old one.
    private func replacement(of token: Int, in tree: LuaTree) -> String {
        guard tree.tokens[token].kind == .string else {
            return new.text.luaKey
        }
        // A valid name needs no escapes.
        return tree.bytes[tree.tokens[token].lowerBound] == UInt8(ascii: "'") ? "'\(new.text)'" : new.text.luaLiteral
    }

    // MARK: Scope

    /// A market and its bases, the nearest first.
    private func chain(of id: String) -> [String] {
        var chain = [id]
        while let base = files["\(chain[chain.count - 1]).lua"]?.extends, !chain.contains(base) { chain.append(base) }
        return chain
    }

    /// A market's own file and all files that it includes.
    private func allFiles(of id: String) -> Set<String> {
        var names: Set<String> = []
        var rest = ["\(id).lua"]
        while let name = rest.popLast() {
            if names.insert(name).inserted { rest += files[name]?.includes ?? [] }
        }
        return names
    }

    /// The markets and bases whose name it is, for a use in a file.
    private func members(from origin: String) -> Set<String> {
        let filesOf = Dictionary(uniqueKeysWithValues: ids.map { ($0, allFiles(of: $0)) })
        let chains = Dictionary(uniqueKeysWithValues: ids.map { ($0, chain(of: $0)) })
        func uses(_ id: String) -> Bool { filesOf[id]?.contains { files[$0]?.edits.isEmpty == false } ?? false }
        var members: Set<String> = []
        // Files in which the name is renamed; whoever reads one of them has the same name.
        var rest = [origin]
        var known: Set<String> = []
        while let file = rest.popLast() {
            guard known.insert(file).inserted else { continue }
            for reader in ids where filesOf[reader]?.contains(file) == true {
                let root = chains[reader]?.last(where: uses) ?? reader
                for id in ids where chains[id]?.contains(root) == true && members.insert(id).inserted {
                    rest += filesOf[id]?.filter { files[$0]?.edits.isEmpty == false } ?? []
                }
            }
        }
        return members
    }

    /// Keeps every user in the same share of a flag, whose name is the default salt.
    private mutating func keepShares(of names: Set<String>) {
        guard old.kind == .flag, names.contains(where: { files[$0]?.hasShares == true }),
            !names.contains(where: { files[$0]?.hasSalt == true })
        else { return }
        // A market inherits the salt of its base.
        for id in markets.filter({ chain(of: $0).dropFirst().allSatisfy { !markets.contains($0) } }) {
            for name in allFiles(of: id) {
                guard let table = files[name]?.flagTable else { continue }
                files[name]?.salts.insert(table)
            }
        }
    }
}
