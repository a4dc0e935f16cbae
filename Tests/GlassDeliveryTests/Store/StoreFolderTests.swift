import Foundation
@testable import GlassDelivery
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
        #expect(state.install == "44a269f8b6ce60ebc7486517120d9cd9" && state.generation == 2)
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
