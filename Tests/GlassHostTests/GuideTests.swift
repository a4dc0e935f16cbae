import Foundation
import Testing

/// Runs every command of the guides and compares what it prints.
@Suite(.timeLimit(.minutes(5)))
struct GuideTests {
    @Test(arguments: [
        ("AddingAKey", 3), ("AddingAMarket", 14), ("AddingARoutable", 6), ("ContinuousIntegration", 14),
        ("FirstMarket", 9), ("MigratingFromSwift", 5),
    ])
    func everyCommandOfAGuidePrintsWhatItShows(guide: String, commands: Int) throws {
        let page = try DocumentedCommands("Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/\(guide).md")
        #expect(try page.run() == commands)
    }

    @Test func everySwiftExampleIsOneThatATestRuns() throws {
        let folder = HostProcess.repository.appending(path: "Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides")
        let test = try String(
            contentsOf: HostProcess.repository.appending(path: "Tests/GlassMarketFilesTests/GuideExampleTests.swift"),
            encoding: .utf8)
        let lines = Set(test.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".md") {
            let page = try DocumentedCommands("Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/\(name)")
            let examples = page.blocks(of: "swift").filter { !$0.hasPrefix("// Package.swift") }
            for line in examples.flatMap({ $0.split(separator: "\n") }) {
                let code = line.trimmingCharacters(in: .whitespaces)
                #expect(code.hasPrefix("//") || lines.contains(code), "\(name): \(code)")
            }
        }
    }

    @Test func aPackageThatAGuideShowsNamesRealProducts() throws {
        let page = try DocumentedCommands("Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/Embedding.md")
        let package = try String(
            contentsOf: HostProcess.repository.appending(path: "Package.swift"), encoding: .utf8)
        let block = try #require(page.blocks(of: "swift").first { $0.hasPrefix("// Package.swift") })
        let products = block.matches(of: /\.product\(name: "([A-Za-z]+)"/).map(\.1)
        #expect(products == ["GlassMarketFiles", "GlassMarkets", "GlassPlatform", "GlassPlatformMocks"])
        for product in products { #expect(package.contains(".library(name: \"\(product)\"")) }
    }

    @Test func theWorkflowRunsCommandsThatTheGuideShows() throws {
        let page = try DocumentedCommands(
            "Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/ContinuousIntegration.md")
        let shown = page.blocks(of: "console").joined(separator: "\n").split(separator: "\n")
        let workflow = try #require(page.blocks(of: "yaml").first)
        let steps = workflow.components(separatedBy: "\n").compactMap { line -> String? in
            line.firstRange(of: "- run: ").map { String(line[$0.upperBound...]) }
        }
        #expect(steps.count == 5)
        for step in steps {
            let command = step.components(separatedBy: " >> ")[0]
            #expect(shown.contains { $0.hasPrefix("$ \(command)") }, "\(command)")
        }
    }

    @Test func theComparisonCanFail() {
        #expect(DocumentedCommands.matches("a 12 ms\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a 12 s\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a\nb\n", "a\n"))
    }
}
