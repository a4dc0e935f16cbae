import Testing

@testable import GlassBase

struct TextExcerptsTests {
    private static let long = String(repeating: "x", count: 100)

    @Test(
        arguments: [
            (["short", "other"], nil), ([long, long], nil), ([], nil),
            ([long + "a", long + "b"], ["…\(long.prefix(20))a", "…\(long.prefix(20))b"]),
            ([long, "y"], ["\(long.prefix(59))…", "y"]),
            ([long + "a", long], ["…\(long.prefix(20))a", "…\(long.prefix(20))"]),
            (
                [long + "a" + long, long + "b", long + "c"],
                ["…\(long.prefix(20))a\(long.prefix(37))…", "…\(long.prefix(20))b", "…\(long.prefix(20))c"]
            ),
        ] as [([String], [String]?)])
    func textsAreCutAroundFirstDifference(texts: [String], excerpts: [String]?) {
        let cut = TextExcerpts(texts)
        #expect(cut?.texts == excerpts)
        #expect(cut?.texts.allSatisfy { $0.unicodeScalars.count <= 60 } ?? true)
    }

    @Test func positionCountsUnicodeScalars() {
        #expect(TextExcerpts(["é" + Self.long + "a", "é" + Self.long + "b"])?.position == 102)
    }
}
