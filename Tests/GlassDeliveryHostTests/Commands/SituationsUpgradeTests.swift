import CommandTesting
import Foundation
import GlassDelivery
@testable import GlassDeliveryHost
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

/// A market gains conditions while apps of a recorded release are in the field.
@Suite(.timeLimit(.minutes(5)))
struct SituationsUpgradeTests {
    private let work: PublishCommandTests.Work
    private static let release = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Upgrade/releases/0.1.json")

    init() throws {
        work = try PublishCommandTests.Work()
        try removeConditions(of: work.files.url.appending(path: "markets/us.lua"))
        try write()
    }

    /// Creates the root of a publication.
    private func makeSite(at time: String = "2026-10-01T00:00:00Z") throws {
        try work.run("root", "init", "--to", "site", "--make-keys", "keys", "--at", time).expect(0)
    }

    /// Writes a market with more values.
    private func write(_ more: String = "", _ retries: String = "3") throws {
        let text = """
            return {
              id = "nv", name = "Nova", extends = "us", \(more)
              platform = { networking = { retry = { maxRetries = \(retries) } } },
            }
            """
        _ = try work.files.write(text, to: "markets/nv.lua")
    }

    private func record() throws {
        try FileManager.default.createDirectory(
            at: work.files.url.appending(path: "releases"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.release, to: work.files.url.appending(path: "releases/0.1.json"))
    }

    private func publish(_ more: String...) throws -> CommandRun {
        try CommandRun(
            ["publish", "nv", "--to", "site", "--keys", "keys", "--at", "2026-11-01T00:00:00Z"] + more,
            in: work.files.url, environment: [:])
    }

    /// The market as an app gets it, by the newest format that the app reads.
    private func delivered(generation: Int) throws -> (path: String, market: CompiledMarket) {
        let entries = try PublishedState(reading: RepositoryFolder(work.files.path("site"))).entries()
        let choice = TargetChoice(app: try #require(AppVersion("24.2")), generation: generation, install: nil)
        let targets = entries.map {
            ListedTarget(path: $0.path, length: $0.length, digest: $0.digest, custom: $0.custom)
        }
        guard case .version(let version) = choice.version(of: "nv", in: targets, revoked: []) else {
            throw CocoaError(.fileNoSuchFile)
        }
        let entry = try #require(entries.first { $0.path == version.path })
        let bytes = try Array(Data(contentsOf: work.files.url.appending(path: "site/\(entry.file)")))
        return (entry.path, try CompiledMarket(reading: bytes, name: entry.path))
    }

    private func retries(_ market: CompiledMarket, _ context: MarketContext = MarketContext()) throws -> Int {
        let check = CompiledMarkets(.platform, secrets: { _ in nil }, reading: { _ in nil }).check(market)
        return try #require(check.market).with(context).config.networking.retry.maxRetries
    }

    private static let conditions = #"""
        overlays = {
          { name = "calm", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 1 } } } },
          { name = "busy", when = { date = ">= 2029-11-23T00:00Z < 2029-11-27T00:00Z" },
            platform = { networking = { retry = { maxRetries = 2 } } }, beats = { "calm" } },
        },
        """#

    @Test func appOfRecordedReleaseKeepsUpdatingWhenMarketGainsConditions() throws {
        try makeSite()
        try record()
        try publish().expect(0)
        let before = try delivered(generation: 1)
        #expect(try delivered(generation: 2).path == "1/nv.json")

        try write(Self.conditions, "4")
        let run = try publish()
        run.expect(0)
        // The release ignores newer keys: the paths that stay in the browser, and the texts about errors.
        let warnings = ["deepLinking.browser", "platform.errors"].map {
            "warning: release 0.1, market nv: \($0): unknown key\n"
        }
        // What `check` says of the market comes first.
        #expect(
            run.errors.hasSuffix(warnings.joined()) && run.errors.hasPrefix("markets/nv.lua:2:39: warning: extends"))
        let until = "which hold until 2029-11-23T00:00:00Z: publish it again then"
        #expect(
            run.output.contains(
                "nv: for releases that read no conditions (0.1), only the values of the default situation, \(until)"),
            "\(run.output)")

        // The recorded release finds what it can read, with what holds by default.
        let old = try delivered(generation: 1)
        #expect(old.path == "1/nv.json" && old.market.generation == 1 && old.market.digest != before.market.digest)
        #expect(try retries(old.market) == 4)
        let record = try SchemaRecord(reading: Array(Data(contentsOf: Self.release)), file: "0.1.json")
        #expect(try record.findings(in: old.market).filter { $0.severity == .error }.isEmpty)
        let text = try String(
            contentsOf: work.files.url.appending(
                path: "site/targets/1/\(old.market.digest).nv.json"), encoding: .utf8)
        for part in ["$vary", "\"conditions\"", "\"attributes\":{\"build", "overlays"] { #expect(!text.contains(part)) }

        // This version finds all situations.
        let new = try delivered(generation: 2)
        #expect(new.path == "2/nv.json")
        #expect(try retries(new.market) == 4)
        #expect(try retries(new.market, MarketContext(["build": .text("debug")])) == 1)
        let friday = try #require(ContextDate("2029-11-24T00:00:00Z"))
        #expect(try retries(new.market, MarketContext(["date": .date(friday)])) == 2)
        let check = try work.run("publish", "--check", "site", "--at", "2026-11-01T00:00:00Z")
        check.expect(0)

        // A change of one situation changes nothing for the release.
        try write(Self.conditions.replacing("maxRetries = 1", with: "maxRetries = 0"), "4")
        let debug = try publish("--format", "json")
        debug.expect(0)
        let json = try debug.json()
        let markets = try #require(json["markets"] as? [[String: Any]])
        #expect(markets.compactMap { $0["change"] as? String } == ["unchanged", "changed"])
        let reduced = try #require(json["defaultSituationOnly"] as? [[String: Any]])
        #expect(reduced.compactMap { $0["releases"] as? [String] } == [["0.1"]])
        #expect(reduced.compactMap { $0["until"] as? String } == ["2029-11-23T00:00:00Z"])
        #expect(try delivered(generation: 1).market.digest == old.market.digest)

        // And without conditions again, everyone has one file.
        try write("", "4")
        #expect(try publish().output.contains("nv in all situations: withdrawn"))
        #expect(try delivered(generation: 2).path == "1/nv.json")
    }

    /// The date of the publication decides, so that publishing again brings older apps up to date.
    @Test func olderAppsGetValuesOfPublicationDate() throws {
        try makeSite(at: "2029-11-01T00:00:00Z")
        try write(Self.conditions, "4")
        let run = try work.run(
            "publish", "nv", "--to", "site", "--keys", "keys", "--at", "2029-11-24T00:00:00Z")
        run.expect(0)
        #expect(
            run.output.contains(
                "nv: apps that read no conditions get the values of the default situation only, which hold until "
                    + "2029-11-27T00:00:00Z: publish it again then"), "\(run.output)")
        #expect(try retries(try delivered(generation: 1).market) == 2)
    }

    /// A value that a release could not read in some situation.
    @Test func situationThatReleaseRejectsIsNotPublished() throws {
        try makeSite()
        try record()
        try publish().expect(0)
        try FileManager.default.createDirectory(
            at: work.files.url.appending(path: "releases"), withIntermediateDirectories: true)
        let now = String(decoding: SchemaRecord(.platform, version: "24.2").bytes, as: UTF8.self)
        let old = now.replacing("\"build\",\"customerID\",", with: "\"customerID\",")
        try #require(old != now)
        _ = try work.files.write(old, to: "releases/24.2.json")
        try write(Self.conditions)
        let run = try publish()
        run.expect(1)
        #expect(
            run.errors.contains(
                "release 24.2, market nv: attributes.build: the release has no attribute with this name"),
            "\(run.errors)")
        #expect(!run.errors.contains("release 0.1, market nv: attributes"))
    }
}
