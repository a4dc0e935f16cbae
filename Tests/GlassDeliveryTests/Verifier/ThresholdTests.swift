@testable import GlassDelivery
import Testing

@Suite struct ThresholdTests {
    private let key: SampleKey
    private let first: SampleKey
    private let second: SampleKey

    init() throws {
        key = try SampleKey("root")
        first = try SampleKey("first")
        second = try SampleKey("second")
    }

    /// Verifies a timestamp in a repository with these timestamp keys.
    private func take(
        _ timestamp: [UInt8], keys: [SampleKey], threshold: Int
    ) throws {
        var trusted = try TrustedSet(root: SampleRepository.root(key: key, timestamp: (keys, threshold)))
        try trusted.update(timestamp: timestamp, now: SampleRepository.now)
    }

    @Test func thresholdOfKeysMustSign() throws {
        try take(SampleRepository.timestamp(by: [first, second]), keys: [first, second], threshold: 2)
        let error = #expect(throws: MetadataError.self) {
            try take(SampleRepository.timestamp(by: [first, key]), keys: [first, second], threshold: 2)
        }
        #expect(error?.description == "timestamp 1: unsigned: 1 of 2 required keys signed, according to root 1")
    }

    @Test func keyWithTwoIDsCountsOnce() throws {
        let alias = try SampleKey("first", id: "another id")
        let timestamp = try SampleRepository.timestamp(by: [first, alias])
        let error = #expect(throws: MetadataError.self) {
            try take(timestamp, keys: [first, alias], threshold: 2)
        }
        #expect(error?.rule == .unsigned)
    }

    @Test func keyIDsNeedNotBeDigests() throws {
        let named = try SampleKey("first", id: "é")
        let other = try SampleKey("second", id: "e\u{301}")
        try take(SampleRepository.timestamp(by: [named, other]), keys: [named, other], threshold: 2)
    }

    @Test func unreachableThresholdIsNotMet() throws {
        #expect(throws: MetadataError.self) {
            try take(SampleRepository.timestamp(by: [first, second]), keys: [first, second], threshold: 3)
        }
    }

    @Test(arguments: [0, -1]) func thresholdIsAtLeastOne(_ threshold: Int) throws {
        let error = #expect(throws: MetadataError.self) {
            try take(SampleRepository.timestamp(by: []), keys: [first], threshold: threshold)
        }
        #expect(error?.rule == .malformed)
    }

    /// Section 5.3.11: if the keys of the timestamp or the snapshot are replaced, both are discarded, so that a client
    /// recovers from versions that an attacker with the old key set too high.
    @Test(arguments: [("timestamp", true), ("snapshot", true), ("neither", false)])
    func replacedTimestampOrSnapshotKeyDiscardsBoth(_ role: String, _ forgets: Bool) throws {
        var trusted = try TrustedSet(root: SampleRepository.root(key: key))
        try trusted.update(timestamp: SampleRepository.timestamp(by: [key]), now: SampleRepository.now)
        try trusted.update(snapshot: SampleRepository.snapshot(roles: ["targets"], by: key), now: SampleRepository.now)
        try trusted.update(
            root: SampleRepository.root(
                2, key: key, timestamp: role == "timestamp" ? ([first], 1) : nil,
                snapshot: role == "snapshot" ? second : nil))
        #expect(try trusted.finishRoots(now: SampleRepository.now) == forgets)
        #expect((trusted.timestamp == nil) == forgets)
        #expect((trusted.snapshot == nil) == forgets)
    }

    @Test func unsupportedKeyTypeDoesNotCount() throws {
        var root = String(decoding: try SampleRepository.root(key: key), as: UTF8.self)
        root = root.replacing("\"keytype\":\"ed25519\"", with: "\"keytype\":\"rsa\"")
        let error = #expect(throws: MetadataError.self) { try TrustedSet(root: Array(root.utf8)) }
        #expect(error?.description == "root 1: unsigned: 0 of 1 required keys signed, according to the root itself")
    }
}
