import DeliverySupport
import Foundation
import GlassBase
@testable import GlassDelivery
import GlassMarkets
import Testing

/// The folder of a store: one from an earlier version, and one of another program.
@Suite(.timeLimit(.minutes(1)))
struct StoreFolderTests {
    private let temporary = TemporaryStore()

    private func setMode(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(temporary.path)/\(name)")
    }

    /// `Tests/Upgrade` documents the actions of the earlier version.
    @Test func storeOfEarlierVersionIsRecognizedAndRead() throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try FileManager.default.createDirectory(at: temporary.folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: repository.appending(path: "Upgrade/store").path, toPath: temporary.path)
        for name in ["", "objects"] { try setMode(0o755, name) }
        let store = temporary.store
        let state = try #require(try store.state())
        #expect(state.install == "937fb075a8d0a3de70ac87aac65fea0d" && state.generation == 2)
        #expect(state.checked == UpdateTime(secondsSince1970: 1_780_315_200))
        #expect(state.validUntil == UpdateTime(secondsSince1970: 1_780_920_000))
        #expect(state.versions == ["root": 1, "snapshot": 1, "targets": 1, "timestamp": 1])
        #expect(state.markets.keys.sorted() == ["ca", "mx", "us"])
        #expect(
            try store.metadata().keys.sorted() == ["root.json", "snapshot.json", "targets.json", "timestamp.json"])
        for digest in state.digests {
            let size = try FileManager.default.attributesOfItem(atPath: "\(temporary.path)/objects/\(digest)")[.size]
            let version = try #require(state.markets.values.compactMap(\.pending).first { $0.digest == digest })
            #expect(try store.bytes(of: version).count == size as? Int)
        }
        try store.update { $0.app = "25.1" }
        #expect(try store.state()?.app == "25.1" && store.state()?.markets == state.markets)
        #expect(try temporary.mode(of: "") == 0o700 && temporary.mode(of: "objects") == 0o700)
    }

    /// The app reads no market of such a store: each is given up with the reason, and the embedded one is used.
    @Test func marketOfFormerFormatInStoreIsGivenUp() async throws {
        let upgrade = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Upgrade")
        let object = "former/store/objects/c8a05c393f9e8ef17f170a0c140cccf61ffa7d83541c2bac329987c12d322264"
        let former = try Array(Data(contentsOf: upgrade.appending(path: object)))
        let own = try Array(Data(contentsOf: upgrade.appending(path: "compiled/4/ca.json")))
        let repository = try TestRepository(temporary.folder.appending(path: "server"))
        try repository.publish([TestRepository.File("4/ca.json", own)])
        try repository.embed(in: temporary.folder.appending(path: "app"))
        // An earlier app ran the version of the next publication, and has one more that waits.
        try repository.publish([TestRepository.File("1/ca.json", former)])
        try repository.embed(in: temporary.folder.appending(path: "store"))
        for name in ["", "objects"] { try setMode(0o700, name) }
        let versions = try [former, former + [0x0A]].map { bytes in
            let version = DeliveredVersion(of: bytes, path: "1/ca.json", serial: 1)
            if let object = try temporary.store.object(for: version) {
                try object.write(bytes)
                try object.finish()
            }
            return version
        }
        try temporary.store.update { state in
            state.versions = ["root": 1, "snapshot": 2, "targets": 2, "timestamp": 2]
            (state.verified, state.validUntil) = (
                UpdateTime(secondsSince1970: 1_500_000), UpdateTime(secondsSince1970: 1_900_000_000)
            )
            var health = MarketHealth()
            (health.active, health.healthy, health.pending) = (versions[0], versions[0], versions[1])
            state.markets["ca"] = health
        }
        let read = Lock<[String]>([])
        let builtAt = UpdateTime(secondsSince1970: 1_000_000)
        let choice = TargetChoice(app: try #require(AppVersion("25.1")), install: nil)
        let markets = DeliveredMarkets(
            embedded: try EmbeddedMarkets(
                path: temporary.folder.appending(path: "app").path, builtAt: builtAt, choice: choice),
            store: temporary.store, clock: DeliveryClock(builtAt: builtAt) { UpdateTime(secondsSince1970: 2_000_000) },
            choice: choice
        ) { id, bytes, digest in
            let market = try CompiledMarket(reading: bytes, name: "\(id).json")
            read.withLock { $0.append(market.id) }
            return try TestMarkets.build(id, Array("ca embedded".utf8), digest)
        }
        #expect(try markets.check("ca").market?.definition.name == "embedded")
        #expect(read.withLock { $0 } == ["ca"])
        let health = try #require(try temporary.store.state()?.markets["ca"])
        #expect(health.active == nil && health.pending == nil)
        for version in versions {
            #expect(
                health.quarantined[version.digest]?.reason
                    == "ca.json has the format 1, which was used before the first release; this version reads 4: "
                    + "compile the market again")
        }
    }

    /// Somebody's mistake must not keep a phone on old markets forever.
    @Test(arguments: ["state", "root.json", "lock"])
    func folderInPlaceOfFileIsMovedAside(name: String) throws {
        let files = { DeliveryStore.MetadataChange(base: $0, files: ["root.json": Array("{}".utf8)]) }
        try temporary.store.update(metadata: files([:])) { $0.app = "1" }
        for round in 1...2 {
            try FileManager.default.removeItem(atPath: "\(temporary.path)/\(name)")
            try FileManager.default.createDirectory(
                atPath: "\(temporary.path)/\(name)/mine", withIntermediateDirectories: true)
            let store = temporary.store
            try store.update(metadata: files(store.metadata())) { $0.app = "\(round + 1)" }
            #expect(try store.state()?.app == "\(round + 1)")
            #expect(try store.metadata().keys.sorted() == ["root.json"])
            let aside = "\(name).folder\(round > 1 ? "-\(round)" : "")"
            #expect(store.takeMovedAside() == ["\(temporary.path)/\(aside)"])
            #expect(store.takeMovedAside() == [])
            #expect(try temporary.names(in: aside) == ["mine"])
        }
    }

    @Test func unrelatedFolderIsRejectedAndLeftAlone() throws {
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: "\(temporary.path)/notes.txt"))
        try setMode(0o755, "")
        let error = #expect(throws: StoreError.self) { try temporary.store.update { $0.app = "1" } }
        #expect(
            error?.description.hasPrefix(
                "the store of delivered markets cannot create its folder: the folder \(temporary.path) is open to "
                    + "others and contains other files, such as notes.txt; use a new or an empty folder") == true)
        #expect(try temporary.names() == ["notes.txt"])
        #expect(try temporary.mode(of: "") == 0o755)
    }
}
