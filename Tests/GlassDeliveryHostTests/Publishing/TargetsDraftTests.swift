import Foundation
import GlassBase
import GlassDelivery
@testable import GlassDeliveryHost
import Testing

@Suite struct TargetsDraftTests {
    typealias Site = PublisherTests.Site

    /// Publishes a change to the targets.
    @discardableResult
    private func publish(
        _ site: Site, _ body: (inout TargetsDraft) throws -> Void
    ) throws -> [TargetsDraft.Disposition] {
        let state = try site.state()
        var draft = try TargetsDraft(after: state, in: site.folder)
        try body(&draft)
        _ = try site.publisher().publish(draft.change, after: state)
        return draft.dispositions
    }

    private func market(_ id: String, _ text: String) -> PublishedMarket {
        PublishedMarket(id: id, bytes: Array(text.utf8), map: Array("map of \(text)".utf8))
    }

    /// Publishes markets in other formats: all that their rows say.
    private func publish(_ site: Site, foreign paths: [String], without removed: String? = nil) throws {
        let state = try site.state()
        var change = Publisher.Change()
        change.entries = try state.entries().filter { $0.path != removed }
        for path in paths {
            let bytes = Array(path.utf8)
            let isMarket = !path.hasSuffix(".map.json")
            let custom = #"{"market":"\#(path.dropFirst(2).prefix(2))","schema":\#(path.prefix(1)),"serial":1}"#
            let entry = TargetEntry(
                path: path, bytes: bytes,
                custom: isMarket ? try StrictJSON(reading: Array(custom.utf8), limit: 1000) : nil)
            change.entries?.append(entry)
            change.objects.append(RepositoryFolder.File(entry.file, bytes))
        }
        _ = try site.publisher().publish(change, after: state)
    }

    private func paths(_ site: Site) throws -> [String] {
        try site.client().targetFiles.map(\.path).filter { !$0.contains(".map") }.sorted()
    }

    private func site() throws -> Site {
        let site = try Site()
        _ = try site.publisher().publish(first: site.root())
        return site
    }

    private func custom(_ site: Site, _ path: String) throws -> String? {
        try site.client().target(path)?.custom.map { String(decoding: $0.text(), as: UTF8.self) }
    }

    @Test func marketIsListedWithItsTerms() throws {
        let site = try site()
        let dispositions = try publish(site) {
            try $0.publish(market("ca", "one"), apps: AppRange(min: "24.2", max: "25"))
        }
        #expect(dispositions.map(\.kind) == [.new])
        #expect(
            try custom(site, "4/ca.json")
                == #"{"app":{"max":"25","min":"24.2"},"market":"ca","schema":4,"serial":1}"#)
        #expect(try custom(site, "4/ca.map.json") == nil)
        #expect(try site.client().target("4/ca.map.json") != nil)
    }

    @Test func publishedMarketKeepsSerial() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        let dispositions = try publish(site) {
            try $0.publish(market("ca", "one"), apps: AppRange())
            try $0.publish(market("mx", "one"), apps: AppRange())
        }
        #expect(dispositions.map(\.kind) == [.unchanged, .new])
        #expect(try custom(site, "4/ca.json")?.contains(#""serial":1"#) == true)
        #expect(try custom(site, "4/mx.json")?.contains(#""serial":2"#) == true)
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        try draft.publish(market("ca", "one"), apps: AppRange())
        #expect(!draft.isChanged)
        // The same bytes for other app versions are a new publication.
        var other = try TargetsDraft(after: site.state(), in: site.folder)
        try other.publish(market("ca", "one"), apps: AppRange(min: "25"))
        #expect(other.isChanged)
    }

    // MARK: Other formats

    /// A publication of an earlier development version: publishing a market leaves one row of it.
    @Test func publishingReplacesFilesOfOtherFormats() throws {
        let site = try site()
        try publish(
            site,
            foreign: [
                "1/ca.json", "1/ca.map.json", "1/ca.next.json", "2/ca.json", "2/ca.map.json", "1/mx.json",
                "1/mx.map.json",
            ])
        let dispositions = try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        #expect(dispositions.map(\.kind) == [.changed] && dispositions.map(\.path) == ["4/ca.json"])
        #expect(dispositions[0].before?.path == "2/ca.json")
        #expect(
            try site.client().targetFiles.map(\.path).sorted() == [
                "1/mx.json", "1/mx.map.json", "4/ca.json", "4/ca.map.json",
            ])
        let again = try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        #expect(again.map(\.kind) == [.unchanged])
        // Somebody published with an earlier version once more.
        try publish(site, foreign: ["1/ca.json"])
        let cleaned = try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        #expect(cleaned.map(\.kind) == [.changed])
        #expect(try paths(site) == ["1/mx.json", "4/ca.json"])
        #expect(try custom(site, "4/ca.json")?.contains(#""serial":2"#) == true)
    }

    @Test func rolloutNeedsVersionInSameFormat() throws {
        let site = try site()
        try publish(site, foreign: ["1/ca.json", "1/ca.next.json"])
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        #expect(
            throws: PublishingError.refused(
                "the market ca is not published yet, so other installations would have no version; publish it first")
        ) { try draft.rollOut(market("ca", "one"), share: 500, apps: AppRange()) }
        #expect(throws: PublishingError.self) { try draft.setShare(of: "ca", to: 10_000) }
    }

    /// Its files cannot be listed again, and without them the market would be withdrawn.
    @Test func rollbackToOtherFormatIsRefused() throws {
        let site = try site()
        try publish(site, foreign: ["1/ca.json", "1/mx.json"])
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        try publish(site) { try $0.publish(market("ca", "two"), apps: AppRange()) }
        let state = try site.state()
        var draft = try TargetsDraft(after: state, in: site.folder)
        #expect(
            throws: PublishingError.refused(
                "publication 1 lists 1/ca.json, whose format this version does not write: publish the former files of "
                    + "the market again")
        ) { try draft.goBack(to: 1, markets: ["ca"], after: state) }
        // What has not changed since is no obstacle.
        try publish(site) { try $0.goBack(to: 2, markets: [], after: state) }
        #expect(try paths(site) == ["1/mx.json", "4/ca.json"])
        #expect(try site.client().target("4/ca.json")?.length == 3)
    }

    /// Each row counts, not only the first of a market: neither is a difference overlooked, nor a row left that an earlier
    /// publication did not have.
    @Test func rollbackComparesEveryRowOfOtherFormats() throws {
        let site = try site()
        try publish(site, foreign: ["1/ca.json", "2/ca.json"])
        let state = try site.state()
        try publish(site, foreign: [], without: "2/ca.json")
        var draft = try TargetsDraft(after: try site.state(), in: site.folder)
        #expect(throws: PublishingError.self) { try draft.goBack(to: 1, markets: ["ca"], after: state) }

        let other = try self.site()
        try publish(other) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        try publish(other, foreign: ["1/ca.json"])
        let mixed = try other.state()
        #expect(try paths(other).contains("1/ca.json"))
        try publish(other) { try $0.goBack(to: 1, markets: ["ca"], after: mixed) }
        #expect(try !paths(other).contains("1/ca.json") && paths(other).contains("4/ca.json"))
    }

    @Test func versionOfOtherFormatIsRevoked() throws {
        let site = try site()
        try publish(site, foreign: ["1/ca.json"])
        let digest = Array("1/ca.json".utf8).sha256
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        #expect(try draft.revoke(digest) == ["ca"])
        #expect(draft.revoked == [digest] && draft.dispositions.map(\.path) == ["1/ca.json"])
    }

    // MARK: Rollouts

    @Test func rolloutGrowsAndEnds() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        try publish(site) { try $0.rollOut(market("ca", "two"), share: 500, apps: AppRange()) }
        #expect(
            try custom(site, "4/ca.next.json")
                == #"{"market":"ca","rollout":{"salt":"ca-2","share":500},"schema":4,"serial":2}"#)
        #expect(try site.client().target("4/ca.json")?.length == 3)
        // The salt stays the same, so that a higher percentage adds installations and removes none.
        try publish(site) { try $0.setShare(of: "ca", to: 2500) }
        #expect(
            try custom(site, "4/ca.next.json")
                == #"{"market":"ca","rollout":{"salt":"ca-2","share":2500},"schema":4,"serial":2}"#)
        try publish(site) { try $0.setShare(of: "ca", to: 10_000) }
        #expect(try site.client().target("4/ca.next.json") == nil)
        #expect(try custom(site, "4/ca.json") == #"{"market":"ca","schema":4,"serial":2}"#)
        let path = try #require(try site.client().target("4/ca.json")?.serverPath(consistent: true))
        #expect(try String(contentsOfFile: site.files.path("site/targets/\(path)"), encoding: .utf8) == "two")
    }

    @Test func withdrawnRolloutKeepsVersionForEveryone() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        let before = try site.client().target("4/ca.json")
        try publish(site) { try $0.rollOut(market("ca", "two"), share: 500, apps: AppRange()) }
        try publish(site) { try $0.setShare(of: "ca", to: 0) }
        #expect(try site.client().targetFiles.map(\.path) == ["4/ca.json", "4/ca.map.json"])
        #expect(try site.client().target("4/ca.json") == before)
    }

    @Test func publishingKeepsRollout() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        try publish(site) { try $0.rollOut(market("ca", "two"), share: 500, apps: AppRange()) }
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        try draft.publish(market("ca", "two"), apps: AppRange())
        #expect(draft.dispositions.map(\.kind) == [.unchanged])
        #expect(
            throws: PublishingError.refused(
                "another version of the market ca is being rolled out (5%); complete or withdraw it first with "
                    + "glass-delivery rollout ca 100% or 0%")
        ) { try draft.publish(market("ca", "three"), apps: AppRange()) }
    }

    @Test func rolloutNeedsDifferentVersion() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        #expect(
            throws: PublishingError.refused(
                "the market ca is already published in this version; change it before a rollout")
        ) { try draft.rollOut(market("ca", "one"), share: 500, apps: AppRange()) }
        #expect(
            throws: PublishingError.refused(
                "the market mx is not published yet, so other installations would have no version; publish it first")
        ) { try draft.rollOut(market("mx", "one"), share: 500, apps: AppRange()) }
        #expect(
            throws: PublishingError.refused(
                "no version of the market ca is being rolled out; start with a percentage between 0% and 100%")
        ) { try draft.setShare(of: "ca", to: 10_000) }
    }

    // MARK: Rolling back

    @Test func revokedVersionIsListedAndNeverPublishedAgain() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        try publish(site) { try $0.publish(market("ca", "two"), apps: AppRange()) }
        let digest = Array("one".utf8).sha256
        var current: [String]?
        try publish(site) { current = try $0.revoke(String(digest.prefix(10))) }
        #expect(current == [])
        #expect(try site.state().revoked == [digest])
        // The next publication keeps the revocation.
        try publish(site) { try $0.publish(market("mx", "m"), apps: AppRange()) }
        #expect(try site.state().revoked == [digest])
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        #expect(throws: PublishingError.self) { try draft.publish(market("ca", "one"), apps: AppRange()) }
        #expect(throws: PublishingError.self) {
            try draft.goBack(to: 1, markets: [], after: site.state())
        }
        #expect(throws: PublishingError.refused("\(digest) is already revoked")) { try draft.revoke(digest) }
    }

    @Test func revokingPublishedVersionNamesMarket() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        #expect(try draft.revoke(Array("one".utf8).sha256) == ["ca"])
    }

    @Test(arguments: [
        (
            "7692c3",
            "the digest 7692c3 is too short; use at least 8 digits; "
                + "glass-delivery publish --check lists the published ones"
        ),
        (
            "00000000",
            "the digest 00000000 was never published here; glass-delivery publish --check lists the published ones"
        ),
    ])
    func onlyPublishedDigestCanBeRevoked(_ digest: String, _ text: String) throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        #expect(throws: PublishingError.refused(text)) { try draft.revoke(digest) }
    }

    @Test func revokingEndsRolloutOfVersion() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        try publish(site) { try $0.rollOut(market("ca", "two"), share: 500, apps: AppRange()) }
        try publish(site) { _ = try $0.revoke(Array("two".utf8).sha256) }
        #expect(try site.client().targetFiles.map(\.path) == ["4/ca.json", "4/ca.map.json"])
    }

    @Test func rollbackPublishesOldFilesAgain() throws {
        let site = try site()
        try publish(site) {
            try $0.publish(market("ca", "one"), apps: AppRange())
            try $0.publish(market("mx", "one"), apps: AppRange())
        }
        let before = try site.client().target("4/ca.json")
        try publish(site) {
            try $0.publish(market("ca", "two"), apps: AppRange())
            try $0.publish(market("mx", "two"), apps: AppRange())
        }
        let state = try site.state()
        try publish(site) { try $0.goBack(to: 1, markets: ["ca"], after: state) }
        let client = try site.client()
        #expect(client.targets?.version == 3)
        #expect(client.target("4/ca.json") == before)
        #expect(client.target("4/mx.json")?.custom?["serial"]?.intValue == 2)
    }

    @Test func missingEarlierVersionIsReported() throws {
        let site = try site()
        for text in ["one", "two", "three"] {
            try publish(site) { try $0.publish(market("ca", text), apps: AppRange()) }
        }
        var draft = try TargetsDraft(after: site.state(), in: site.folder)
        let state = try site.state()
        #expect(
            throws: PublishingError.refused("there is no publication 9 to roll back to; there are 1, 2")
        ) { try draft.goBack(to: 9, markets: [], after: state) }
        #expect(throws: PublishingError.refused("publication 3 is the same as the current one")) {
            try draft.goBack(to: 3, markets: [], after: state)
        }
        #expect(
            throws: PublishingError.impossible("the market br is not published, and was not in publication 1")
        ) { try draft.goBack(to: 1, markets: ["br"], after: state) }
    }

    @Test func unsignedPublicationIsNotRestored() throws {
        let site = try site()
        try publish(site) { try $0.publish(market("ca", "one"), apps: AppRange()) }
        let forged = #"{"signatures":[],"signed":{"_type":"targets","targets":{},"version":7}}"#
        try Data(forged.utf8).write(to: site.files.url.appending(path: "site/metadata/7.targets.json"))
        let state = try site.state()
        var draft = try TargetsDraft(after: state, in: site.folder)
        #expect(throws: PublishingError.self) { try draft.goBack(to: 7, markets: [], after: state) }
    }

    @Test(arguments: [(10_000, "100%"), (2500, "25%"), (50, "0.5%"), (5, "0.05%"), (1234, "12.34%"), (0, "0%")])
    func percentagesAreFormattedForUsers(_ share: Int, _ text: String) {
        #expect(TargetsDraft.percent(share) == text)
    }

    @Test(
        arguments: [
            ("24.2", nil, nil, true), ("24.1", "24.2", nil, false), ("24.2.0", "24.2", nil, true),
            ("25.3", nil, "25", true),
            ("26", nil, "25", false), ("nightly", "24.2", "25", true),
        ] as [(String, String?, String?, Bool)])
    func rangeMatchesVersionsLikeDevices(_ version: String, _ min: String?, _ max: String?, _ isIn: Bool) {
        #expect(AppRange(min: min, max: max).contains(version) == isIn)
    }
}
