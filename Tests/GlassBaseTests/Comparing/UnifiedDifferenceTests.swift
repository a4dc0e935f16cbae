@testable import GlassBase
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UnifiedDifferenceTests {
    private static func text(_ old: String, _ new: String) -> String {
        UnifiedDifference.lines(from: Array(old.utf8), to: Array(new.utf8)).map(\.text).joined(separator: "\n")
    }

    @Test(arguments: [
        ("", "", ""), ("a\n", "a\n", ""), ("a\n", "b\n", "@@ -1 +1 @@\n-a\n+b"),
        ("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b"), ("a\n", "", "@@ -1 +0,0 @@\n-a"),
        (
            "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a"
        ),
        (
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8"
        ),
        // Changes that are six lines apart share a hunk; seven lines apart, they don't.
        (
            "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
            "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B"
        ),
        (
            "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
            "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B"
        ),
    ])
    func differenceHasUnifiedFormat(old: String, new: String, lines: String) {
        #expect(Self.text(old, new) == lines)
    }

    @Test(arguments: [
        ("markets/xx.lua", "markets/xx.lua"), ("my markets/xx.lua", "my markets/xx.lua\t"),
        ("a\"b\\c\nd.lua", "\"a\\\"b\\\\c\\012d.lua\""), ("märkte/xx.lua", "märkte/xx.lua"),
        ("m\u{7F}ä.lua", "\"m\\177\\303\\244.lua\""),
    ])
    func patchNamesFileLikeGit(file: String, name: String) {
        let patch = UnifiedDifference.patch(of: file, from: Array("a\r\n".utf8), to: [0xFF, 0x0A])
        #expect(
            patch == Array("--- \(name)\n+++ \(name)\n@@ -1 +1 @@\n-a\r\n+".utf8) + [0xFF, 0x0A])
    }

    /// Applies the lines to the old text and returns the new one.
    private static func patched(_ old: String, _ lines: [UnifiedDifference.Line]) throws -> String {
        var rest = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        let count = rest.count
        var new: [String] = []
        for line in lines {
            switch line {
            case .note(let text):
                guard let start = try /@@ -(\d+)(,(\d+))? .*/.wholeMatch(in: text) else { continue }
                let number = try #require(Int(start.1))
                let before = start.3 == "0" ? number : number - 1
                while count - rest.count < before { new.append(rest.removeFirst()) }
            case .same(let text):
                #expect(Array(rest.removeFirst().utf8) == text)
                new.append(String(decoding: text, as: UTF8.self))
            case .removed(let text): #expect(Array(rest.removeFirst().utf8) == text)
            case .added(let text): new.append(String(decoding: text, as: UTF8.self))
            }
        }
        return (new + rest).joined(separator: "\n")
    }

    @Test func patchesTurnAnyTextIntoAnother() throws {
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: .min ... .max, using: &random)
        var state = seed
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        for _ in 0..<500 {
            let old = (0..<next(40)).map { _ in "\(next(5))\n" }.joined()
            let new = (0..<next(40)).map { _ in "\(next(5))\n" }.joined()
            let lines = UnifiedDifference.lines(from: Array(old.utf8), to: Array(new.utf8))
            #expect(try Self.patched(old, lines) == new, "seed \(seed)")
        }
    }
}
