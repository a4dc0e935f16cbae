import CommandTesting
import Foundation
import GlassPlatform
import Testing

/// Runs the commands in the README and compares their output.
@Suite(.timeLimit(.minutes(2)))
struct ReadmeTests {
    private let readme: DocumentedCommands

    init() throws {
        readme = try DocumentedCommands("README.md")
    }

    @Test func everyCommandPrintsReadmeOutput() throws {
        #expect(try readme.run() == 4)
    }

    @Test func swiftExampleIsRunByATest() throws {
        let example = try #require(readme.blocks(of: "swift").first)
        let test = try String(
            contentsOf: CommandRun.repository.appending(path: "Tests/GlassMarketFilesTests/ReadmeExampleTests.swift"),
            encoding: .utf8)
        let lines = test.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in example.split(separator: "\n") where !line.hasPrefix("import ") {
            // The test has its own folder.
            let loader = "let markets = MarketLoader(.platform, folder: MarketFolder(path: \"markets\"))"
            #expect(lines.contains { $0 == line } || line == loader, "\(line)")
        }
    }
}
