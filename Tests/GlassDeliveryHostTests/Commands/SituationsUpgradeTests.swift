import CommandTesting
import DeliverySupport
import Foundation
import GlassBase
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

    /// The market as an app of this version gets it.
    private func delivered() throws -> CompiledMarket {
        let entries = try PublishedState(reading: RepositoryFolder(work.files.path("site"))).entries()
        let choice = TargetChoice(app: try #require(AppVersion("24.2")), install: nil)
        let targets = entries.map {
            ListedTarget(path: $0.path, length: $0.length, digest: $0.digest, custom: $0.custom)
        }
        guard case .version(let version) = choice.version(of: "nv", in: targets, revoked: []) else {
            throw CocoaError(.fileNoSuchFile)
        }
        let entry = try #require(entries.first { $0.path == version.path })
        let bytes = try Array(Data(contentsOf: work.files.url.appending(path: "site/\(entry.file)")))
        return try CompiledMarket(reading: bytes, name: entry.path)
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

    @Test func oneFileFollowsConditions() throws {
        try makeSite()
        try publish().expect(0)
        #expect(try retries(delivered()) == 3)

        try write(Self.conditions, "4")
        let run = try publish()
        run.expect(0)
        // What `check` says of the market comes first.
        #expect(run.errors.hasPrefix("markets/nv.lua:2:39: warning: extends"))
        let new = try delivered()
        #expect(new.name == "4/nv.json")
        #expect(try retries(new) == 4)
        #expect(try retries(new, MarketContext(["build": .text("debug")])) == 1)
        let friday = try #require(ContextDate("2029-11-24T00:00:00Z"))
        #expect(try retries(new, MarketContext(["date": .date(friday)])) == 2)
        try work.run("publish", "--check", "site", "--at", "2026-11-01T00:00:00Z").expect(0)

        // A change of one situation is a new version, and its difference is shown.
        try write(Self.conditions.replacing("maxRetries = 1", with: "maxRetries = 0"), "4")
        let debug = try publish("--format", "json")
        debug.expect(0)
        let json = try debug.json()
        let markets = try #require(json["markets"] as? [[String: Any]])
        #expect(markets.compactMap { $0["change"] as? String } == ["changed"])
        #expect(markets.compactMap { $0["path"] as? String } == ["4/nv.json"])
        #expect((json["differences"] as? [[String: Any]])?.count == 1 && json["defaultSituationOnly"] == nil)

        // And without conditions again, it is the same file.
        try write("", "4")
        #expect(try publish().output.contains("nv: changed, "))
        #expect(try retries(delivered(), MarketContext(["build": .text("debug")])) == 4)
    }

    /// The bytes of a market depend on its files only.
    @Test func dateOfPublicationChangesNothing() throws {
        try makeSite(at: "2029-11-01T00:00:00Z")
        try write(Self.conditions, "4")
        try work.run("publish", "nv", "--to", "site", "--keys", "keys", "--at", "2029-11-02T00:00:00Z").expect(0)
        let before = try delivered()
        let run = try work.run("publish", "nv", "--to", "site", "--keys", "keys", "--at", "2029-11-24T00:00:00Z")
        run.expect(0)
        #expect(try run.output.contains("nv: unchanged") && before.digest == delivered().digest)
    }

    // MARK: Other formats

    /// The rule for a new format: the publisher is told before anything is written, and apps keep what they have.
    @Test func releaseWithAnotherFormatIsNamedBeforeAnythingIsWritten() throws {
        try makeSite()
        try record()
        let before = try work.site()
        for command in [["publish", "nv"], ["publish", "nv", "--dry-run"], ["publish", "nv", "--stage"]] {
            let run = try CommandRun(
                command + ["--to", "site", "--keys", "keys", "--at", "2026-11-01T00:00:00Z"], in: work.files.url,
                environment: [:])
            run.expect(1)
            #expect(
                run.errors.contains(
                    "release 0.1, market nv: schema: the release reads format 1, but the market has format 4"),
                "\(run.errors)")
            #expect(run.errors.contains("\npublish them for later versions of the app with --app-min, or change what"))
        }
        #expect(try work.site() == before)
        // For the apps that read it.
        try publish("--app-min", "1").expect(0)
        let rollout = try work.run(
            "rollout", "nv", "5%", "--to", "site", "--keys", "keys", "--at", "2026-11-01T00:00:00Z")
        rollout.expect(1)
        #expect(rollout.errors.contains("the release reads format 1, but the market has format 4"))
    }

    /// A publication of an earlier development version.
    @Test func publishingReplacesFileOfFormerFormat() async throws {
        try makeSite()
        let folder = RepositoryFolder(work.files.path("site"))
        let state = try PublishedState(reading: folder)
        let object = "former/store/objects/a642c3af549b7404d239e9acbbd57eecb8bb1228cf90782d05c46b7f5ed0221d"
        let bytes = try Array(
            Data(contentsOf: CommandRun.repository.appending(path: "Tests/Upgrade").appending(path: object)))
        let custom = try StrictJSON(reading: Array(#"{"market":"nv","schema":1,"serial":1}"#.utf8), limit: 100)
        let entry = TargetEntry(path: "1/nv.json", bytes: bytes, custom: custom)
        var change = Publisher.Change()
        change.entries = [entry]
        change.objects = [RepositoryFolder.File(entry.file, bytes)]
        let keys = Signers(files: try KeyFile.all(at: work.files.path("keys")))
        let now = try #require(UpdateTime("2026-10-01T00:00:00Z"))
        _ = try Publisher(folder: folder, signers: keys, now: now, secrets: SecretScan([:])).publish(
            change, after: state)
        let before = try work.run("publish", "--check", "site", "--at", "2026-10-02T00:00:00Z")
        before.expect(1)
        let reason = "1/nv.json has the format 1, which was used before the first release; this version reads 4"
        #expect(before.output.contains(reason) || before.errors.contains(reason), "\(before.output)\(before.errors)")

        // A phone names both formats, and `status` shows the reason.
        let reads = "it has the format 1, and this app reads 4"
        let root = try #require(try folder.read("metadata/1.root.json", limit: 1 << 20))
        let fetch = StoreFetch(
            store: DeliveryStore(work.files.path("store")),
            client: UpdateClient(folder: work.files.url.appending(path: "site")),
            app: nil, now: now, build: { _, _ in "nothing is downloaded" })
        let report = try await fetch.run(from: root)
        #expect(report.problems == ["nv": reads] && report.markets.isEmpty && report.error == nil)
        #expect(report.steps.last == "market nv: not compatible with this app: \(reads)")
        let status = try work.run("status", "--store", "store", "--at", "2026-10-01T00:00:00Z")
        status.expect(0)
        #expect(status.output.contains("nv: not compatible with this app: \(reads)"), "\(status.output)")

        let run = try publish()
        run.expect(0)
        #expect(run.output.hasPrefix("nv: changed, \(try delivered().digest)\n"), "\(run.output)")
        #expect(run.output.contains("nv: cannot be compared with the published version: \(reason)"), "\(run.output)")
        #expect(
            try PublishedState(reading: folder).entries().map(\.path).sorted() == ["4/nv.json", "4/nv.map.json"])
        try work.run("publish", "--check", "site", "--at", "2026-11-01T00:00:00Z").expect(0)
        let back = try work.run("rollback", "1", "--to", "site", "--keys", "keys", "--at", "2026-11-01T00:00:00Z")
        back.expect(1)
        #expect(back.errors.contains("publication 1 lists 1/nv.json, whose format this version does not write"))
    }

    /// A value that a release could not read in some situation.
    @Test func situationThatReleaseRejectsIsNotPublished() throws {
        try makeSite()
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
    }
}
