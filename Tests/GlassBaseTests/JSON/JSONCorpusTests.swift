import Foundation
@testable import GlassBase
import Testing

/// The inputs that `scripts/fuzz json` starts with, including each one that once caused a failure.
@Suite(.timeLimit(.minutes(1))) struct JSONCorpusTests {
    @Test func corpusTextRoundTripsOrIsRejected() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/corpus/json").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.count >= 8)
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            do throws(StrictJSONError) {
                let json = try StrictJSON(reading: bytes, limit: 1 << 16, numbers: .all)
                #expect(try StrictJSON(reading: json.text(), limit: 1 << 20, numbers: .all) == json, "\(name)")
            } catch {
                #expect(error.offset <= bytes.count, "\(name)")
            }
        }
    }
}
