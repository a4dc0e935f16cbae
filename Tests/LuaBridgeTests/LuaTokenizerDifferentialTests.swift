import CLua
import LuaBridge
import Testing

/// Any text that the system's parser accepts is tokenized like Lua does: the tokens, written out one by one, compile to
/// the same bytecode, with the same line for each instruction.
@Suite(.timeLimit(.minutes(2)))
struct LuaTokenizerDifferentialTests {
    private struct Generator {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }

        mutating func pick(_ choices: [String]) -> String { choices[next(choices.count)] }

        private static let ends = ["\n", "\r", "\r\n", "\n\r"]
        private static let bits = [
            "a", "é", "\\n", "\\z", "\\\\", "\\'", "\\\"", "\\x41", "\\065", "\\7", "\\255", "\\u{1F600}", "\\u{0}",
            "\\u{7FFFFFFF}", "--", "[[", "]]", "]=]", "--[[", "=", "]", "\t", "\\q", "\\x4", "\\256", "\u{0B}", " ",
            "'", "\"", "\\", "#", "\\u{80000000}",
        ]

        mutating func literal() -> String {
            switch next(6) {
            case 0:
                let level = String(repeating: "=", count: next(3))
                return "[\(level)[" + text(next(5), lines: true) + "]\(level)]"
            case 1: return numeral()
            default:
                let quote = pick(["'", "\""])
                return quote + text(next(5), lines: false) + quote
            }
        }

        private mutating func text(_ count: Int, lines: Bool) -> String {
            var text = ""
            for _ in 0..<count {
                switch next(lines ? 4 : 6) {
                case 0: text += (lines ? "" : "\\") + pick(Self.ends)
                case 1 where !lines: text += "\\z" + pick(Self.ends + [" ", ""])
                default: text += pick(next(8) == 0 ? Self.bits : Array(Self.bits.prefix(16)))
                }
            }
            return text
        }

        private mutating func numeral() -> String {
            let parts = [
                "0", "1", "9", "0x", "0X", "a", "F", ".", "e", "E", "p", "P", "+", "-", "e+1", "p-2", "5", "00", "8",
                "9223372036854775807", "9223372036854775808",
            ]
            var text = pick(["0", "1", "3", "0x", ".5", "12", "0xA", "9223372036854775807"])
            for _ in 0..<next(4) { text += pick(parts) }
            return text
        }

        mutating func blank() -> String {
            switch next(8) {
            case 0: return pick(Self.ends)
            case 1: return "--" + pick(["", "[", "[=", "[==", " [[", "-[[", "]]", " '", "\\"]) + pick(Self.ends)
            case 2:
                let level = String(repeating: "=", count: next(3))
                return "--[\(level)[" + text(next(3), lines: true) + "]\(level)]"
            case 3: return pick(["\t", "\u{0B}", "\u{0C}", "  "])
            default: return " "
            }
        }

        mutating func chunk() -> String {
            let words = [
                ["local", "x", "=", "1"], ["x", "=", "x", ".", "y", "[", "LITERAL", "]"], ["f", "LITERAL"],
                ["f", "(", "LITERAL", ",", "LITERAL", ")"], ["::", "L1", "::"], ["x", "=", "{", "LITERAL", "}"],
                ["x", "=", "LITERAL", "..", "LITERAL"], ["x", "=", "a", "<", "b", "and", "c", "~=", "d"],
                ["x", "=", "-", "-", "a", "//", "b", ">>", "2", "<<", "1", "~", "#", "c"], ["f", "LITERAL", ";"],
                ["x", "=", "function", "(", "...", ")", "return", "...", "end"], ["x", "=", "LITERAL"],
                ["do", "local", "y", "<", "const", ">", "=", "LITERAL", "end"], ["a", ":", "b", "LITERAL"],
                ["if", "a", "==", "LITERAL", "then", "f", "LITERAL", "else", "goto", "L0", "end"],
            ]
            var text = ""
            for _ in 0...next(3) {
                for word in words[next(words.count)] + [";"] {
                    text += blank() + (word == "LITERAL" ? literal() : word)
                }
            }
            text = "do ::L0:: end " + text.replacing("goto L0", with: "")
            // Occasionally, a character is missing or there is an extra one.
            if next(8) == 0 {
                var scalars = Array(text.unicodeScalars)
                let place = next(scalars.count)
                if next(2) == 0 {
                    scalars.remove(at: place)
                } else {
                    scalars.insert(scalars[next(scalars.count)], at: place)
                }
                text = String(String.UnicodeScalarView(scalars))
            }
            return text
        }
    }

    /// The bytecode that the system's parser generates, with its lines; `nil` if it rejects the text.
    private static func bytecode(_ text: [UInt8], in state: OpaquePointer) -> [UInt8]? {
        lua_settop(state, 0)
        let status = text.withUnsafeBytes {
            luaL_loadbufferx(state, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, "=chunk", "t")
        }
        guard status == LUA_OK else { return nil }
        var bytes: [UInt8] = []
        withUnsafeMutablePointer(to: &bytes) { place in
            _ = lua_dump(
                state,
                { _, piece, count, context in
                    guard let piece, let context else { return 0 }
                    context.assumingMemoryBound(to: [UInt8].self).pointee
                        .append(contentsOf: UnsafeRawBufferPointer(start: piece, count: count))
                    return 0
                }, place, 0)
        }
        return bytes
    }

    /// The tokens again, each at the line where Lua read it, preceded by one space, with strings as plain escapes.
    static func rewritten(_ text: [UInt8]) -> [UInt8] {
        var tokenizer = LuaTokenizer(text)
        var result: [UInt8] = []
        var line = 1
        while true {
            let token = tokenizer.next()
            if token.kind == .endOfFile { return result }
            result.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: token.endLine - line))
            line = token.endLine
            result.append(UInt8(ascii: " "))
            if case .string(let value) = token.kind {
                let escapes = value.map { "\\" + String(repeating: "0", count: 3 - "\($0)".count) + "\($0)" }
                result += Array("\"\(escapes.joined())\"".utf8)
            } else {
                result += text[token.range]
            }
        }
    }

    @Test(arguments: [UInt64(20_261_121), UInt64.random(in: 0 ... .max)])
    func acceptedTextIsTokenizedLikeLua(_ seed: UInt64) throws {
        print("tokenizer seed: \(seed)")
        let state = try #require(luaL_newstate())
        defer { lua_close(state) }
        var generator = Generator(state: seed)
        var accepted = 0
        for _ in 0..<20_000 {
            let text = Array(generator.chunk().utf8)
            guard let expected = Self.bytecode(text, in: state) else { continue }
            accepted += 1
            guard Self.bytecode(Self.rewritten(text), in: state) == expected else {
                Issue.record("seed \(seed): \(String(decoding: text, as: UTF8.self).debugDescription)")
                return
            }
        }
        #expect(accepted > 5000, "the generator creates too little valid Lua")
    }

    /// The tokenizer marks exactly those literals as invalid that the parser rejects.
    @Test(arguments: [UInt64(7), UInt64.random(in: 0 ... .max)])
    func literalsAreValidIfLuaAcceptsThem(_ seed: UInt64) throws {
        print("literal seed: \(seed)")
        let state = try #require(luaL_newstate())
        defer { lua_close(state) }
        var generator = Generator(state: seed)
        for _ in 0..<20_000 {
            let text = Array(("return " + generator.literal() + " ").utf8)
            var tokenizer = LuaTokenizer(text)
            _ = tokenizer.next()
            let isValid = tokenizer.next().kind != .invalid && tokenizer.next().kind == .endOfFile
            let isAccepted = Self.bytecode(text, in: state) != nil
            // Two consecutive literals may be valid Lua, such as a numeral before a concatenation.
            if isValid != isAccepted, tokenizer.next().kind == .endOfFile {
                Issue.record("seed \(seed): \(String(decoding: text, as: UTF8.self).debugDescription)")
                return
            }
        }
    }
}
