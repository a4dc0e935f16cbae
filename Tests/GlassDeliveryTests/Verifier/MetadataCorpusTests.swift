import Foundation
@testable import GlassDelivery
import Testing

/// The inputs that `scripts/fuzz metadata` starts with, including each one that once caused a failure.
@Suite(.timeLimit(.minutes(1))) struct MetadataCorpusTests {
    @Test func corpusFileIsVerifiedOrRejected() throws {
        let folder = Vector.folder.appending(path: "../../../Fuzz/corpus/metadata").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.count >= 8)
        for name in names {
            let input = Array(try Data(contentsOf: folder.appending(path: name)))
            FuzzedMetadata.check(Array(input.dropFirst()), kind: input.first ?? 0)
        }
    }
}
