import CommandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct FixCommandTests {
    private let folder: TestFolder
    private let market: URL

    private static let source = """
        -- The market.
        return {
          id = "qq", name = "Q", extends = "us",
          currency = "usd"  -- money
          platform = { networking = { retry = { maxRetires = 3 } } },
        }

        """
    private static let fixed = """
        -- The market.
        return {
          id = "qq", name = "Q", extends = "us",
          currency = "USD",  -- money
          platform = { networking = { retry = { maxRetries = 3 } } },
        }

        """

    init() throws {
        folder = try TestFolder()
        market = try folder.smallMarkets().appending(path: "qq.lua")
        try Data(Self.source.utf8).write(to: market)
    }

    private func host(_ arguments: [String]) throws -> HostRun { try HostRun(arguments, folder: folder.url) }

    private var text: String { get throws { try String(contentsOf: market, encoding: .utf8) } }

    @Test func fixedMarketPassesCheck() throws {
        #expect(try host(["check", "qq"]).status == 1)
        let run = try host(["fix"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == """
                markets/qq.lua:4:14: fixed: write "USD"
                markets/qq.lua:4:19: fixed: add a comma before platform
                markets/qq.lua:5:41: fixed: write maxRetries
                1 file fixed in 3 places; to see what is left, run glass-host check

                """)
        #expect(try text == Self.fixed)
        #expect(try host(["check", "qq"]).status == 0)
        let again = try host(["fix", "qq"])
        #expect(again.output == "0 files fixed in 0 places; to see what is left, run glass-host check\n")
    }

    @Test func diffWritesNothing() throws {
        let run = try host(["fix", "qq", "--diff"])
        #expect(run.status == 0)
        #expect(
            run.output
                == """
                --- markets/qq.lua
                +++ markets/qq.lua
                @@ -1,7 +1,7 @@
                 -- The market.
                 return {
                   id = "qq", name = "Q", extends = "us",
                -  currency = "usd"  -- money
                -  platform = { networking = { retry = { maxRetires = 3 } } },
                +  currency = "USD",  -- money
                +  platform = { networking = { retry = { maxRetries = 3 } } },
                 }

                """.replacing("@@ -1,7 +1,7 @@", with: "@@ -1,6 +1,6 @@"))
        #expect(try text == Self.source)
        #expect(try host(["fix", "qq", "--diff", "--check"]).status == 1)
        let json = try host(["fix", "qq", "--diff", "--format", "json"]).json()
        let file = try #require((json["files"] as? [[String: Any]])?.first)
        #expect(file["diff"] as? String == run.output)
        #expect(json["written"] as? Bool == false)
    }

    @Test(arguments: [
        "\u{FEFF}-- \u{A0}Z\u{200B}\nreturn {\n  id = \"qq\", nmae = \"Z\", extends = \"us\",\n}\n",
        "return {\r\n  id = \"qq\",\r\n  nmae = \"Z\", extends = \"us\",\r\n  -- end\r\n}\r\n",
        "-- \u{1B}[31m\u{7}\u{202E}\treturn\u{C}\nreturn { id = \"qq\", nmae = \"Z\", extends = \"us\" }",
        "-- a\r-- b\nreturn { id = \"qq\", nmae = \"Z\", extends = \"us\" }\n-- last",
        "return { id = \"qq\", nmae = \"Z\", extends = \"us\" }",
    ])
    func gitAndPatchApplyDiff(source: String) throws {
        let bytes = Data(source.utf8)
        try bytes.write(to: market)
        let run = try HostProcess(["fix", "qq", "--diff"], folder: folder.url)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try host(["fix", "qq", "-q"]).status == 0)
        let fixed = try Data(contentsOf: market)
        #expect(fixed != bytes)
        let patch = folder.url.appending(path: "p.diff")
        try Data(run.output.utf8).write(to: patch)
        for tool in [["git", "apply", "-p0", "p.diff"], ["patch", "--binary", "-s", "-p0", "-i", "p.diff"]] {
            try bytes.write(to: market)
            let applied = try CommandProcess(
                URL(filePath: "/usr/bin/env"), tool, environment: ["PATH": "/usr/bin:/bin"], folder: folder.url)
            #expect(applied.status == 0, "\(tool): \(applied.errors)\(applied.output)")
            #expect(try Data(contentsOf: market) == fixed, "\(tool)")
        }
    }

    @Test func pathsInDiffAreRelativeToMarketsParent() throws {
        let docs = folder.url.appending(path: "docs")
        try FileManager.default.createDirectory(at: docs, withIntermediateDirectories: true)
        let here = try host(["fix", "qq", "--diff"])
        #expect(here.errors == "")
        let run = try HostRun(["fix", "qq", "--diff"], folder: docs)
        #expect(run.output == here.output)
        let place = URL(
            filePath: run.errors.trimmingCharacters(in: .newlines).replacing("apply the diff in ", with: ""))
        #expect(place.resolvingSymlinksInPath().path == folder.url.resolvingSymlinksInPath().path, "\(run.errors)")
        let json = try HostRun(["fix", "qq", "--diff", "--format", "json"], folder: docs).json()
        #expect((json["files"] as? [[String: Any]])?.first?["diff"] as? String == here.output)
    }

    @Test func coloredDiffEscapesInvisibleCharacters() throws {
        let source = "-- \u{1B}[31m\u{202E}\nreturn { id = \"qq\", nmae = \"Z\", extends = \"us\" }\n"
        try Data(source.utf8).write(to: market)
        let run = try host(["fix", "qq", "--diff", "--color", "always"])
        #expect(run.output.contains("\\u{202e}"))
        #expect(!run.output.contains("\u{202E}"))
    }

    @Test func fixThatCausesErrorIsSkippedWithReason() throws {
        // Two fixes at once: one valid fix does not make the other one valid.
        let source = """
            return { id = "qq", name = "Q", extends = "us", currency = "usd",
              platform = { networking = { retry = { jitter = "7" } } } }
            """
        try Data(source.utf8).write(to: market)
        let run = try host(["fix", "qq"])
        #expect(run.status == 1)
        #expect(
            run.output.hasPrefix(
                """
                markets/qq.lua:1:60: fixed: write "USD"
                markets/qq.lua:2:50: skipped: remove the quotes: 7: it would cause an error: markets/qq.lua:2:50: \
                error: platform.networking.retry.jitter:
                """), "\(run.output)")
        #expect(try text == source.replacing("usd", with: "USD"))
    }

    @Test func checkExitsWith1IfFixesRemain() throws {
        let run = try host(["fix", "--check"])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("markets/qq.lua:4:14: would fix: write \"USD\"\n"))
        #expect(run.output.hasSuffix("3 places to fix in 1 file\n"))
        #expect(try text == Self.source)
        let clean = try host(["fix", "us", "--check"])
        #expect(clean.status == 0)
        #expect(clean.output == "nothing to fix\n")
    }

    @Test func remainingFindingsAreReported() throws {
        try Data(Self.source.replacing("\"usd\" ", with: "\"money\",").utf8).write(to: market)
        let run = try host(["fix", "qq"])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("markets/qq.lua:5:41: fixed: write maxRetries\n"))
        #expect(run.output.contains("markets/qq.lua:4:14: error: currency: expected a currency code"))
        #expect(run.output.hasSuffix("1 file fixed in 1 place; to see what is left, run glass-host check\n"))
        let json = try host(["fix", "qq", "--format", "json"]).json()
        #expect((json["files"] as? [Any])?.isEmpty == true)
        #expect((json["findings"] as? [[String: Any]])?.contains { $0["code"] as? String == "invalidFormat" } == true)
    }

    @Test func checkAndFixHaveSameEdits() throws {
        let findings = try #require(
            try host(["check", "qq", "--format", "json"]).json()["findings"] as? [[String: Any]])
        let finding = try #require(findings.first { $0["code"] as? String == "syntax" })
        let fix = try #require(finding["fix"] as? [String: Any])
        #expect(fix["title"] as? String == "add a comma before platform")
        #expect(fix["sure"] as? Bool == true)
        let edit = try #require((fix["edits"] as? [[String: Any]])?.first)
        #expect(edit["text"] as? String == ",")
        #expect(edit["start"] as? [String: Int] == ["line": 4, "column": 19])
        #expect(edit["end"] as? [String: Int] == ["line": 4, "column": 19])
        #expect(finding["end"] as? [String: Int] == ["line": 4, "column": 19])
    }

    @Test func symbolicLinkIsSkippedAndOtherFilesAreFixed() throws {
        let other = folder.url.appending(path: "markets/rr.lua")
        try Data(Self.source.replacing("qq", with: "rr").utf8).write(to: folder.url.appending(path: "markets/real"))
        try FileManager.default.createSymbolicLink(atPath: other.path, withDestinationPath: "real")
        let run = try host(["fix"])
        #expect(run.status == 2)
        #expect(run.errors == "cannot write markets/rr.lua: it is a symbolic link: fix its target instead\n")
        #expect(try text == Self.fixed)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: other.path) == "real")
    }

    @Test(arguments: [
        (["nowhere"], 2, "there is no market \"nowhere\" in markets; the markets are qq, us\n"),
        (["--markets", "empty"], 2, "cannot read the markets folder empty"),
        (["a.json"], 64, "Error: \"a.json\" is a compiled file: fix its Lua source instead\n"),
    ])
    func unfixableArgumentIsReported(arguments: [String], status: Int32, message: String) throws {
        let run = try host(["fix"] + arguments)
        #expect(run.status == status)
        #expect(run.errors.hasPrefix(message), "\(run.errors)")
        #expect(run.output == "")
    }
}
