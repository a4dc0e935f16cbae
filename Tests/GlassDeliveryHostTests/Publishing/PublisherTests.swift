import Foundation
import GlassBase
import GlassDelivery
@testable import GlassDeliveryHost
import Testing

@Suite struct PublisherTests {
    // MARK: A folder with keys

    static let start = UpdateTime(secondsSince1970: 1_780_000_000)

    /// A folder to publish to, with the keys of all roles in a folder next to it.
    struct Site {
        let files: PublishingFolder
        var now = PublisherTests.start

        init(rootKeys: Int = 3) throws {
            files = try PublishingFolder()
            try FileManager.default.createDirectory(atPath: files.path("keys"), withIntermediateDirectories: true)
            for name in (1...rootKeys).map({ "root-\($0)" }) + ["targets", "snapshot", "timestamp"] {
                _ = try KeyFile.make(at: files.path("keys/\(name).pem"))
            }
        }

        var folder: RepositoryFolder { RepositoryFolder(files.path("site")) }

        func key(_ name: String) throws -> KeyFile { try KeyFile(reading: files.path("keys/\(name).pem")) }

        func state() throws -> PublishedState { try PublishedState(reading: folder) }

        func publisher(_ names: String..., secrets: [String: String] = [:]) throws -> Publisher {
            let own = names.isEmpty ? try KeyFile.all(at: files.path("keys")) : try names.map(key)
            return Publisher(folder: folder, signers: Signers(files: own), now: now, secrets: SecretScan(secrets))
        }

        func root(_ rootKeys: Int = 3) throws -> RootDocument {
            try RootCeremony(now: now).first(
                keys: [
                    .root: (1...rootKeys).map { try key("root-\($0)").publicKey },
                    .targets: [key("targets").publicKey], .snapshot: [key("snapshot").publicKey],
                    .timestamp: [key("timestamp").publicKey],
                ], thresholds: [:])
        }

        func change(_ contents: [String: String]) -> Publisher.Change {
            var change = Publisher.Change()
            let entries = contents.sorted { $0.key < $1.key }.map {
                ($0.value, TargetEntry(path: $0.key, bytes: Array($0.value.utf8)))
            }
            change.entries = entries.map(\.1)
            change.objects = entries.map { RepositoryFolder.File($1.file, Array($0.utf8)) }
            return change
        }

        /// A folder with a root and one publication.
        static func published() throws -> Site {
            let site = try Site()
            _ = try site.publisher().publish(first: site.root())
            _ = try site.publisher().publish(site.change(["4/ca.json": "one"]), after: site.state())
            return site
        }

        /// The state of a client that was shipped with the first root, after a refresh.
        func client(at time: UpdateTime? = nil) throws -> TrustedSet {
            let time = time ?? now
            func bytes(_ name: String) throws -> [UInt8] {
                Array(try Data(contentsOf: files.url.appending(path: "site/metadata/\(name)")))
            }
            var client = try TrustedSet(root: bytes("1.root.json"))
            for version in folder.versions(of: "root").dropFirst() {
                try client.update(root: bytes("\(version).root.json"))
            }
            try client.update(timestamp: bytes("timestamp.json"), now: time)
            try client.update(snapshot: bytes("\(client.timestamp?.snapshot.version ?? 0).snapshot.json"), now: time)
            try client.update(targets: bytes("\(client.listed("targets").version).targets.json"), now: time)
            return client
        }
    }

    // MARK: Publishing

    @Test func clientReceivesPublishedMarkets() throws {
        let site = try Site.published()
        let client = try site.client()
        let target = try #require(client.target("4/ca.json"))
        #expect(target.length == 3)
        let name = "site/targets/\(target.serverPath(consistent: true))"
        #expect(try String(contentsOfFile: site.files.path(name), encoding: .utf8) == "one")
        #expect(
            try site.files.contents(of: "site").keys.sorted() == [
                "metadata/1.root.json", "metadata/1.snapshot.json", "metadata/1.targets.json",
                "metadata/timestamp.json",
                "targets/4/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed.ca.json",
            ])
        #expect(FileManager.default.fileExists(atPath: site.files.path("site/staged")) == false)
    }

    @Test func eachRoleExpiresAfterItsPeriod() throws {
        let site = try Site.published()
        let client = try site.client()
        let day = 86_400
        #expect(client.root.expires == Self.start.adding(seconds: 365 * day))
        #expect(client.targets?.expires == Self.start.adding(seconds: 180 * day))
        #expect(client.snapshot?.expires == Self.start.adding(seconds: 30 * day))
        #expect(client.timestamp?.expires == Self.start.adding(seconds: 7 * day))
    }

    @Test func nextPublicationKeepsEarlierFiles() throws {
        let site = try Site.published()
        let before = try site.files.contents(of: "site")
        let result = try site.publisher().publish(site.change(["4/ca.json": "two"]), after: site.state())
        #expect(result.roles.map(\.role) == [.targets, .snapshot, .timestamp])
        #expect(result.roles.map(\.version) == [2, 2, 2])
        let after = try site.files.contents(of: "site")
        for (name, content) in before where name != "metadata/timestamp.json" {
            #expect(after[name] == content, "\(name)")
        }
        #expect(try site.client().targets?.version == 2)
    }

    @Test func publishedContentCanBePublishedAgain() throws {
        let site = try Site.published()
        let again = try site.publisher().publish(site.change(["4/ca.json": "one"]), after: site.state())
        #expect(again.roles.contains { $0.role == .targets })
        #expect(!again.files.contains { $0.hasPrefix("targets/") })
    }

    @Test func sameInputGivesSameSignedBytes() throws {
        let site = try Site.published()
        let (state, publisher) = (try site.state(), try site.publisher())
        let writer = MetadataWriter(now: publisher.now)
        let entries = site.change(["4/mx.json": "m", "4/ca.json": "c"]).entries ?? []
        let one = writer.targets(entries, revoked: ["b", "a", "b"], version: 2, previous: state.targets?.signed)
        let other = writer.targets(
            entries.reversed(), revoked: ["a", "b"], version: 2, previous: state.targets?.signed)
        #expect(one.bytes == other.bytes)
    }

    @Test func timestampJobChangesOnlyTheTimestamp() throws {
        var site = try Site.published()
        let before = try site.files.contents(of: "site")
        site.now = site.now.adding(seconds: 86_400)
        var change = Publisher.Change()
        change.renewsTimestamp = true
        let result = try site.publisher("timestamp").publish(change, after: site.state())
        #expect(result.roles.map(\.role) == [.timestamp])
        let after = try site.files.contents(of: "site")
        #expect(Set(before.keys) == Set(after.keys))
        #expect(before.filter { $0.value != after[$0.key] }.map(\.key) == ["metadata/timestamp.json"])
        #expect(try site.client().timestamp?.version == 2)
    }

    /// Otherwise a server that derives the `ETag` from seconds and length, like nginx, would answer "unchanged".
    @Test func timestampOfSameLengthHasDifferentTime() throws {
        let site = try Site.published()
        let path = site.files.path("site/\(RepositoryFolder.timestamp)")
        func timeAndLength() throws -> [Int] {
            var status = stat()
            #expect(stat(path, &status) == 0)
            #if canImport(Darwin)
                return [Int(status.st_mtimespec.tv_sec), Int(status.st_size)]
            #else
                return [Int(status.st_mtim.tv_sec), Int(status.st_size)]
            #endif
        }
        var seen = [try timeAndLength()]
        for content in ["two", "six", "ten"] {
            _ = try site.publisher().publish(site.change(["4/ca.json": content]), after: site.state())
            seen.append(try timeAndLength())
        }
        #expect(Set(seen.map(\.[1])).count == 1)
        #expect(Set(seen).count == 4)
        #expect(seen.map(\.[0]) == seen.map(\.[0]).sorted())
    }

    @Test func unknownMembersAreKept() throws {
        let site = try Site.published()
        let writer = MetadataWriter(now: site.now)
        let previous = StrictJSON.object([("delegations", .object([("keys", .string("k"))])), ("x", .boolean(true))])
        let targets = writer.targets([], revoked: [], version: 3, previous: previous)
        #expect(targets.signed["delegations"] == previous["delegations"])
        #expect(targets.signed["x"] == .boolean(true))
        let meta = StrictJSON.object([("mx.json", .object([("version", .string("v"))]))])
        let snapshot = writer.snapshot(
            of: [1], targetsVersion: 3, version: 4, previous: .object([("meta", meta)]))
        #expect(snapshot.signed["meta"]?["mx.json"] == meta["mx.json"])
        #expect(snapshot.signed["meta"]?["targets.json"] != nil)
    }

    // MARK: Failures

    @Test(arguments: ["targets", "snapshot", "timestamp"])
    func missingKeyWritesNothing(_ role: String) throws {
        let site = try Site.published()
        let before = try site.files.contents(of: "site")
        let rest = ["targets", "snapshot", "timestamp"].filter { $0 != role }
        #expect(
            throws: PublishingError.impossible(
                "\(role) 2 has 0 of 1 signatures by the keys of \(role)\n"
                    + "name more keys with --keys or --signer, or use --stage if the keys are elsewhere")
        ) {
            try site.publisher(rest[0], rest[1]).publish(site.change(["4/ca.json": "two"]), after: site.state())
        }
        #expect(try site.files.contents(of: "site") == before)
    }

    @Test func failedWriteKeepsPublishedFiles() throws {
        let site = try Site.published()
        // A file where the folder of the next file would be.
        try Data("x".utf8).write(to: site.files.url.appending(path: "site/targets/5"))
        let before = try site.files.contents(of: "site/metadata")
        #expect(throws: PublishingError.self) {
            try site.publisher().publish(site.change(["5/ca.json": "two"]), after: site.state())
        }
        #expect(try site.files.contents(of: "site/metadata") == before)
        #expect(try site.client().targets?.version == 1)
    }

    @Test func unreferencedVersionsAreNotReused() throws {
        let site = try Site.published()
        // Left over by a publication that was killed before its timestamp.
        let leftover = site.files.url.appending(path: "site/metadata/2.targets.json")
        try Data("{}".utf8).write(to: leftover)
        let result = try site.publisher().publish(site.change(["4/ca.json": "two"]), after: site.state())
        #expect(result.roles.map(\.version) == [3, 2, 2])
        #expect(try Data(contentsOf: leftover) == Data("{}".utf8))
        #expect(try site.client().targets?.version == 3)
    }

    @Test func missingListedFileIsRejected() throws {
        let site = try Site.published()
        var change = site.change(["4/ca.json": "two"])
        change.objects = []
        #expect(throws: PublishingError.self) { try site.publisher().publish(change, after: site.state()) }
        #expect(try site.client().targets?.version == 1)
    }

    @Test(arguments: ["s3cret-value", "with \"quotes\" and \\"])
    func secretValueIsNeverWritten(_ value: String) throws {
        let site = try Site.published()
        let before = try site.files.contents(of: "site")
        let content = String(decoding: StrictJSON.object([("key", .string(value))]).text(), as: UTF8.self)
        let change = site.change(["4/ca.json": content])
        let name = try #require(change.objects.first?.name)
        #expect(
            throws: PublishingError.refused(
                "\(name) contains the value of the secret GLASS_KEY, which anyone could then read; "
                    + "write secret \"GLASS_KEY\" in the market instead")
        ) { try site.publisher(secrets: ["GLASS_KEY": value]).publish(change, after: site.state()) }
        #expect(try site.files.contents(of: "site") == before)
    }

    @Test func secretInMetadataIsDetected() throws {
        let site = try Site.published()
        var change = site.change(["4/ca.json": "two"])
        change.entries?[0].custom = .object([("note", .string("s3cret-value"))])
        #expect(throws: PublishingError.self) {
            try site.publisher(secrets: ["GLASS_KEY": "s3cret-value"]).publish(change, after: site.state())
        }
    }

    @Test func concurrentPublicationIsRejected() throws {
        let site = try Site.published()
        try site.folder.locked {
            #expect(
                throws: PublishingError.impossible(
                    "another process is publishing to \(site.folder.path); try again when it is done")
            ) { try site.folder.locked {} }
        }
        try site.folder.locked {}
    }

    @Test func expiredTargetsAreNotListedAgain() throws {
        var site = try Site.published()
        site.now = site.now.adding(seconds: 200 * 86_400)
        var change = Publisher.Change()
        change.renewsTimestamp = true
        change.renewsSnapshot = true
        let error = #expect(throws: PublishingError.self) { try site.publisher().publish(change, after: site.state()) }
        #expect(error?.description.contains("targets 1: expired") == true, "\(String(describing: error))")
        #expect(
            try site.state().due(at: site.now).map { $0.prefix(17) } == [
                "root 1 expires on", "targets 1 expired", "snapshot 1 expire",
            ])
    }

    // MARK: Staging

    @Test func stagedTargetsArePublishedOnceOwnerSigned() throws {
        let site = try Site.published()
        let before = try site.files.contents(of: "site")
        let change = site.change(["4/ca.json": "two"])
        let staged = try site.publisher("snapshot", "timestamp").publish(change, after: site.state(), staging: true)
        #expect(staged.roles.isEmpty)
        #expect(
            staged.missing == [
                .init(role: .targets, version: 2, keys: "targets", signatures: 0, threshold: 1)
            ])
        for (name, content) in before { #expect(try site.files.contents(of: "site")[name] == content) }

        // The owner has only that key: the targets are signed, and wait for the roles that list them.
        let signed = try site.publisher("targets").signStaged(after: site.state())
        #expect(signed.missing.map(\.role) == [.snapshot, .timestamp])
        #expect(try site.client().targets?.version == 1)
        let result = try site.publisher("snapshot", "timestamp").signStaged(after: site.state())
        #expect(result.roles.map(\.role) == [.targets, .snapshot, .timestamp])
        #expect(try site.client().targets?.version == 2)
        #expect(FileManager.default.fileExists(atPath: site.files.path("site/staged")) == false)
        #expect(
            throws: PublishingError.impossible("nothing is waiting for signatures in \(site.folder.path)/staged")
        ) { try site.publisher().signStaged(after: site.state()) }
    }

    @Test func stagedTargetsAreNotOverwritten() throws {
        let site = try Site.published()
        let (one, other) = (site.change(["4/ca.json": "two"]), site.change(["4/ca.json": "three"]))
        _ = try site.publisher("timestamp").publish(one, after: site.state(), staging: true)
        #expect(
            throws: PublishingError.refused(
                "targets 2 is waiting for signatures in \(site.folder.path)/staged; sign it with glass-delivery sign, "
                    + "or remove that folder")
        ) { try site.publisher().publish(other, after: site.state()) }
        // Staging again replaces the staged targets.
        _ = try site.publisher("timestamp").publish(other, after: site.state(), staging: true)
        _ = try site.publisher().signStaged(after: site.state())
        let target = try #require(try site.client().target("4/ca.json"))
        #expect(target.length == 5)
    }

    // MARK: Roots

    @Test func rootWaitsForItsThreshold() throws {
        let site = try Site()
        let first = try site.publisher("root-1").publish(first: site.root())
        #expect(first.missing == [.init(role: .root, version: 1, keys: "root 1", signatures: 1, threshold: 2)])
        #expect(site.folder.versions(of: "root").isEmpty)
        let second = try site.publisher("root-3").signStaged(after: nil)
        #expect(second.roles.map(\.role) == [.root])
        #expect(site.folder.versions(of: "root") == [1])
    }

    @Test func oldKeysMustSignNewRoot() throws {
        let site = try Site.published()
        let dora = try KeyFile.make(at: site.files.path("keys/dora.pem"))
        let state = try site.state()
        var change = Publisher.Change()
        change.root = try RootCeremony(now: site.now).next(
            after: state.root, adding: [.root: [dora.publicKey]],
            removing: [.root: [String(site.key("root-1").publicKey.id.prefix(8))]])
        // Dora and root-2 are two keys of the new root, but only one of the old.
        let waiting = try site.publisher("dora", "root-2").publish(change, after: state, staging: true)
        #expect(waiting.missing == [.init(role: .root, version: 2, keys: "root 1", signatures: 1, threshold: 2)])
        #expect(try site.client().root.version == 1)
        // The key that is removed may sign as well.
        let done = try site.publisher("root-1").signStaged(after: site.state())
        #expect(done.roles.map(\.role) == [.root])
        #expect(try site.client().root.version == 2)
    }

    @Test func newTimestampKeyResignsTimestamp() throws {
        let site = try Site.published()
        let new = try KeyFile.make(at: site.files.path("keys/timestamp-2.pem"))
        let state = try site.state()
        var change = Publisher.Change()
        change.root = try RootCeremony(now: site.now).next(
            after: state.root, adding: [.timestamp: [new.publicKey]],
            removing: [.timestamp: [site.key("timestamp").publicKey.id]])
        let result = try site.publisher().publish(change, after: state)
        #expect(result.roles.map(\.role) == [.root, .timestamp])
        let client = try site.client()
        #expect(client.root.version == 2)
        #expect(client.timestamp?.version == 2)
    }

    @Test func newTargetsKeysResignTargets() throws {
        let site = try Site.published()
        let new = try KeyFile.make(at: site.files.path("keys/targets-2.pem"))
        let state = try site.state()
        var change = Publisher.Change()
        change.root = try RootCeremony(now: site.now).next(
            after: state.root, adding: [.targets: [new.publicKey]],
            removing: [.targets: [site.key("targets").publicKey.id]])
        let result = try site.publisher().publish(change, after: state)
        #expect(result.roles.map(\.role) == [.root, .targets, .snapshot, .timestamp])
        #expect(try site.client().target("4/ca.json") != nil)
    }

    @Test func rolesCannotShareKeys() throws {
        let site = try Site()
        let shared = try site.key("timestamp").publicKey
        let error = #expect(throws: PublishingError.self) {
            try RootCeremony(now: site.now).first(
                keys: [
                    .root: [site.key("root-1").publicKey], .targets: [site.key("targets").publicKey],
                    .snapshot: [shared],
                    .timestamp: [shared],
                ], thresholds: [:])
        }
        #expect(
            error
                == .refused(
                    "the roles timestamp and snapshot share the key \(shared.id.prefix(8))…; "
                        + "give each role its own keys"))
    }

    @Test(
        arguments: [
            ([], [], 4, "the role root has 3 keys, but 4 must sign; name more keys, or a lower threshold"),
            (["ffff"], [], 2, "ffff matches no key of the role root, which has "),
            ([], ["root-1"], 2, "the role root already has the key "),
        ] as [([String], [String], Int, String)])
    func unusableRootIsRejected(_ removed: [String], _ added: [String], _ threshold: Int, _ text: String) throws {
        let site = try Site.published()
        let error = #expect(throws: PublishingError.self) {
            try RootCeremony(now: site.now).next(
                after: site.state().root, adding: [.root: added.map { try site.key($0).publicKey }],
                removing: [.root: removed], thresholds: [.root: threshold])
        }
        #expect(error?.description.hasPrefix(text) == true, "\(String(describing: error))")
        #expect(error?.kind == .refused)
    }
}
