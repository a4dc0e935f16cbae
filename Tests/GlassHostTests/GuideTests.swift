import Testing

/// Runs every command of the guides and compares what it prints.
@Suite(.timeLimit(.minutes(5)))
struct GuideTests {
    @Test(arguments: [
        ("FirstMarket", 9)
    ])
    func everyCommandOfAGuidePrintsWhatItShows(guide: String, commands: Int) throws {
        let page = try DocumentedCommands("Sources/GlassMarkets/GlassMarkets.docc/Guides/\(guide).md")
        #expect(try page.run() == commands)
    }

    @Test func theComparisonCanFail() {
        #expect(DocumentedCommands.matches("a 12 ms\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a 12 s\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a\nb\n", "a\n"))
    }
}
