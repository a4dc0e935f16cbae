import CommandTesting
import Foundation
@testable import GlassDeliveryHost
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

/// Compatibility of markets with the releases in the field.
@Suite struct FleetTests {
    /// The real Canadian market, compiled with the program.
    private static func work() throws -> PublishCommandTests.Work { try PublishCommandTests.Work.published() }

    /// Records the running program as a release, changed to resemble an older one.
    private func record(_ version: String, in work: PublishCommandTests.Work, _ old: String = "", _ new: String = "")
        throws
    {
        try FileManager.default.createDirectory(
            at: work.files.url.appending(path: "releases"), withIntermediateDirectories: true)
        let text = String(decoding: SchemaRecord(.platform, version: version).bytes, as: UTF8.self)
        try #require(old.isEmpty || text.contains(old))
        let changed = old.isEmpty ? text : text.replacing(old, with: new)
        try Data(changed.utf8).write(to: work.files.url.appending(path: "releases/\(version).json"))
    }

    @Test func releaseThatReadsMarketsAllowsPublishing() throws {
        let work = try Self.work()
        try record("24.2", in: work)
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(0)
        // Only what `check` says of the market.
        #expect(run.errors.contains("USD is not a currency of CA") && !run.errors.contains("release"), "\(run.errors)")
    }

    @Test func marketThatReleaseWouldRejectIsNotPublished() throws {
        let work = try Self.work()
        // A release from before the precondition existed.
        try record("23.9", in: work, "\"appStarted\",", "")
        try record("24.2", in: work)
        try work.edit(
            "ca", "routables = {",
            "routables = { coupons = { paths = { \"coupons\" }, waitForPreconditions = { \"appStarted\" }, show = { screen = \"coupons\" } },"
        )
        let before = try work.site()
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(1)
        #expect(
            run.errors.contains("release 23.9, market ca: routables.coupons.waitForPreconditions[1]"), "\(run.errors)")
        #expect(!run.errors.contains("release 24.2"))
        #expect(run.errors.contains("--app-min"))
        #expect(try work.site() == before)
        // Publishing it for later versions does not affect that release.
        try work.run("publish", "ca", "--to", "site", "--keys", "keys", "--app-min", "24").expect(0)
    }

    @Test func releasesAreFoundFromFolderBelowProject() throws {
        let work = try Self.work()
        try record("23.9", in: work, "\"appStarted\",", "")
        try work.edit(
            "ca", "routables = {",
            "routables = { coupons = { paths = { \"coupons\" }, waitForPreconditions = { \"appStarted\" }, "
                + "show = { screen = \"coupons\" } },")
        try FileManager.default.createDirectory(
            at: work.files.url.appending(path: "below"), withIntermediateDirectories: true)
        let run = try work.run("publish", "--to", "../site", "--keys", "../keys", below: "below")
        run.expect(1)
        #expect(run.errors.contains("release 23.9, market ca"), "\(run.errors)")
    }

    @Test func releasesAreListedByVersion() throws {
        let work = try Self.work()
        for version in ["10.0", "9.1", "9.0"] { try record(version, in: work) }
        let fleet = try Fleet(reading: work.files.path("releases"))
        #expect(fleet.releases.map(\.version) == ["9.0", "9.1", "10.0"])
    }

    @Test func unreadableRecordStopsPublishing() throws {
        let work = try Self.work()
        try record("24.2", in: work)
        try FileManager.default.moveItem(
            atPath: work.files.path("releases/24.2.json"), toPath: work.files.path("releases/24.3.json"))
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(2)
        #expect(run.errors.contains("releases/24.3.json is the record of the release 24.2"))
        let missing = try work.run("publish", "--to", "site", "--keys", "keys", "--releases", "nowhere")
        missing.expect(2)
        #expect(missing.errors.contains("cannot read the releases in nowhere"))
    }

    @Test func missingRecordsAreMentioned() throws {
        let work = try Self.work()
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(0)
        #expect(run.errors.contains("no app releases are recorded"))
    }
}
