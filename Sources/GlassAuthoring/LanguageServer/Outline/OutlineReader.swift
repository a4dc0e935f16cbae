import GlassSchema
import LuaBridge

/// Parses the table that a market file returns, in one pass over its tokens and without recursion.
///
/// The rules for text with unbalanced braces, in this order: a name followed by `=` is never a value; a key that only
/// an open outer section declares closes the inner tables; otherwise indentation decides; and an unmatched closing
/// brace is skipped if more keys follow.
struct OutlineReader {
    private(set) var entries: [Outline.Entry] = []
    /// The tokens of skipped functions.
    private(set) var functions: [Range<Int>] = []
    /// Whether all braces match and nothing follows the returned table.
    private(set) var isBalanced = true

    private let tokens: [LuaToken]
    private let schema: SectionDeclaration?
    private let isGuessing: Bool
    private var next = 0
    private var open: [Frame] = []
    /// The indentation of each token: the column of the first token on its line.
    private let indentation: [Int]
    /// The maximum nesting depth; deeper tables are treated as opaque values.
    private static let maximumLevels = 200
    /// Whether there are more closing than opening braces.
    private let hasManyBraces: Bool
    /// The last key's token, so that the returned table isn't closed before it.
    private let lastKey: Int

    /// An open table.
    private struct Frame {
        let entry: Int
        /// The column of the first token on the line of the opening brace.
        let indentation: Int
        let line: Int
        var elements = 0
        /// The type of the table; nil if unknown.
        let type: ValueType?
    }

    init(_ tokens: [LuaToken], schema: SectionDeclaration?, isGuessing: Bool = false) {
        self.tokens = tokens
        self.schema = schema
        self.isGuessing = isGuessing
        var indentation: [Int] = []
        indentation.reserveCapacity(tokens.count)
        for index in tokens.indices {
            let isFirst = index == 0 || tokens[index - 1].endLine < tokens[index].line
            indentation.append(isFirst ? tokens[index].column : indentation[index - 1])
        }
        self.indentation = indentation
        var last = -1
        if isGuessing {
            for index in tokens.indices.dropLast() where tokens[index].name != nil && tokens[index + 1].is(.assign) {
                last = index
            }
        }
        lastKey = last
        hasManyBraces = isGuessing && tokens.count { $0.is(.rightBrace) } > tokens.count { $0.is(.leftBrace) }
    }

    /// Parses all tokens.
    mutating func read() {
        guard let start = Self.root(in: tokens) else {
            isBalanced = false
            return
        }
        next = start
        entries.append(Outline.Entry(parent: nil, key: .key(""), tokens: start..<start, value: .table))
        openTable(of: 0, from: start, type: schema.map { .section($0) })
        while !open.isEmpty, tokens[next].kind != .endOfFile { readEntry() }
        if !open.isEmpty {
            isBalanced = false
            while !open.isEmpty { closeTable(at: next) }
        }
        if !skipsRest { isBalanced = false }
    }

    /// Whether nothing unexpected follows the returned table. If the table is assigned to a name, anything may follow.
    private var skipsRest: Bool {
        guard let brace = entries.first?.braces?.open else { return true }
        if brace > 0, tokens[brace - 1].is(.assign) { return true }
        return tokens[next...].allSatisfy {
            $0.kind == .endOfFile || $0.is(.semicolon) || $0.is(.rightParenthesis)
        }
    }

    // MARK: The returned table

    /// The token of the returned table's opening brace.
    private static func root(in tokens: [LuaToken]) -> Int? {
        var blocks = 0
        var returns: [(index: Int, isOuter: Bool)] = []
        for index in tokens.indices {
            switch tokens[index].kind {
            case .keyword(.function), .keyword(.if), .keyword(.do), .keyword(.repeat): blocks += 1
            case .keyword(.end), .keyword(.until): blocks -= 1
            case .keyword(.return): returns.append((index, blocks == 0))
            default: break
            }
        }
        // The opening brace of the first table assigned to each name. Computed once, because a document may return
        // names any number of times.
        var tables: [String: Int] = [:]
        for index in tokens.indices.dropLast(2) where tokens[index + 1].is(.assign) && tokens[index + 2].is(.leftBrace)
        {
            if let name = tokens[index].name, tables[name] == nil { tables[name] = index + 2 }
        }
        for isOuter in [true, false] {
            for found in returns where found.isOuter == isOuter || !isOuter {
                if let brace = brace(behind: found.index, in: tokens, tables) { return brace }
            }
        }
        // Without a return statement, the text may begin with the table.
        guard let first = tokens.indices.first(where: { tokens[$0].is(.leftBrace) }) else { return nil }
        let isTable = first == 0 || !tokens[first - 1].is(.assign)
        return isTable && tokens[first + 1].name != nil && tokens[first + 2].is(.assign) ? first : nil
    }

    /// The opening brace of a returned value: a table, a directive with a table, or a name that a table was assigned
    /// to.
    private static func brace(behind index: Int, in tokens: [LuaToken], _ tables: [String: Int]) -> Int? {
        var place = index + 1
        guard place < tokens.count else { return nil }
        if tokens[place].is(.leftBrace) { return place }
        guard let name = tokens[place].name else { return nil }
        place += 1
        if tokens[place].is(.leftParenthesis) { place += 1 }
        return tokens[place].is(.leftBrace) ? place : tables[name]
    }

    // MARK: Entries

    private mutating func readEntry() {
        let token = tokens[next]
        if token.is(.rightBrace) { return readBrace() }
        if token.is(.comma) || token.is(.semicolon) {
            next += 1
        } else if token.name != nil, has(.assign, at: next + 1) {
            endTables(beforeKeyAt: next)
            readKey(.key(token.name ?? ""), token: next, value: next + 2)
        } else if token.is(.leftBracket), let key = bracketedKey {
            endTables(beforeKeyAt: next)
            readKey(key.element, token: next + 1, value: key.value)
        } else if startsValue {
            endTables(beforeElementAt: next)
            open[open.count - 1].elements += 1
            let frame = open[open.count - 1]
            entries.append(
                Outline.Entry(parent: frame.entry, key: .index(frame.elements), tokens: next..<next, value: .missing))
            entries[frame.entry].children.append(entries.count - 1)
            readValue(of: entries.count - 1, type: frame.type?.elementType ?? frame.type)
        } else {
            next += 1
        }
    }

    private mutating func readKey(_ key: ConfigurationPath.Element, token: Int, value: Int) {
        let frame = open[open.count - 1]
        entries.append(
            Outline.Entry(parent: frame.entry, key: key, keyToken: token, tokens: value..<value, value: .missing))
        entries[frame.entry].children.append(entries.count - 1)
        next = value
        readValue(of: entries.count - 1, type: Self.type(of: key, in: frame.type))
    }

    private static func type(of key: ConfigurationPath.Element, in type: ValueType?) -> ValueType? {
        guard let type else { return nil }
        if let section = type.section, case .key(let name) = key { return (section.key(name) ?? section.others)?.type }
        return type.elementType
    }

    /// `["text"] =` or `[1] =`.
    private var bracketedKey: (element: ConfigurationPath.Element, value: Int)? {
        guard has(.rightBracket, at: next + 2), has(.assign, at: next + 3) else { return nil }
        switch tokens[next + 1].kind {
        case .string(let bytes): return (.key(String(decoding: bytes, as: UTF8.self)), next + 4)
        case .integer(let number): return (.index(Int(number)), next + 4)
        default: return nil
        }
    }

    private var startsValue: Bool {
        switch tokens[next].kind {
        case .name, .string, .integer, .float, .invalid: true
        case .keyword(let word): [.true, .false, .nil, .function, .not].contains(word)
        case .symbol(let symbol): [.leftBrace, .minus, .leftParenthesis, .hash, .tilde, .ellipsis].contains(symbol)
        case .endOfFile: false
        }
    }

    // MARK: Values

    private mutating func readValue(of entry: Int, type: ValueType?) {
        let start = next
        guard startsValue, !(tokens[next].name != nil && has(.assign, at: next + 1)) else {
            entries[entry].tokens = start..<start
            return
        }
        if tokens[next].is(.leftBrace) {
            entries[entry].value = .table
            return openTable(of: entry, from: start, type: type)
        }
        if tokens[next].kind == .keyword(.function) {
            skipFunction(before: indentation[start])
            entries[entry].value = .function
            entries[entry].tokens = start..<next
            return
        }
        if let word = tokens[next].name, readWord(word, of: entry, type: type) { return }
        let sign = tokens[next].is(.minus) ? 1 : 0
        entries[entry].value = Self.literal(tokens[next + sign].kind, isNegative: sign == 1) ?? .other
        next += tokens[next + sign].kind == .endOfFile ? sign : 1 + sign
        if !endsValue {
            entries[entry].value = .other
            skipExpression(before: indentation[start])
        }
        entries[entry].tokens = start..<next
    }

    /// Reads a directive with its argument: `append { … }` or `include "shared/x.lua"`, with or without parentheses.
    private mutating func readWord(_ word: String, of entry: Int, type: ValueType?) -> Bool {
        let argument = has(.leftParenthesis, at: next + 1) ? next + 2 : next + 1
        if has(.leftBrace, at: argument) {
            entries[entry].value = .word(word, argument: nil)
            let start = next
            next = argument
            openTable(of: entry, from: start, type: type)
            return true
        }
        guard argument < tokens.count else { return false }
        let isText: Bool
        let text: String?
        switch tokens[argument].kind {
        case .string(let bytes): (isText, text) = (true, String(decoding: bytes, as: UTF8.self))
        // An unterminated string.
        case .invalid: (isText, text) = (tokens[argument].line == tokens[next].line, nil)
        default: (isText, text) = (false, nil)
        }
        guard isText else { return false }
        entries[entry].value = .word(word, argument: text)
        entries[entry].tokens = next..<argument + 1
        next = argument + 1
        if argument == entries[entry].tokens.lowerBound + 2, has(.rightParenthesis, at: next) {
            next += 1
            entries[entry].tokens = entries[entry].tokens.lowerBound..<next
        }
        return true
    }

    private static func literal(_ kind: LuaToken.Kind, isNegative: Bool) -> Outline.Value? {
        switch kind {
        case .integer(let number): return .integer(isNegative ? 0 &- number : number)
        case .float(let number): return .number(isNegative ? -number : number)
        case _ where isNegative: return nil
        case .keyword(.true): return .boolean(true)
        case .keyword(.false): return .boolean(false)
        case .keyword(.nil): return .name("nil")
        case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
        case .name(let name): return .name(name)
        default: return nil
        }
    }

    /// Whether a value may end before the next token.
    private var endsValue: Bool {
        switch tokens[next].kind {
        case .endOfFile, .symbol(.comma), .symbol(.semicolon), .symbol(.rightBrace), .symbol(.rightParenthesis),
            .symbol(.rightBracket):
            true
        case .name, .string, .integer, .float, .invalid, .symbol(.leftBrace), .keyword:
            startsLine(next) || startsKey(next)
        default: false
        }
    }

    private mutating func skipExpression(before column: Int) {
        var brackets: [LuaToken.Symbol] = []
        while tokens[next].kind != .endOfFile {
            switch tokens[next].kind {
            case .symbol(let symbol) where [.leftBrace, .leftBracket, .leftParenthesis].contains(symbol):
                brackets.append(symbol)
            case .symbol(.rightBrace) where brackets.last != .leftBrace: return
            case .symbol(.rightBrace), .symbol(.rightBracket), .symbol(.rightParenthesis):
                _ = brackets.popLast()
            case .symbol(.comma), .symbol(.semicolon): if brackets.isEmpty { return }
            case .keyword(.function):
                skipFunction(before: column)
                continue
            case .name where startsKey(next) && brackets.last != .leftBrace: return
            default: break
            }
            next += 1
        }
    }

    /// Skips a function. A function without `end` ends before an unmatched closing brace or a key of the enclosing
    /// table.
    private mutating func skipFunction(before column: Int) {
        let start = next
        defer { functions.append(start..<next) }
        var (blocks, braces) = (0, 0)
        while tokens[next].kind != .endOfFile {
            switch tokens[next].kind {
            case .keyword(.function), .keyword(.if), .keyword(.do), .keyword(.repeat): blocks += 1
            case .keyword(.end), .keyword(.until):
                blocks -= 1
                if blocks == 0 {
                    next += 1
                    return
                }
            case .symbol(.leftBrace): braces += 1
            case .symbol(.rightBrace):
                braces -= 1
                if braces < 0 {
                    isBalanced = false
                    return
                }
            case .name where braces == 0 && startsKey(next) && startsLine(next) && tokens[next].column <= column:
                isBalanced = false
                return
            default: break
            }
            next += 1
        }
        isBalanced = false
    }

    // MARK: Tables

    /// Opens the table whose brace is the next token; its value begins at `start`.
    private mutating func openTable(of entry: Int, from start: Int, type: ValueType?) {
        entries[entry].tokens = start..<next + 1
        guard open.count < Self.maximumLevels else {
            entries[entry].value = .other
            skipExpression(before: indentation[start])
            entries[entry].tokens = start..<next
            return
        }
        entries[entry].braces = (next, next)
        open.append(
            Frame(entry: entry, indentation: indentation[next], line: tokens[next].line, type: type))
        next += 1
    }

    /// Closes the innermost table.
    private mutating func closeTable(at token: Int, isBrace: Bool = false) {
        let entry = open.removeLast().entry
        entries[entry].braces?.close = token
        entries[entry].tokens = entries[entry].tokens.lowerBound..<(isBrace ? token + 1 : token)
    }

    private mutating func readBrace() {
        defer { next += 1 }
        guard isGuessing else { return closeTable(at: next, isBrace: true) }
        if startsLine(next) {
            let column = tokens[next].column
            guard let found = open.lastIndex(where: { $0.indentation <= column }) else { return }
            // A brace that is indented more than the tables it could close wasn't meant to close them.
            guard open[found].indentation == column, found > 0 || next > lastKey else { return }
            while open.count > found + 1 { closeTable(at: next) }
            return closeTable(at: next, isBrace: true)
        }
        // After another closing brace, a brace for a table that began on an earlier line with another indentation is
        // the surplus one.
        if hasManyBraces, tokens[next - 1].is(.rightBrace), let last = open.last, last.line < tokens[next].line,
            last.indentation != indentation[next]
        {
            return
        }
        if open.count > 1 || next > lastKey { closeTable(at: next, isBrace: true) }
    }

    /// Closes the tables that cannot contain a key.
    private mutating func endTables(beforeKeyAt token: Int) {
        guard isGuessing, case .name(let name) = tokens[token].kind else { return }
        if let owner = owner(of: name) {
            while open.count > owner + 1 { closeTable(at: token) }
            return
        }
        endTables(beforeElementAt: token)
    }

    private mutating func endTables(beforeElementAt token: Int) {
        guard isGuessing, startsLine(token) else { return }
        while open.count > 1, let last = open.last, last.line < tokens[token].line,
            last.indentation >= tokens[token].column
        { closeTable(at: token) }
    }

    /// The index of the outer table that declares a key which the innermost table doesn't; nil if indentation must
    /// decide.
    private func owner(of name: String) -> Int? {
        for index in open.indices.reversed() {
            guard let section = open[index].type?.section else {
                // A list has no keys; a table with free keys may have any.
                if let type = open[index].type, type.isList { continue }
                return nil
            }
            if section.key(name) != nil { return index == open.count - 1 ? nil : index }
            if section.others != nil { return nil }
        }
        return nil
    }

    // MARK: Tokens

    private func has(_ symbol: LuaToken.Symbol, at index: Int) -> Bool {
        index < tokens.count && tokens[index].is(symbol)
    }

    private func startsKey(_ index: Int) -> Bool { tokens[index].name != nil && has(.assign, at: index + 1) }

    private func startsLine(_ index: Int) -> Bool { index == 0 || tokens[index - 1].endLine < tokens[index].line }
}
