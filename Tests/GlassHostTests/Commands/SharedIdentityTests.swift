import CommandTesting
import Foundation
import Testing

/// What only one market of a folder can have, such as a bundle identifier.
@Suite(.timeLimit(.minutes(3)))
struct SharedIdentityTests {
    private static let shared = """
        return { id = "xx", name = "X", extends = "us",
          deepLinking = { schemes = { "walmart.xx", "walmart.ca" }, universalLinks = {} },
          platform = { appInfo = { bundleIdentifier = "com.Walmart.Mexico", android = { package = "com.walmart.xx" } } } }
        """

    @Test func whatTwoMarketsHaveIsAWarningAndWithStrictAnError() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try Data(Self.shared.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                """
                \(markets.path)/xx.lua:2:45: warning: deepLinking.schemes[2]: xx has the scheme "walmart.ca" of ca (\(markets.path)/ca.lua:12:17)
                    2 |   deepLinking = { schemes = { "walmart.xx", "walmart.ca" }, universalLinks = {} },
                      |                                             ^
                  hint: give xx one of its own
                """), "\(run.output)")
        #expect(
            run.output.contains("xx has the bundle identifier \"com.Walmart.Mexico\" of mx (\(markets.path)/mx.lua:"))
        let strict = try HostRun(["check", "--strict", "--markets", markets.path, "--format", "json"])
        #expect(strict.status == 1)
        let findings = try #require(try strict.json()["findings"] as? [[String: Any]])
        #expect(
            findings.filter { $0["severity"] as? String == "error" }.compactMap { $0["code"] as? String }
                == ["sharedIdentity", "sharedIdentity"])
        // One market has nothing to share.
        #expect(try HostRun(["check", "xx", "--strict", "--markets", markets.path]).status == 0)
    }

    @Test func whatIsInheritedIsToldWhereTheMarketExtends() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let source =
            "return { id = \"xx\", name = \"X\",\n  extends = \"ca\", deepLinking = { schemes = { \"walmart.xx\" } } }"
        try Data(source.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["check", "--markets", markets.path])
        for name in ["bundle identifier \"com.walmart.canada\"", "Android package", "universal link host"] {
            #expect(run.output.contains(":2:13: warning: "), "\(run.output)")
            #expect(run.output.contains("xx inherits the \(name)"), "\(run.output)")
        }
    }

    @Test func exportOfAllMarketsDoesNotMergeTwo() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        #expect(try HostRun(["export", "links-md", "--all", "--markets", markets.path]).status == 0)
        try Data(Self.shared.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["export", "links-md", "--all", "--markets", markets.path])
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(
            run.errors.contains("xx.lua:2:45: error: deepLinking.schemes[2]: xx has the scheme \"walmart.ca\" of ca"))
    }
}
