import Foundation
import Testing

/// Runs every command of the guides and compares what it prints.
@Suite(.timeLimit(.minutes(5)))
struct GuideTests {
    @Test(arguments: [
        ("AddingAKey", 3), ("AddingARoutable", 6), ("FirstMarket", 9), ("MigratingFromSwift", 5),
    ])
    func everyCommandOfAGuidePrintsWhatItShows(guide: String, commands: Int) throws {
        let page = try DocumentedCommands("Sources/GlassMarkets/GlassMarkets.docc/Guides/\(guide).md")
        #expect(try page.run() == commands)
    }

    @Test func everySwiftExampleIsOneThatATestRuns() throws {
        let folder = HostProcess.repository.appending(path: "Sources/GlassMarkets/GlassMarkets.docc/Guides")
        let test = try String(
            contentsOf: HostProcess.repository.appending(path: "Tests/GlassMarketsTests/GuideExampleTests.swift"),
            encoding: .utf8)
        let lines = Set(test.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".md") {
            let page = try DocumentedCommands("Sources/GlassMarkets/GlassMarkets.docc/Guides/\(name)")
            for line in page.blocks(of: "swift").flatMap({ $0.split(separator: "\n") }) {
                let code = line.trimmingCharacters(in: .whitespaces)
                #expect(code.hasPrefix("//") || lines.contains(code), "\(name): \(code)")
            }
        }
    }

    @Test func theComparisonCanFail() {
        #expect(DocumentedCommands.matches("a 12 ms\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a 12 s\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a\nb\n", "a\n"))
    }
}
