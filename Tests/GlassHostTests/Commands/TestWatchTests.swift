import CommandTesting
import Foundation
import TestSupport
import Testing

/// The command `test --watch`.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TestWatchTests {
    private let folder: TestFolder
    private static let script = """
        local paths = require "lib.paths"
        glass.test("account", function()
          glass.expect(glass.market("ca"):open(paths.account).routable):toBe("account")
        end)

        """

    init() throws {
        folder = try TestFolder()
        let shared = try folder.smallMarkets().appending(path: "shared")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        _ = try folder.write("return { { code = \"QC\", name = \"Québec\" } }", to: "markets/shared/ca_regions.lua")
        _ = try folder.write(
            """
            return { id = "ca", name = "Canada", extends = "us", deepLinking = { schemes = { "walmart.ca" } },
              platform = { address = { country = "CA", regions = include "shared/ca_regions.lua" } },
              routables = { account = { paths = { "myaccount" } } } }
            """, to: "markets/ca.lua")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "scripts/lib"), withIntermediateDirectories: true)
        _ = try folder.write(Self.script, to: "scripts/a_test.lua")
        _ = try folder.write("return { account = \"walmart.ca://myaccount\" }\n", to: "scripts/lib/paths.lua")
    }

    /// In the short run, polling, which waits longer for each save, watches the first ones only.
    @Test(arguments: [[], ["--poll"]])
    func everySaveRerunsTests(options: [String]) throws {
        let watch = try LiveProcess(["test", "--watch"] + options, folder: folder.url)
        #expect(watch.read(until: "1 passed, 0 failed").hasPrefix("watching scripts, markets ("))
        Self.expectTime(before: "green\n", in: watch)

        // A required module: half written, then with a failing test, then valid.
        _ = try folder.write("return { account =", to: "scripts/lib/paths.lua")
        #expect(watch.read(until: "a value is missing here").contains("scripts/lib/paths.lua changed\n"))
        Self.expectTime(before: "red\n", in: watch)
        _ = try folder.write("return { account = \"walmart.ca://none\" }", to: "scripts/lib/paths.lua")
        #expect(
            watch.read(until: "0 passed, 1 failed").contains("FAIL account\n     scripts/a_test.lua:3:65: expected "))
        Self.expectTime(before: "still red\n", in: watch)
        _ = try folder.write("return { account = \"walmart.ca://myaccount\" }", to: "scripts/lib/paths.lua")
        watch.read(until: "1 passed, 0 failed")
        Self.expectTime(before: "green again\n", in: watch)

        if !options.isEmpty, !runsAllRounds {
            #expect(watch.interrupt() == 130)
            return
        }

        // A market: with an error, then valid. A file that it includes: deleted, then restored.
        let market = folder.url.appending(path: "markets/ca.lua")
        let good = try String(contentsOf: market, encoding: .utf8)
        try Data([0xFF, 0xFE]).write(to: market)
        #expect(watch.read(until: "0 passed, 1 failed").contains("markets/ca.lua changed\n"))
        try good.write(to: market, atomically: true, encoding: .utf8)
        watch.read(until: "1 passed, 0 failed")
        let include = folder.url.appending(path: "markets/shared/ca_regions.lua")
        let aside = folder.url.appending(path: "markets/shared/ca_regions.txt")
        try FileManager.default.moveItem(at: include, to: aside)
        #expect(watch.read(until: "0 passed, 1 failed").contains("markets/shared/ca_regions.lua changed\n"))
        try FileManager.default.moveItem(at: aside, to: include)
        watch.read(until: "1 passed, 0 failed")

        // The test itself: deleted, then restored.
        try FileManager.default.removeItem(at: folder.url.appending(path: "scripts/a_test.lua"))
        watch.read(until: "there is no scripts/*_test.lua; write one, or name a script\n")
        _ = try folder.write(Self.script, to: "scripts/a_test.lua")
        watch.read(until: "1 passed, 0 failed")
        #expect(watch.interrupt() == 130)
    }

    /// Expects a line with the time and a verdict.
    private static func expectTime(before verdict: String, in watch: LiveProcess) {
        let line = watch.read(until: verdict).split(separator: "\n").last ?? ""
        #expect(line.wholeMatch(of: /.*[0-9]{2}:[0-9]{2}:[0-9]{2} [a-z ]+/) != nil, "\(line)")
        #expect(line.hasSuffix(" \(verdict.dropLast())"), "\(line)")
    }

    @Test func writingResultsDoesNotTriggerRun() throws {
        let watch = try LiveProcess(
            ["test", "--watch", "--format", "json", "--junit", "scripts/results.xml"], folder: folder.url)
        watch.read(until: "}\n")
        _ = try folder.write(Self.script + "glass.test(\"late\", function() end)\n", to: "scripts/a_test.lua")
        watch.read(until: "late")
        watch.read(until: "}\n")
        _ = try folder.write("glass.test(\"last\", function() end)\n", to: "scripts/a_test.lua")
        watch.read(until: "last")
        #expect(watch.interrupt() == 130)
        // The report is written after the output, so the last run's may not exist yet.
        let results = try String(contentsOf: folder.url.appending(path: "scripts/results.xml"), encoding: .utf8)
        #expect(results.contains("name=\"late\"") || results.contains("name=\"last\""))
        let runs = try watch.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(runs.map { $0["passed"] as? Int } == [1, 2, 1])
        #expect(runs.allSatisfy { $0["schema"] as? Int == 1 })
    }

    @Test func pollingWithoutWatchIsUsageError() throws {
        let run = try HostRun(["test", "--poll"])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: --poll requires --watch\n"))
    }
}
