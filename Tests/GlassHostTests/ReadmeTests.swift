import Foundation
import Testing

/// Runs what the README shows and compares what it prints.
@Suite(.timeLimit(.minutes(2)))
struct ReadmeTests {
    private let blocks: [(language: String, text: String)]

    init() throws {
        let readme = try String(contentsOf: HostProcess.repository.appending(path: "README.md"), encoding: .utf8)
        let parts = readme.components(separatedBy: "```")
        blocks = stride(from: 1, to: parts.count, by: 2).map { index in
            let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
        }
    }

    @Test func everyCommandPrintsWhatTheReadmeShows() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "scripts"), withIntermediateDirectories: true)
        for block in blocks where block.language == "lua" {
            let name = try #require(block.text.split(separator: "\n").first?.dropFirst(3))
            _ = try folder.write(block.text, to: String(name))
        }
        var commands = 0
        for block in blocks where block.language == "console" {
            for shown in block.text.components(separatedBy: "$ scripts/glass-host ").dropFirst() {
                let lines = shown.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                let run = try HostProcess(
                    lines[0].split(separator: " ").map(String.init), folder: folder.url)
                #expect(run.output + run.errors == String(lines[1]), "glass-host \(lines[0])")
                commands += 1
            }
        }
        #expect(commands == 5)
    }

    @Test func theSwiftExampleIsTheOneThatATestRuns() throws {
        let example = try #require(blocks.first { $0.language == "swift" }).text
        let test = try String(
            contentsOf: HostProcess.repository.appending(path: "Tests/GlassMarketsTests/ReadmeExampleTests.swift"),
            encoding: .utf8)
        let lines = test.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in example.split(separator: "\n") {
            #expect(
                lines.contains {
                    $0 == line || "let markets = MarketLoader(folder: MarketFolder(path: \"markets\"))" == line
                }, "\(line)")
        }
    }
}
