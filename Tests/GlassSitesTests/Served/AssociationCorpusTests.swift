import Foundation
import GlassBase
import Testing

@testable import GlassSites

/// The inputs that `scripts/fuzz association` starts with: each is handled within a budget, with findings of limited
/// length.
@Suite struct AssociationCorpusTests {
    @Test func corpusFileIsHandledWithinBudget() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/corpus/association").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        try #require(!names.isEmpty)
        let files = try SiteFiles.make("cart", "ip/:id(int)", "search?q", "help/*topic")
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            for kind in ServedFile.Kind.allCases {
                let file = ServedFile(host: "example.com", kind: kind, place: "x", content: .bytes(bytes))
                let findings = files.verify([file], budget: WorkBudget())
                #expect(findings.reduce(0) { $0 + $1.headline.plain.utf8.count } < 64 << 10, "\(name)")
            }
        }
    }
}
