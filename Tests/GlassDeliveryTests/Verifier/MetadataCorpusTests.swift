import Foundation
import GlassDelivery
import Testing

/// The inputs that `scripts/fuzz metadata` begins with, among them each that was once a finding.
@Suite(.timeLimit(.minutes(1))) struct MetadataCorpusTests {
    @Test func eachFileOfTheCorpusIsVerifiedOrTold() throws {
        let folder = Vector.folder.appending(path: "../../../Fuzz/corpus/metadata").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.count >= 8)
        for name in names {
            let input = Array(try Data(contentsOf: folder.appending(path: name)))
            FuzzedMetadata.check(Array(input.dropFirst()), kind: input.first ?? 0)
        }
    }
}
