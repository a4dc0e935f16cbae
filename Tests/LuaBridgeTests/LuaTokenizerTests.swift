import LuaBridge
import Testing

@Suite struct LuaTokenizerTests {
    struct Row<Value: Sendable>: Sendable, CustomTestStringConvertible {
        var source: String
        var value: Value
        var testDescription: String { source }

        init(_ source: String, _ value: Value) {
            self.source = source
            self.value = value
        }
    }

    // MARK: Values

    static let numerals: [Row<LuaToken.Kind>] = [
        Row("0", .integer(0)), Row("345", .integer(345)), Row("0xff", .integer(255)),
        Row("0XBEBADA", .integer(0xBEBADA)),
        Row("9223372036854775807", .integer(.max)), Row("9223372036854775808", .float(9_223_372_036_854_775_808)),
        Row("0x7fffffffffffffff", .integer(.max)), Row("0xffffffffffffffff", .integer(-1)),
        Row("0x1ffffffffffffffff", .integer(-1)), Row("00000000000000000000012", .integer(12)),
        Row("3.0", .float(3)), Row("3.", .float(3)), Row(".5", .float(0.5)), Row("3.1416", .float(3.1416)),
        Row("314.16e-2", .float(3.1416)), Row("0.31416E1", .float(3.1416)), Row("34e1", .float(340)),
        Row("1.e+2", .float(100)), Row("0x0.1E", .float(0.1171875)), Row("0xA23p-4", .float(162.1875)),
        Row("0X1.921FB54442D18P+1", .float(3.141592653589793)), Row("0x.8", .float(0.5)), Row("0x8.", .float(8)),
        Row("0xep1", .float(28)), Row("1e400", .float(.infinity)), Row("1e-400", .float(0)),
        Row("3x", .invalid), Row("0x", .invalid), Row("0x.", .invalid), Row("1..2", .invalid), Row("1e", .invalid),
        Row("1e+", .invalid), Row("0xp1", .invalid), Row("1f", .invalid), Row("0x1p", .invalid), Row("08a", .invalid),
        Row("1_000", .invalid), Row("3.4.5", .invalid), Row("0x1pf", .invalid),
    ]

    @Test(arguments: numerals)
    func numeralHasValueOfLua(_ row: Row<LuaToken.Kind>) {
        #expect(kinds(row.source) == [row.value])
    }

    static let strings: [Row<[UInt8]>] = [
        Row(#""""#, []), Row("''", []), Row(#"'a"b'"#, Array("a\"b".utf8)),
        Row(#""\a\b\f\n\r\t\v\\\"\'""#, [7, 8, 12, 10, 13, 9, 11, 92, 34, 39]),
        Row(#""\x41\xfF""#, [0x41, 0xFF]), Row(#""\65\0651\0\255""#, [65, 65, 49, 0, 255]),
        Row("\"a\\z  \n\t b\"", Array("ab".utf8)), Row("\"a\\\nb\"", Array("a\nb".utf8)),
        Row("\"a\\\r\nb\"", Array("a\nb".utf8)), Row(#""\u{0}\u{7F}""#, [0, 0x7F]), Row(#""\u{80}""#, [0xC2, 0x80]),
        Row(#""\u{7FF}\u{800}""#, [0xDF, 0xBF, 0xE0, 0xA0, 0x80]), Row(#""\u{D800}""#, [0xED, 0xA0, 0x80]),
        Row(#""\u{FFFF}\u{10000}""#, [0xEF, 0xBF, 0xBF, 0xF0, 0x90, 0x80, 0x80]),
        Row(#""\u{1FFFFF}\u{200000}""#, [0xF7, 0xBF, 0xBF, 0xBF, 0xF8, 0x88, 0x80, 0x80, 0x80]),
        Row(#""\u{3FFFFFF}""#, [0xFB, 0xBF, 0xBF, 0xBF, 0xBF]),
        Row(#""\u{4000000}""#, [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]),
        Row(#""\u{00007FFFFFFF}""#, [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]), Row("'é'", Array("é".utf8)),
        Row("[[]]", []), Row("[[a]b]]", Array("a]b".utf8)), Row("[=[a]]b]=]", Array("a]]b".utf8)),
        Row("[==[a]=]==]", Array("a]=".utf8)), Row("[[\n\na\r\nb\n\rc]]", Array("\na\nb\nc".utf8)),
        Row("[[\\n]]", Array("\\n".utf8)), Row("[[a]]", Array("a".utf8)), Row("[=[]]]=]", Array("]]".utf8)),
    ]

    @Test(arguments: strings)
    func stringHasBytesOfLua(_ row: Row<[UInt8]>) {
        #expect(kinds(row.source) == [.string(row.value)])
    }

    static let invalidStrings: [Row<[LuaToken.Kind]>] = [
        Row(#""\q" x"#, [.invalid, .name("x")]), Row(#""\xg1" x"#, [.invalid, .name("x")]),
        Row(#""\256" x"#, [.invalid, .name("x")]), Row(#""\u{80000000}" x"#, [.invalid, .name("x")]),
        Row(#""\u{}" x"#, [.invalid, .name("x")]), Row(#""\u{41" x"#, [.invalid, .name("x")]),
        Row(#""\u41" x"#, [.invalid, .name("x")]), Row("\"\\u{\(String(repeating: "F", count: 40))}\"", [.invalid]),
        Row("\"open\nx", [.invalid, .name("x")]), Row("'", [.invalid]), Row("'\\", [.invalid]), Row("'\\z", [.invalid]),
        Row("[[open\n]", [.invalid]), Row("[=x", [.invalid, .name("x")]), Row("[==", [.invalid]),
        Row("--[[ open", [.invalid]), Row("x --[==[ ]]", [.name("x"), .invalid]),
    ]

    @Test(arguments: invalidStrings)
    func brokenStringIsOneInvalidToken(_ row: Row<[LuaToken.Kind]>) {
        #expect(kinds(row.source) == row.value)
    }

    static let structure: [Row<[LuaToken.Kind]>] = [
        Row("", []), Row(" \t\u{0B}\u{0C}\r\n", []), Row("-- c", []), Row("--[[ a\nb ]] x", [.name("x")]),
        Row("--[==[ ]] ]=] ]==] x", [.name("x")]), Row("--[= [\nx", [.name("x")]), Row("--[\nx", [.name("x")]),
        Row("---[[ a\nx", [.name("x")]), Row("#!/bin/lua\nx", [.name("x")]), Row("# text", []),
        Row("\u{FEFF}x", [.name("x")]), Row("\u{FEFF}#!lua\nx", [.name("x")]),
        Row("x #y", [.name("x"), .symbol(.hash), .name("y")]),
        Row("_a1 and1", [.name("_a1"), .name("and1")]), Row("a.b", [.name("a"), .symbol(.dot), .name("b")]),
        Row("a..b", [.name("a"), .symbol(.concatenate), .name("b")]), Row("....", [.symbol(.ellipsis), .symbol(.dot)]),
        Row("a...5", [.name("a"), .symbol(.ellipsis), .integer(5)]), Row("a.5", [.name("a"), .float(0.5)]),
        Row("[a", [.symbol(.leftBracket), .name("a")]),
        Row("a- -b", [.name("a"), .symbol(.minus), .symbol(.minus), .name("b")]),
        Row(":::", [.symbol(.doubleColon), .symbol(.colon)]), Row("===", [.symbol(.equal), .symbol(.assign)]),
        Row("~==", [.symbol(.notEqual), .symbol(.assign)]), Row("<<=", [.symbol(.shiftLeft), .symbol(.assign)]),
        Row("!$", [.invalid, .invalid]), Row("é", [.invalid]), Row("\0x", [.invalid, .name("x")]),
    ]

    @Test(arguments: structure)
    func sourceIsTokenizedLikeLua(_ row: Row<[LuaToken.Kind]>) {
        #expect(kinds(row.source) == row.value)
    }

    @Test(arguments: LuaToken.Symbol.allCases)
    func everySymbolIsReadInFull(_ symbol: LuaToken.Symbol) {
        #expect(kinds(symbol.rawValue + " x") == (symbol == .hash ? [] : [.symbol(symbol), .name("x")]))
        #expect(kinds("x " + symbol.rawValue) == [.name("x"), .symbol(symbol)])
    }

    @Test(arguments: LuaToken.Keyword.allCases)
    func reservedWordsAreNotNames(_ keyword: LuaToken.Keyword) {
        #expect(kinds(keyword.rawValue) == [.keyword(keyword)])
        #expect(kinds(keyword.rawValue + "_") == [.name(keyword.rawValue + "_")])
    }

    @Test func luaHasTwentyTwoReservedWords() {
        #expect(LuaToken.Keyword.allCases.count == 22)
    }

    // MARK: Positions

    static let places: [Row<String>] = [
        Row("a bb\n  ccc", "0..<1 1:1-1:2, 2..<4 1:3-1:5, 7..<10 2:3-2:6, 10..<10 2:6-2:6"),
        Row(
            "a\r\nb\n\rc\rd\n\ne",
            "0..<1 1:1-1:2, 3..<4 2:1-2:2, 6..<7 3:1-3:2, 8..<9 4:1-4:2, 11..<12 6:1-6:2, 12..<12 6:2-6:2"),
        Row("'é' x", "0..<4 1:1-1:4, 5..<6 1:5-1:6, 6..<6 1:6-1:6"),
        Row("'👍🏽' x", "0..<10 1:1-1:5, 11..<12 1:6-1:7, 12..<12 1:7-1:7"),
        Row("[[a\nb]] x", "0..<7 1:1-2:4, 8..<9 2:5-2:6, 9..<9 2:6-2:6"),
        Row("'a\\z\n  b' x", "0..<9 1:1-2:5, 10..<11 2:6-2:7, 11..<11 2:7-2:7"),
        Row("--[[é\n]]x", "9..<10 2:3-2:4, 10..<10 2:4-2:4"), Row("\u{FEFF}x", "3..<4 1:1-1:2, 4..<4 1:2-1:2"),
        Row("#!é\nx", "5..<6 2:1-2:2, 6..<6 2:2-2:2"), Row("\tx", "1..<2 1:2-1:3, 2..<2 1:3-1:3"),
        Row("", "0..<0 1:1-1:1"),
    ]

    @Test(arguments: places)
    func tokenHasPosition(_ row: Row<String>) {
        let text = tokens(Array(row.source.utf8)).map {
            "\($0.range) \($0.line):\($0.column)-\($0.endLine):\($0.endColumn)"
        }
        #expect(text.joined(separator: ", ") == row.value)
    }

    static let illFormed: [(bytes: [UInt8], column: Int)] = [
        ([0xFF], 2), ([0xC0, 0x80], 3), ([0xE2, 0x82], 3), ([0xE2, 0x82, 0xAC], 2), ([0xED, 0xA0, 0x80], 4),
        ([0xE0, 0x80, 0x80], 4), ([0xF4, 0x90, 0x80, 0x80], 5), ([0xF0, 0x80, 0x80, 0x80], 5), ([0x80, 0xC3, 0xA9], 3),
        ([0xF4, 0x8F, 0xBF, 0xBF], 2), ([0xEE, 0x80, 0x80], 2), ([0xC3], 2), ([0xF5, 0x80, 0x80, 0x80], 5),
    ]

    @Test(arguments: illFormed)
    func invalidByteCountsAsOneColumn(_ row: (bytes: [UInt8], column: Int)) throws {
        let all = tokens(Array("'".utf8) + row.bytes + Array("'x".utf8))
        #expect(all.first?.kind == .string(row.bytes))
        #expect(try #require(all.dropFirst().first).column == row.column + 2)
    }

    @Test func endOfFileRepeats() {
        var tokenizer = LuaTokenizer(Array("x\n".utf8))
        #expect(tokenizer.next().kind == .name("x"))
        let end = tokenizer.next()
        #expect(end == LuaToken(kind: .endOfFile, range: 2..<2, line: 2, column: 1, endLine: 2, endColumn: 1))
        #expect(tokenizer.next() == end)
    }

    // MARK: Any bytes

    @Test(.timeLimit(.minutes(1)), arguments: 1...50 as ClosedRange<UInt64>)
    func anyBytesAreReadToTheEnd(_ seed: UInt64) {
        var generator = TestGenerator(state: seed)
        let alphabet = Array("[]=--\"'\\\n\r{}.0x1pe+zu nil\u{E9}\u{20AC}".utf8) + [0x00, 0x80, 0xC3, 0xFF]
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in
                seed.isMultiple(of: 2)
                    ? UInt8.random(in: 0...255, using: &generator) : alphabet.randomElement(using: &generator) ?? 0
            }
            // One expectation for all tokens: each costs far more than reading one.
            var end = 0
            let isInOrder = tokens(bytes).allSatisfy { token in
                defer { end = token.range.upperBound }
                return token.range.lowerBound >= end && token.line >= 1 && token.column >= 1
                    && token.endLine >= token.line
            }
            #expect(isInOrder && end == bytes.count, "seed \(seed), \(length) bytes")
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "[", "[=", "]=", "--[", "--[=", "\"", "'\\", "9", "0x", ".", "\\", "é", "\r", "[[]=", "a", "-", "\\z", "1e",
        ])
    func longSourcesAreReadInLinearTime(_ unit: String) {
        for prefix in ["", "[==[", "'", "--[==["] {
            let bytes = Array((prefix + String(repeating: unit, count: 200_000 / unit.utf8.count)).utf8)
            #expect(tokens(bytes, keeping: false).last?.range.upperBound == bytes.count)
        }
    }
}

private func tokens(_ bytes: [UInt8], keeping: Bool = true) -> [LuaToken] {
    var tokenizer = LuaTokenizer(bytes)
    var result: [LuaToken] = []
    while true {
        let token = tokenizer.next()
        if !keeping { result.removeAll(keepingCapacity: true) }
        result.append(token)
        if token.kind == .endOfFile { return result }
    }
}

private func kinds(_ source: String) -> [LuaToken.Kind] {
    tokens(Array(source.utf8)).dropLast().map(\.kind)
}

/// A small generator with a seed, so that a failure can be repeated.
private struct TestGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    }
}
