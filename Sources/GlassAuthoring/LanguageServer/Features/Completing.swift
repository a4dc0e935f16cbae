import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

extension ServerState {
    /// `textDocument/completion`: missing keys, and values. Uses the outline and the schema, so that it works while the
    /// text cannot be parsed.
    mutating func complete(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        guard let question = try question(parameters) else { return .array([]) }
        var items: [CompletionItem] = []
        switch question.outline.place(at: question.offset) {
        case .elsewhere: break
        case .key(let entry):
            guard let parent = question.outline.entries[entry].parent else { break }
            items = keys(of: parent, replacing: question.outline.keyRange(of: entry), isWhole: true, question)
        case .gap(let table, let replaced):
            items = keys(of: table, replacing: replaced, isWhole: false, question)
            items += elements(of: table, replacing: replaced, question)
        case .value(let entry): items = values(of: entry, question)
        }
        let (lines, encoding) = (question.lines, client.encoding)
        return .array(items.enumerated().map { $0.element.json(in: lines, encoding, order: $0.offset, client) })
    }

    // MARK: Keys

    /// The keys that can be added to a table.
    private func keys(
        of table: Int, replacing replaced: Range<Int>, isWhole: Bool, _ question: CursorContext
    ) -> [CompletionItem] {
        var present = question.outline.keys(of: table)
        if isWhole { present.remove(String(decoding: question.lines.bytes[replaced], as: UTF8.self)) }
        var items: [CompletionItem] = []
        func add(_ name: String, isTable: Bool, _ detail: String, _ documentation: String) {
            guard present.insert(name).inserted else { return }
            var item = CompletionItem(label: name, kind: .property, detail: detail, documentation: documentation)
            item.replaced = replaced
            item.text = name
            if !isWhole {
                let key = name.luaKey
                item.text = isTable ? "\(key) = {  }," : "\(key) = "
                item.snippet = isTable ? "\(key) = { $0 }," : nil
                item.missingComma = missingComma(before: replaced.lowerBound, question)
            }
            items.append(item)
        }
        let place = question.place(of: table)
        if let word = question.outline.word(of: table), let keys = keys(of: word, at: place, question) {
            for key in keys { add(key.name, isTable: false, key.detail, key.documentation) }
            return items
        }
        guard let type = place.type else { return items }
        let path = place.path
        func add(_ name: String, _ type: ValueType, _ detail: String, _ documentation: String) {
            guard StringFormat.identifier.matches(name) else { return }
            add(name, isTable: type.isTable, detail, documentation)
        }
        switch type {
        case .condition:
            for attribute in attributes(in: question) {
                add(
                    attribute.name, isTable: false, attribute.accepts.replacing("`", with: ""), attribute.documentation)
            }
            // The others are words in front of a table.
            for key in SectionDeclaration.condition.keys where key.type.section != nil {
                add(key.name, key.type, "a share", key.documentation)
            }
        case .test:
            guard case .text? = attributes(in: question).first(where: { $0.name == place.attribute })?.type else {
                break
            }
            for key in SectionDeclaration.textTest.keys {
                add(key.name, key.type, Self.detail(of: key), key.documentation)
            }
        default: break
        }
        if let section = type.section {
            for key in section.keys {
                add(key.name, key.type, Self.detail(of: key), key.documentation)
            }
            if section.canInherit, !section.isWhole {
                add(MarketDecisions.inherit, .boolean, "true", MarketDecisions.meaning)
            }
            if path == "routables" {
                for feature in folders[question.folder].loader.module.features {
                    add(
                        feature.id, .section(RoutableSettings.declaration), feature.paths.joined(separator: ", "),
                        feature.summary)
                }
            }
        }
        guard place.isOfMarket else { return items }
        if type.section == nil || type.section?.others != nil,
            let element = type.elementType ?? type.section?.others?.type
        {
            // Where keys are free, suggest those of the base markets and of other markets.
            for market in markets(nearest: question) {
                guard
                    case .map(let entries)? = folders[question.folder].provenance[market]?.effective.node(at: path)?
                        .value
                else { continue }
                // Limited for the client: a generated market may have 100,000 keys.
                for name in entries.keys.sorted() where items.count < Self.maximumPlaces {
                    add(name, element, "as in \(market)", "")
                }
            }
        }
        return items
    }

    private static func detail(of key: KeyDeclaration) -> String {
        var text = key.isRequired ? "required, \(key.type.expectation)" : key.type.expectation
        if let value = key.defaultValue, key.type.section == nil { text += "; default \(value.sourceText)" }
        return text
    }

    /// The offset of a missing comma before a new entry: the end of the preceding token.
    private func missingComma(before offset: Int, _ question: CursorContext) -> Int? {
        let tree = question.outline.tree
        let next = tree.token(endingAfter: offset)
        let index = tree.tokens[next].lowerBound >= offset ? next - 1 : next
        guard index >= 0, tree.tokens[index].upperBound <= offset else { return nil }
        switch tree.tokens[index].kind {
        case .leftBrace, .comma, .semicolon: return nil
        default: return tree.tokens[index].upperBound
        }
    }

    /// Whether a new entry needs a trailing comma because another entry follows.
    private func needsComma(behind offset: Int, _ question: CursorContext) -> Bool {
        let tree = question.outline.tree
        return switch tree.tokens[tree.token(endingAfter: offset)].kind {
        case .rightBrace, .comma, .semicolon, .endOfFile: false
        default: true
        }
    }

    /// The market itself, its base markets, and then all others.
    private func markets(nearest question: CursorContext) -> [String] {
        let folder = folders[question.folder]
        var ids: [String] = []
        if let market = question.market {
            ids.append(market)
            ids += folder.provenance[market]?.bases ?? []
        }
        return ids + folder.provenance.keys.sorted().filter { !ids.contains($0) }
    }

    // MARK: Values

    /// The possible elements of a table that is a list.
    private func elements(of table: Int, replacing replaced: Range<Int>, _ question: CursorContext) -> [CompletionItem]
    {
        guard table != 0 else { return [] }
        let place = question.place(of: table)
        let found: [CompletionItem]
        switch (question.outline.word(of: table), place.type) {
        case ("vary", _): found = [CompletionItem.table]
        case ("any", .condition), ("all", .condition): found = conditions(in: question)
        case ("perLocale", _), ("accept", _), (_, .condition), (_, nil): found = []
        case (_, let type?):
            let next = ConfigurationPath.Element.index(question.outline.entries[table].children.count + 1)
            found = type.part(at: next) == nil ? [] : candidates(at: place.step(to: next, in: nil), question)
        }
        let isFollowed = needsComma(behind: replaced.upperBound, question)
        let present = Set(
            question.outline.entries[table].children.compactMap { child -> String? in
                if case .string(let text) = question.outline.entries[child].value { text } else { nil }
            })
        return found.filter { !present.contains($0.label) }.map {
            var item = $0
            item.replaced = replaced
            item.missingComma = missingComma(before: replaced.lowerBound, question)
            if isFollowed {
                item.text += ","
                item.snippet? += ","
            }
            return item
        }
    }

    /// The possible values of an entry, replacing its current value.
    private func values(of entry: Int, _ question: CursorContext) -> [CompletionItem] {
        let outline = question.outline
        let found = outline.entries[entry]
        let place = question.place(of: entry)
        guard let type = place.type else { return [] }
        // Only strings are valid between quotes.
        if let token = question.token, let quoted = inside(token.index, question.offset, outline.tree) {
            if case .word(let word, _) = found.value, place.isOfMarket {
                return arguments(of: word, question).map { $0.within(quoted) }
            }
            if place.isOfMarket, let parts = parts(of: quoted, at: place.path, question) { return parts }
            if case .test = type, let zones = zones(in: quoted, of: place.attribute, question) { return zones }
            return candidates(at: place, question).compactMap { $0.literal == nil ? nil : $0.within(quoted) }
        }
        var items = candidates(at: place, question)
        guard let path = place.pathInMarket else { return replaced(by: items, found, question) }
        if isInherited(path, question) {
            items.append(CompletionItem(word: "unset", text: "unset"))
            if type.elementType != nil, type.section == nil, type.isListType {
                for word in ["append", "prepend", "remove"] {
                    items.append(CompletionItem(word: word, text: "\(word) {  }", snippet: "\(word) { $0 }"))
                }
            }
        }
        if !path.elements.isEmpty { items += Self.wordsOfAlternatives + [Self.wordOfAcceptance] }
        if type.elementType != nil || type.section != nil {
            items.append(CompletionItem(word: "include", text: "include \"\"", snippet: "include \"$0\""))
        }
        return replaced(by: items, found, question)
    }

    /// Completions in the place of a value that is missing, or only begun.
    private func replaced(
        by items: [CompletionItem], _ entry: Outline.Entry, _ question: CursorContext
    ) -> [CompletionItem] {
        let replaced: Range<Int>
        switch entry.value {
        case .missing: replaced = question.offset..<question.offset
        case .name, .boolean: replaced = question.outline.tree.range(of: entry.tokens)
        default: return []
        }
        return items.map {
            var item = $0
            item.replaced = replaced
            return item
        }
    }

    private func isInherited(_ path: ConfigurationPath, _ question: CursorContext) -> Bool {
        guard let market = question.market, let bases = folders[question.folder].provenance[market]?.baseLayers
        else { return false }
        return bases.contains { $0.node(at: path) != nil }
    }

    /// The bytes between the quotes of the string at an offset; nil outside strings.
    private func inside(_ token: Int, _ offset: Int, _ tree: LuaTree) -> CompletionItem.Quotes? {
        let range = tree.tokens[token].range
        guard let quote = tree.bytes[range].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            offset > range.lowerBound
        else { return nil }
        switch tree.tokens[token].kind {
        case .string:
            guard offset < range.upperBound else { return nil }
            return CompletionItem.Quotes(bytes: range.lowerBound + 1..<range.upperBound - 1, closing: "")
        // An unterminated string extends to the end of the line, but what follows the cursor isn't part of it.
        case .invalid:
            return CompletionItem.Quotes(
                bytes: range.lowerBound + 1..<offset, closing: String(decoding: [quote], as: UTF8.self))
        default: return nil
        }
    }

    private func arguments(of word: String, _ question: CursorContext) -> [CompletionItem] {
        let folder = folders[question.folder]
        switch word {
        case "include":
            let own = folder.loader.folder.name(of: question.file)
            return folder.current.folder.includableFiles().filter { $0 != own }
                .map { CompletionItem(text: $0, kind: .file, detail: "a file of the markets folder") }
        case "secret":
            return folder.loader.module.secretPrefixes.map {
                CompletionItem(text: $0, kind: .constant, detail: "allowed prefix of secret names")
            }
        default: return []
        }
    }

    /// The values of a place, and likely ones.
    func candidates(at place: FilePlace, _ question: CursorContext) -> [CompletionItem] {
        guard let type = place.type else { return [] }
        if let names = names(of: type.referent, at: place, question) { return names }
        switch type {
        case .condition: return conditions(in: question)
        case .test: return tests(of: place.attribute, question)
        default: break
        }
        guard let path = place.pathInMarket else { return Self.literals(of: type) }
        if path == "id", let market = question.market { return [CompletionItem(text: market, kind: .value)] }
        if let found = flagValues(at: path, question) { return found }
        if let found = destinations(at: path, question) { return found }
        var items = Self.literals(of: type) + codes(of: type, question)
        if type.isText {
            // Suggest the values of other markets, such as locales, services and tenants.
            var seen = Set(items.map(\.label))
            for market in markets(nearest: question) where market != question.market {
                guard let node = folders[question.folder].provenance[market]?.effective.node(at: path) else { continue }
                for text in node.value.texts where seen.insert(text).inserted {
                    items.append(CompletionItem(text: text, kind: .value, detail: "as in \(market)"))
                }
            }
        }
        return items
    }

    /// The names that a text at a place can have; nil for a text that is no name.
    private func names(
        of referent: Referent?, at place: FilePlace, _ question: CursorContext
    ) -> [CompletionItem]? {
        let folder = folders[question.folder]
        let module = folder.loader.module
        func names(_ found: [(name: String, detail: String)]) -> [CompletionItem] {
            found.map { CompletionItem(text: $0.name, kind: .constant, detail: $0.detail) }
        }
        switch referent {
        case .market?:
            let markets = Set((try? folder.current.marketIDs()) ?? [])  // without a folder, all are bases
            return folder.ids.filter { $0 != question.market }.map {
                CompletionItem(text: $0, kind: .file, detail: markets.contains($0) ? "a market" : "an abstract base")
            }
        case .precondition?:
            let own = question.outline.entry(at: "preconditions").map { question.outline.keys(of: $0).sorted() } ?? []
            return names(
                module.preconditions.map { ($0.name, $0.summary) }
                    + own.map { ($0, "a precondition declared by the market") })
        case .handler?: return names(module.handlers.map { ($0.name, $0.summary) })
        case .attribute?, .unit?:
            return names(
                attributes(in: question).filter { referent == .attribute || $0.isUnit }
                    .map { ($0.name, $0.isPersonal ? "a person" : "a unit") })
        case .variant?: return variants(of: place.path, question)
        case .layer?: return names(self.names(at: "layers", question).map { ($0, "a layer") })
        case .overlay? where place.key?.type.elementType != nil:
            return names(question.outline.overlayNames.map { ($0, "an overlay") })
        case .overlay?:
            // An overlay of an inherited name continues it.
            let known = question.market.flatMap { folder.provenance[$0]?.overlays } ?? [:]
            return names(known.keys.sorted().map { ($0, "\(known[$0] ?? .always)") })
        case .condition?: return conditions(in: question)
        case nil: return nil
        }
    }

    /// The values that a type enumerates.
    static func literals(of type: ValueType) -> [CompletionItem] {
        switch type {
        case .boolean: [CompletionItem(word: "true", text: "true"), CompletionItem(word: "false", text: "false")]
        case .choice(let names): names.map { CompletionItem(text: $0, kind: .value) }
        case .secret: [CompletionItem(word: "secret", text: "secret \"\"", snippet: "secret \"$0\"")]
        case .either(let types): types.flatMap { literals(of: $0) }
        case .list, .row, .map, .section: [CompletionItem.table]
        case .function:
            [
                CompletionItem(
                    word: "function", text: "function(link, state) end",
                    snippet: "function(link, state)\n  $0\nend")
            ]
        case .integer, .number, .percent, .string, .scalar, .condition, .test, .enclosing, .data: []
        }
    }
}

extension ValueType {
    /// Whether a value is a table whose keys or tables come next.
    fileprivate var isTable: Bool {
        switch self {
        case .map: true
        case .list(let element, _, _): element.section != nil
        default: section != nil
        }
    }

    fileprivate var isText: Bool {
        switch self {
        case .string, .scalar: true
        case .either(let types): types.contains { $0.isText }
        default: false
        }
    }

    fileprivate var isListType: Bool {
        switch self {
        case .list: true
        case .either(let types): types.contains { $0.isListType }
        default: false
        }
    }
}

extension ConfigurationValue {
    /// The string, or the strings of a list.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .list(let nodes):
            nodes.prefix(50).compactMap { if case .string(let text) = $0.value { text } else { nil } }
        default: []
        }
    }
}
