import Foundation
import Testing

struct SectionTests {
    /// A folder without a target is never compiled, and its claims would be lost silently.
    @Test func everySeedHasSectionsAndEverySectionHasTarget() throws {
        let snippets = URL(filePath: #filePath).appending(path: "../..").standardizedFileURL
        func names(in folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: snippets.appending(path: folder).path)
                .filter { $0.hasPrefix("Seed") }
        }
        let sections = try names(in: "Sections")
        // `run` compiles each folder of programs.
        let programs = try names(in: "Programs")
        let counts = ["Seed000", "Seed001", "Seed002", "Seed003", "Seed004"].map { seed in
            (sections + programs).count { $0.hasPrefix(seed) }
        }
        #expect(counts == [2, 4, 3, 9, 15])
        #expect(programs.count == 2)
        let manifest = try String(contentsOf: snippets.appending(path: "../../Package.swift"), encoding: .utf8)
        for section in sections { #expect(manifest.contains("(\"\(section)\", ["), "\(section)") }
    }
}
