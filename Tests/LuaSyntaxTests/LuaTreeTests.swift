import Foundation
import GlassBase
import LuaSyntax
import TestSupport
import Testing

/// The tree is the text, and has errors if and only if the system's parser rejects the text.
@Suite(.timeLimit(.minutes(10)))
struct LuaTreeTests {
    @Test func filesAreReadAsLuaReadsThem() {
        let parser = SystemParser()
        #expect(Corpus.files.count > 100)
        for (path, text) in Corpus.files {
            let defect = LuaTree(text).defect(comparedWith: parser)
            #expect(defect == nil, "\(path)")
        }
    }

    @Test(arguments: [UInt64(20_261_126), UInt64.random(in: 0 ... .max)])
    func changedFilesAreReadAsLuaReadsThem(seed: UInt64) throws {
        print("mutation seed: \(seed)")
        let parser = SystemParser()
        var random = SplitMix64(state: seed)
        var rejected = 0
        let count = rounds(all: 50_000, few: 1_500)
        for round in 0..<count {
            let file = try #require(Corpus.files.randomElement(using: &random))
            let tree = LuaTree(Corpus.mutate(file.text, &random))
            rejected += tree.errors.isEmpty ? 0 : 1
            if let defect = tree.defect(comparedWith: parser) {
                Issue.record("seed \(seed), round \(round), \(file.path): \(defect)")
            }
        }
        #expect(rejected > count / 2)
    }

    @Test(arguments: [UInt64(7), UInt64.random(in: 0 ... .max)])
    func randomTextsAreReadAsLuaReadsThem(seed: UInt64) {
        print("random text seed: \(seed)")
        let parser = SystemParser()
        var random = SplitMix64(state: seed)
        for round in 0..<rounds(all: 2_000, few: 200) {
            let separator = round.isMultiple(of: 2) ? " " : ""
            let words = (0..<300).compactMap { _ in Corpus.pieces.randomElement(using: &random) }
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
            for text in [Array(words.joined(separator: separator).utf8), bytes] {
                if let defect = LuaTree(text).defect(comparedWith: parser) {
                    Issue.record("seed \(seed), round \(round): \(defect)")
                }
            }
        }
    }

    /// A tree that took quadratic time would not be finished within the limit.
    @Test(arguments: [
        "{", "}", "(", ")", "[", "]", "function ", "end ", "return ", "if ", "then ", "do ", "repeat ", "until ",
        "for ",
        "{a=", "return{a={", "\n}", "\n{", "    {\n", "f(", "a[", "f{", "({", "- ", "not ", "x()", "{},", "a,", "a=",
        "a:",
        "function f(", "repeat until ", "a:b", "a.", "::a::", "--[[", "--[==[]]", "\n--x", "'", "\"", "\r", "\n", "é",
        "\0",
        "\n end", "[a]=1,", "=>", "f'x'", "a..", "1^", "a ", "local ", "local x<const>", "[[", ";", ",", ":", "“a",
        "elseif ", "goto ", "...", "/*", "#a b\n",
    ])
    func hostileTextTakesLinearTime(unit: String) {
        let size = rounds(all: 1 << 18, few: 1 << 13)
        for start in ["", "return {", "function f() "] {
            let tree = LuaTree(Array((start + String(repeating: unit, count: size / unit.utf8.count)).utf8))
            #expect(tree.defect == nil)
            #expect(tree.errors.count <= 512)
        }
    }

    @Test(arguments: [
        ("    {\n", "}\n"), ("{", ")"), ("(", "}"), ("{\n", " end"), ("function ", "}"), ("{a=\n", "\nend"),
        ("{\n ", "\na=1"),
    ])
    func hostilePairTakesLinearTime(opener: String, closer: String) {
        let count = rounds(all: 20_000, few: 1_000)
        let text = String(repeating: opener, count: count) + String(repeating: closer, count: 2 * count)
        #expect(LuaTree(Array(text.utf8)).defect == nil)
    }

    /// The stack of a thread of the language server, in an unoptimized build.
    @Test(arguments: [
        "{", "{a=", "{{},", "(", "f(", "a[", "f{", "{[", "function() return ", "f(function() ", "do ", "if a then ",
        "while a do ", "repeat ", "for i = 1, 2 do ", "local function f() ", "if a then else ", "({[f(",
    ])
    func deepTextFitsSmallStack(unit: String) async {
        #if SANITIZED
            let stackSize = 4 << 20  // a sanitizer makes every frame several times as large
        #else
            let stackSize = 512 << 10
        #endif
        let isWhole = await onThread(stackSize: stackSize) {
            ["", "return "].allSatisfy {
                LuaTree(Array(($0 + String(repeating: unit, count: 20_000)).utf8)).defect == nil
            }
        }
        #expect(isWhole)
    }

    @Test func depthThatLuaAcceptsHasNoError() {
        let parser = SystemParser()
        for (open, close) in [("{", "}"), ("(", ")"), ("f(", ")"), ("function() return ", " end")] {
            let value = open == "{" ? "" : "1"
            for depth in 150...220 {
                let text =
                    "return " + String(repeating: open, count: depth) + value + String(repeating: close, count: depth)
                let isAccepted = parser.rejection(of: Array(text.utf8)) == nil
                if isAccepted { #expect(LuaTree(Array(text.utf8)).errors.isEmpty, "\(depth) levels of \(open)") }
            }
        }
    }

    @Test func textAboveMaximumHasNoTokens() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: LuaTree.maximumBytes + 1)
        let tree = LuaTree(text)
        #expect(tree.tokens.count == 1)
        #expect(tree.gap(before: 0) == 0..<text.count)
        #expect(LuaTree(Array(text.dropLast())).tokens.count == 2)
    }

    @Test func readingIsChargedToBudget() throws {
        let budget = WorkBudget(work: [.positions: 10])
        _ = try LuaTree([UInt8](repeating: 0x20, count: 64), budget: budget, phase: .positions)
        #expect(budget.steps(of: .positions) == 5)
        #expect(throws: WorkBudget.Exceeded.self) {
            try LuaTree([UInt8](repeating: 0x20, count: 160), budget: budget, phase: .positions)
        }
    }
}

private func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = stackSize
        thread.start()
    }
}
