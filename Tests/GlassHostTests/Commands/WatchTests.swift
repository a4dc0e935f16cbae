import CommandTesting
import Foundation
import Testing

/// The command `watch`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WatchTests {
    @Test(arguments: [[], ["--poll"]])
    func savesAreReportedUntilCtrlC(options: [String]) throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let good = try String(contentsOf: file, encoding: .utf8)
        let watch = try LiveProcess(["watch", "ca", "--markets", markets.path, "--settle", "50"] + options)
        let begin = watch.read(until: "ca: loaded ")
        #expect(begin.contains("watching ca in \(markets.path) ("))

        try good.replacing("\"myaccount\"", with: "\"profile\"").write(to: file, atomically: true, encoding: .utf8)
        #expect(
            watch.read(until: "profile\n").contains(
                ": 1 link differs\n  ~ account: walmart.ca://myaccount → walmart.ca://profile\n"))

        try good.replacing("maxRetries", with: "maxRetires").write(to: file, atomically: false, encoding: .utf8)
        let rejected = watch.read(until: "did you mean")
        #expect(rejected.contains("ca: rejected; "))
        #expect(
            rejected.contains(
                "\(markets.path)/ca.lua:51:17: error: platform.networking.retry.maxRetires: unknown key [unknownKey]\n"
                    + "   51 |       retry = { maxRetires = 4, statuses = append { 520 } },\n"
                    + "      |                 ^\n  hint: did you mean"))

        try FileManager.default.removeItem(at: file)
        #expect(watch.read(until: "until the command ends").contains("ca: deleted; "))
        try good.write(to: file, atomically: true, encoding: .utf8)
        #expect(watch.read(until: "myaccount\n").contains("walmart.ca://profile → walmart.ca://myaccount\n"))
        #expect(watch.interrupt() == 130)
    }

    /// As `diff` and `review` report it.
    @Test func changeOfAnotherSituationIsReported() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "mx.lua")
        let good = try String(contentsOf: file, encoding: .utf8)
        let watch = try LiveProcess(["watch", "--markets", markets.path, "--settle", "50"])
        let begin = watch.read(until: "secrets are not set; --verbose lists them\n")
        #expect(begin.components(separatedBy: "not set").count == 2, "one line for all markets: \(begin)")
        try good.replacing("\"buen-fin\"", with: "\"elbuenfin\"").write(to: file, atomically: true, encoding: .utf8)
        let changed = watch.read(until: "elbuenfin\n")
        #expect(changed.contains(": in other situations, 1 link differs\n"), "\(changed)")
        #expect(changed.contains("  when --context localDate=2029-11-16T00:00:00\n    ~ deals: "), "\(changed)")
        #expect(changed.contains("walmart.mx://buen-fin → "), "\(changed)")
        #expect(watch.interrupt() == 130)
    }

    @Test func eachEventIsJSONObjectOnOneLine() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "us.lua")
        let good = try String(contentsOf: file, encoding: .utf8)
        let watch = try LiveProcess(
            ["watch", "us", "--markets", markets.path, "--settle", "50", "--format", "json"],
            environment: ["GLASS_US_CONSUMER_KEY": "hunter2"])
        watch.read(until: "\"applied\"")
        try good.replacing("currency = \"USD\"", with: "currency = \"CAD\"").write(
            to: file, atomically: true, encoding: .utf8)
        watch.read(until: "\"CAD\"")
        try Data().write(to: file)
        watch.read(until: "\"rejected\"")
        try good.replacing("currency = \"USD\"", with: "currency = \"CAD\"").write(
            to: file, atomically: true, encoding: .utf8)
        watch.read(until: "\"restored\"")
        #expect(watch.interrupt() == 130)
        watch.read(until: "the end, which no output has")
        let lines = try watch.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["event"] as? String } == ["watching", "applied", "applied", "rejected", "restored"])
        #expect(lines.allSatisfy { $0["schema"] as? Int == 1 })
        #expect(Set(lines[0].keys) == ["event", "markets", "method", "schema"])
        let applied: Set<String> = [
            "event", "market", "revision", "previous", "difference", "warnings", "time", "schema",
        ]
        #expect(Set(lines[1].keys) == applied && Set(lines[2].keys) == applied)
        #expect(lines[1]["difference"] is NSNull && lines[1]["previous"] is NSNull)
        #expect(lines[2]["previous"] as? String == lines[1]["revision"] as? String)
        let difference = try #require(lines[2]["difference"] as? [String: Any])
        #expect((difference["keys"] as? [[String: Any]])?.map { $0["key"] as? String } == ["currency"])
        #expect(Set(lines[3].keys) == ["event", "market", "revision", "kept", "findings", "time", "schema"])
        #expect((lines[3]["findings"] as? [[String: Any]])?.first?["code"] as? String == "noTable")
        #expect(((lines[1]["warnings"] as? [[String: Any]])?.first?["source"] as? String)?.contains("secret") == true)
        #expect(lines[3]["kept"] as? String == lines[2]["revision"] as? String)
        #expect(Set(lines[4].keys) == ["event", "market", "revision", "time", "schema"])
        #expect(!watch.output.contains("hunter2"))
    }
}
