import GlassDeepLinking
import GlassMarkets
import GlassPlatform
@testable import GlassSchema
import LuaBridge

/// The places in a market file where a slip can happen, found with its tokens and the schema.
struct MarketSlipSites {
    struct Site {
        let range: Range<Int>
        let line: Int
        /// The lines at which a slip here may be reported.
        var lines: Set<Int>

        init(_ range: Range<Int>, line: Int, or other: Int? = nil) {
            self.range = range
            self.line = line
            lines = Set([line, other].compactMap(\.self))
        }
    }

    struct Value {
        let range: Range<Int>
        let line: Int
        /// Values of types that the key does not accept.
        let others: [String]
    }

    /// The kind of pattern in a string.
    enum Form {
        case route
        /// A template with names in braces.
        case template
        /// A text pattern.
        case text
    }

    let file: String
    let bytes: [UInt8]
    private(set) var names: [Site] = []
    private(set) var values: [Value] = []
    private(set) var commas: [Site] = []
    private(set) var assigns: [Site] = []
    private(set) var quotes: [Site] = []
    private(set) var brackets: [Site] = []
    private(set) var lines: [Site] = []
    private(set) var patterns: [(site: Site, form: Form)] = []

    private let tokens: [LuaToken]
    private let schema: MarketSchema

    /// A table that is still open.
    private struct Frame {
        var type: ValueType?
        var path: [String]
        /// The key of the next value; `nil` in a list.
        var key: String?
    }

    /// Finds the places.
    ///
    /// - Parameters:
    ///   - file: The file, relative to the markets folder.
    ///   - text: Its content.
    ///   - path: The key whose value it contains; empty for a market.
    ///   - schema: The known keys.
    init(_ file: String, text: String, path: [String], schema: MarketSchema) {
        self.file = file
        self.schema = schema
        bytes = Array(text.utf8)
        var tokenizer = LuaTokenizer(bytes)
        var tokens: [LuaToken] = []
        repeat { tokens.append(tokenizer.next()) } while tokens.last?.kind != .endOfFile
        self.tokens = tokens
        var type: ValueType? = .section(schema.declaration)
        for key in path { type = Self.type(below: type, key: key) }
        find(type: type, path: path)
        findLines()
    }

    /// The file with part of it replaced.
    func replacing(_ range: Range<Int>, by text: String, _ kind: MarketSlips.Kind, lines: Set<Int>) -> MarketSlip {
        let changed = Array(bytes[..<range.lowerBound]) + Array(text.utf8) + Array(bytes[range.upperBound...])
        let old = String(decoding: bytes[range], as: UTF8.self)
        return MarketSlip(
            kind: kind, file: file, text: String(decoding: changed, as: UTF8.self), lines: lines,
            change: "\(old) → \(text)")
    }

    private static func type(below type: ValueType?, key: String?) -> ValueType? {
        guard let key else { return type?.elementType }
        if let section = type?.section { return section.key(key)?.type ?? section.others?.type }
        return type?.elementType
    }

    private mutating func findLines() {
        var start = 0
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let end = start + line.count
            let hasToken = tokens.contains { $0.kind != .endOfFile && $0.line == number + 1 }
            if hasToken, end < bytes.count { lines.append(Site(start..<(end + 1), line: number + 1)) }
            start = end + 1
        }
    }

    private mutating func find(type root: ValueType?, path: [String]) {
        var frames: [Frame] = []
        var (openers, partners) = ([Int](), [Int: Int]())
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .symbol(.leftBrace), .symbol(.leftBracket), .symbol(.leftParenthesis): openers.append(index)
            case .symbol(.rightBrace), .symbol(.rightBracket), .symbol(.rightParenthesis):
                let opener = openers.removeLast()
                (partners[opener], partners[index]) = (index, opener)
            default: break
            }
        }
        for (index, token) in tokens.enumerated() {
            let previous = index > 0 ? tokens[index - 1].kind : .endOfFile
            let next = index + 1 < tokens.count ? tokens[index + 1].kind : .endOfFile
            if let partner = partners[index] {
                brackets.append(Site(token.range, line: token.line, or: tokens[partner].line))
            }
            if case .string = token.kind {
                quotes.append(Site(token.range.lowerBound..<(token.range.lowerBound + 1), line: token.line))
                quotes.append(Site((token.range.upperBound - 1)..<token.range.upperBound, line: token.line))
            }
            let isKey = next == .symbol(.assign) && (previous == .symbol(.leftBrace) || previous == .symbol(.comma))
            let isComputedKey = previous == .symbol(.leftBracket)
            let type = frames.last.map { Self.type(below: $0.type, key: $0.key) } ?? root
            let beginsValue =
                !frames.isEmpty && !isKey && !isComputedKey
                && (previous == .symbol(.assign) || previous == .symbol(.leftBrace) || previous == .symbol(.comma))
                && token.kind != .symbol(.rightBrace) && token.kind != .symbol(.leftBracket)
            if beginsValue { addValue(at: index, type, partners) }
            switch token.kind {
            case .name(let name) where isKey:
                frames[frames.count - 1].key = name
                if isDeclared(name, in: frames[frames.count - 1]) { names.append(Site(token.range, line: token.line)) }
            case .name where previous != .keyword(.local): names.append(Site(token.range, line: token.line))
            case .keyword: names.append(Site(token.range, line: token.line))
            case .string(let value):
                let text = String(decoding: value, as: UTF8.self)
                if isComputedKey {
                    frames[frames.count - 1].key = text
                } else if !text.isEmpty {
                    addText(token, type, frames.last, previous)
                }
            case .symbol(.comma):
                commas.append(Site(token.range, line: token.line))
                if !frames.isEmpty { frames[frames.count - 1].key = nil }
            case .symbol(.assign): assigns.append(Site(token.range, line: token.line))
            case .symbol(.leftBrace):
                // The list in a directive belongs to the key.
                let inner =
                    frames.isEmpty ? path : frames[frames.count - 1].path + [frames[frames.count - 1].key ?? "#"]
                frames.append(Frame(type: type, path: inner, key: nil))
            case .symbol(.rightBrace): frames.removeLast()
            default: break
            }
        }
    }

    /// Whether a key is declared in the schema, or is the ID of one of the app's routables.
    private func isDeclared(_ name: String, in frame: Frame) -> Bool {
        if frame.path == ["routables"] { return schema.module.routables.contains { $0.feature.id == name } }
        return frame.type?.section?.key(name) != nil
    }

    /// Adds a string that is structure or a pattern.
    private mutating func addText(_ token: LuaToken, _ type: ValueType?, _ frame: Frame?, _ previous: LuaToken.Kind) {
        let inner = Site((token.range.lowerBound + 1)..<(token.range.upperBound - 1), line: token.line)
        let path = (frame?.path ?? []) + (frame?.key.map { [$0] } ?? [])
        let isWord = previous == .name("include") || path == ["id"] || path == ["extends"]
        if path.last == "waitForPreconditions" || isWord {
            return names.append(inner)
        }
        if case .choice? = type { return names.append(inner) }
        let isTemplate = path == ["platform", "address", "lines"] || path.dropLast().last == "parameters"
        if path.last == "paths" || path.last == "customPaths" { patterns.append((inner, .route)) }
        if isTemplate { patterns.append((inner, .template)) }
        if path.last == "postalCodePattern" { patterns.append((inner, .text)) }
    }

    private mutating func addValue(at index: Int, _ type: ValueType?, _ partners: [Int: Int]) {
        var end = index
        while true {
            switch tokens[end].kind {
            case .symbol(.comma), .symbol(.rightBrace), .endOfFile:
                guard let type else { return }
                let range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
                let written = String(decoding: bytes[range], as: UTF8.self)
                let others = Self.others.filter { !type.accepts(kindOf: $0.value) && $0.text != written }.map(\.text)
                return values.append(Value(range: range, line: tokens[index].line, others: others))
            case .symbol(.leftBrace), .symbol(.leftParenthesis): end = (partners[end] ?? end) + 1
            default: end += 1
            }
        }
    }

    private static let others: [(text: String, value: ConfigurationValue)] = [
        ("7", .integer(7)), ("7.5", .number(7.5)), ("true", .boolean(true)), ("\"text\"", .string("text")),
        ("{ 1 }", .list([ConfigurationNode(.integer(1))])),
        ("{ extra = 1 }", .map(["extra": ConfigurationNode(.integer(1))])),
    ]
}
