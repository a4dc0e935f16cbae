import Foundation
@testable import GlassDelivery
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct DeliveryStoreTests {
    private let temporary = TemporaryStore()

    @Test func missingStoreIsEmptyAndNotCreated() throws {
        #expect(try temporary.store.state() == nil)
        #expect(try temporary.store.metadata().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
    }

    @Test func stateRoundTrips() throws {
        let version = try temporary.add("canada", serial: 118)
        let other = try temporary.add("other")
        let written = try temporary.store.update { state in
            state.app = "25.1"
            state.versions = ["root": 3, "targets": 2]
            state.verified = UpdateTime(secondsSince1970: 100)
            state.validUntil = UpdateTime(secondsSince1970: 200)
            state.checked = UpdateTime(secondsSince1970: 101)
            state.nextCheck = UpdateTime(secondsSince1970: 150)
            state.failure = .init(since: UpdateTime(secondsSince1970: 90), count: 2, refusals: 1, text: "é \"\\\n")
            state.timestampTag = .init(value: "\"abc\"", digest: version.digest)
            state.revoked = [version.digest]
            var health = MarketHealth()
            health.active = version
            health.healthy = other
            health.trialStarts = 2
            health.unhealthyStarts = 5
            health.quarantined[version.digest] = .init(
                since: UpdateTime(secondsSince1970: 7), reason: "it crashes", isUnusable: true)
            state.markets["ca"] = health
            state.incompatible["mx"] = "it is for version 26 of the app"
            return state
        }
        var expected = written
        expected.generation = 1
        #expect(try temporary.store.state() == expected)
    }

    @Test func filesAndFoldersArePrivate() throws {
        let umask = setUmask(0)
        defer { _ = setUmask(umask) }
        let version = try temporary.add("canada")
        try temporary.store.update(metadata: .init(base: [:], files: ["root.json": [1]])) { $0.app = "1" }
        #expect(try temporary.mode(of: "") == 0o700)
        #expect(try temporary.mode(of: "objects") == 0o700)
        for file in ["state", "lock", "root.json", "objects/\(version.digest)"] {
            #expect(try temporary.mode(of: file) == 0o600, "\(file)")
        }
        #expect(try temporary.names() == ["lock", "objects", "root.json", "state"])
    }

    @Test(arguments: [
        ("canada!", "more than"), ("canad", "5 bytes"), ("banana", "digest"), ("", "0 bytes"),
    ])
    func unexpectedBytesLeaveNoFile(bytes: String, reason: String) throws {
        let version = DeliveredVersion("canada")
        let error = #expect(throws: StoreError.self) {
            let file = try #require(try temporary.store.object(for: version))
            for byte in bytes.utf8 { try file.write([byte]) }
            try file.finish()
        }
        #expect("\(try #require(error))".contains(reason))
        #expect(try temporary.names(in: "objects").isEmpty)
        #expect(throws: StoreError.missingObject(version.digest)) { try temporary.store.bytes(of: version) }
    }

    @Test func corruptObjectCountsAsMissingAndIsReplaced() throws {
        let version = try temporary.add("canada")
        try Data("danada".utf8).write(to: URL(filePath: temporary.path + "/objects/" + version.digest))
        #expect(throws: StoreError.missingObject(version.digest)) { try temporary.store.bytes(of: version) }
        try Data("canada and more".utf8).write(to: URL(filePath: temporary.path + "/objects/" + version.digest))
        #expect(throws: StoreError.missingObject(version.digest)) { try temporary.store.bytes(of: version) }
        try temporary.add("canada")
        #expect(try temporary.store.bytes(of: version) == Array("canada".utf8))
    }

    @Test func stateCannotReferToMissingObjects() throws {
        let version = DeliveredVersion("canada")
        #expect(throws: StoreError.missingObject(version.digest)) {
            try temporary.store.update { $0.markets["ca", default: MarketHealth()].pending = version }
        }
        #expect(try temporary.store.state() == nil)
        try temporary.store.update(elsewhere: [version.digest]) {
            $0.markets["ca", default: MarketHealth()].pending = version
        }
        #expect(try temporary.store.state()?.markets["ca"]?.pending == version)
    }

    @Test func updateBasedOnOtherMetadataIsRejected() throws {
        let first = ["root.json": [UInt8(1)], "timestamp.json": [1], "team%2Fmx.json": [1]]
        try temporary.store.update(metadata: .init(base: [:], files: first)) { $0.app = "1" }
        #expect(throws: StoreError.superseded) {
            try temporary.store.update(metadata: .init(base: [:], files: ["root.json": [2]])) { $0.app = "2" }
        }
        #expect(try temporary.store.metadata() == first)
        #expect(try temporary.store.state()?.app == "1")
        let second = ["root.json": [UInt8(1)], "timestamp.json": [2]]
        try temporary.store.update(metadata: .init(base: first, files: second)) { $0.app = "3" }
        #expect(try temporary.store.metadata() == second)
        #expect(try temporary.names() == ["lock", "objects", "root.json", "state", "timestamp.json"])
    }

    @Test func slowerUpdateStartsFromFasterOne() throws {
        let store = temporary.store
        var isFirst = true
        try store.update { state throws(StoreError) in
            if isFirst {
                isFirst = false
                try store.update { $0.app = "2" }
            }
            state.incompatible["ca"] = state.app
        }
        #expect(try store.state()?.incompatible["ca"] == "2")
        #expect(try store.state()?.generation == 2)
    }

    @Test func unchangedStateIsNotWritten() throws {
        try temporary.store.update { $0.app = "1" }
        let store = DeliveryStore(temporary.path, system: StoreSystem { _ in .failure(EIO) })
        #expect(try store.update { $0.app } == "1")
        #expect(try store.state()?.generation == 1)
    }

    @Test func lockOfOtherProcessTimesOut() throws {
        try temporary.store.update { $0.app = "1" }
        let descriptor = open(temporary.path + "/lock", O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let store = DeliveryStore(temporary.path, lockWait: .milliseconds(5))
        #expect(throws: StoreError.busy) { try store.update { $0.app = "2" } }
        #expect(try store.state()?.app == "1")
        #expect(try temporary.names() == ["lock", "objects", "state"])
    }

    @Test func unreferencedFilesAreCollected() throws {
        let store = temporary.store
        let (used, unused) = (try temporary.add("used"), try temporary.add("unused"))
        try store.update { $0.markets["ca", default: MarketHealth()].healthy = used }
        try Data("half".utf8).write(to: URL(filePath: temporary.path + "/objects/.part-1"))
        try Data("half".utf8).write(to: URL(filePath: temporary.path + "/.part-2"))
        #expect(try store.collect(now: .system) == 1)
        #expect(try temporary.names(in: "objects") == [".part-1", used.digest])
        #expect(throws: StoreError.missingObject(unused.digest)) { try store.bytes(of: unused) }
        // Files that another process is writing now are younger.
        #expect(try store.collect(now: UpdateTime.system.adding(seconds: 700)) == 2)
        #expect(try temporary.names(in: "objects") == [used.digest])
        #expect(try temporary.names() == ["lock", "objects", "state"])
    }

    /// A folder may contain files of other programs, or of an app that used other roles.
    @Test func excessMetadataIsIgnoredAndRemoved() throws {
        let own = Dictionary(uniqueKeysWithValues: UpdateRole.allCases.map { ("\($0.rawValue).json", [UInt8(1)]) })
        try temporary.store.update(metadata: .init(base: [:], files: own)) { $0.app = "1" }
        for number in 0..<400 {
            try Data([1]).write(to: URL(filePath: "\(temporary.path)/a\(number).json"))
        }
        try Data(count: 3 << 20).write(to: URL(filePath: "\(temporary.path)/large.json"))
        let base = try temporary.store.metadata()
        #expect(base.count == 256)
        #expect(base["large.json"] == nil && own.keys.allSatisfy { base[$0] != nil })
        var files = own
        files["timestamp.json"] = [2]
        try temporary.store.update(metadata: .init(base: base, files: files)) { $0.app = "2" }
        #expect(try temporary.names() == (own.keys + ["lock", "objects", "state"]).sorted())
        #expect(try temporary.store.metadata() == files)
    }

    @Test func metadataUpdateIsLimitedAsWhole() throws {
        let small = Dictionary(uniqueKeysWithValues: (0...256).map { ("r\($0).json", [UInt8(1)]) })
        let large = Dictionary(
            uniqueKeysWithValues: (0..<9).map { ("r\($0).json", [UInt8](repeating: 0x20, count: 1 << 20)) })
        for files in [small, large] {
            #expect(throws: StoreError.tooMuchMetadata(files: 256, bytes: 8 << 20)) {
                try temporary.store.update(metadata: .init(base: [:], files: files)) { $0.app = "1" }
            }
        }
        // A phone accepts a targets file of the listed length, and can read it again.
        let targets = ["targets.json": [UInt8](repeating: 0x20, count: (2 << 20) - 1)]
        try temporary.store.update(metadata: .init(base: [:], files: targets)) { $0.app = "1" }
        #expect(try temporary.store.metadata() == targets)
    }

    @Test func quotaCoversAllMarketsTogether() throws {
        let large = String(repeating: "x", count: 3 << 20)
        try temporary.add(large)
        let error = #expect(throws: StoreError.self) { try temporary.add(large + "y") }
        #expect(error == .full(limit: 4 << 20))
        try temporary.add("small")
    }

    @Test(arguments: [
        "", "{", "[]", "{\"format\":2}", "{\"format\":1}", String(repeating: " ", count: 300_000),
        "{\"format\":1,\"generation\":1,\"install\":\"a\",\"app\":\"1\",\"versions\":{\"root\":\"x\"}}",
    ])
    func unreadableStateIsReportedAndReplacedByNextChange(content: String) throws {
        try temporary.store.update { $0.app = "1" }
        try Data(content.utf8).write(to: URL(filePath: temporary.path + "/state"))
        #expect(throws: StoreError.self) { try temporary.store.state() }
        try temporary.store.update { $0.app = "2" }
        #expect(try temporary.store.state()?.app == "2")
    }

    @Test func invalidDigestInStateIsRejected() throws {
        try temporary.store.update { $0.revoked = ["../../etc/passwd"] }
        #expect(throws: StoreError.self) { try temporary.store.state() }
    }

    @Test(arguments: StoreSystem.Step.allCases)
    func failedCallChangesNothingForReaders(step: StoreSystem.Step) throws {
        try temporary.store.update(metadata: .init(base: [:], files: ["root.json": [1]])) { $0.app = "1" }
        for code in [ENOSPC, EIO, EACCES, EROFS] {
            let store = DeliveryStore(
                temporary.path, system: StoreSystem { $0 == step ? .failure(code) : .none }, lockWait: .milliseconds(5))
            let isWritten: Bool
            do {
                try store.update(
                    metadata: .init(base: ["root.json": [1]], files: ["root.json": [1], "timestamp.json": [1]])
                ) {
                    $0.app = "2"
                }
                isWritten = true
            } catch {
                isWritten = false
                // If synchronizing the folder fails, the names may or may not be durable.
                if step != .synchronizeFolder { #expect(try store.state()?.app == "1") }
            }
            #expect(isWritten == (step == .unlock || step == .remove))
            if try store.state()?.app == "2" { return }
            #expect(try store.metadata() == ["root.json": [1]])
            #expect(try temporary.names().filter { $0.hasPrefix(".part-") }.isEmpty == (step != .remove))
        }
    }

    @Test func shortWriteIsContinued() throws {
        let store = DeliveryStore(temporary.path, system: StoreSystem { $0 == .write ? .short(3) : .none })
        try store.update { $0.app = "a version that takes many writes" }
        #expect(try store.state()?.app == "a version that takes many writes")
    }
}

/// Avoids a conflict with local variables named `umask`.
private func setUmask(_ mask: mode_t) -> mode_t { umask(mask) }
