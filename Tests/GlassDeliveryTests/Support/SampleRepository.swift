import Crypto
import GlassBase
@testable import GlassDelivery
import Testing

/// A test key, derived from its name.
struct SampleKey: Sendable {
    let id: String
    let json: StrictJSON
    private let key: Curve25519.Signing.PrivateKey

    init(_ name: String, id: String? = nil) throws {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: Array(SHA256.hash(data: Array(name.utf8))))
        json = .object([
            ("keytype", .string("ed25519")), ("scheme", .string("ed25519")),
            ("keyval", .object([("public", .string(Array(key.publicKey.rawRepresentation).hexadecimal))])),
        ])
        self.id = id ?? SHA256.hash(data: json.canonical()).hexadecimal
    }

    func signature(of bytes: [UInt8]) throws -> StrictJSON {
        .object([
            ("keyid", .string(id)), ("sig", .string(Array(try key.signature(for: bytes)).hexadecimal)),
        ])
    }
}

/// Writes signed metadata for tests.
enum SampleRepository {
    static let now = time("2026-06-01T12:00:00Z")

    static func time(_ text: String) -> UpdateTime {
        guard let time = UpdateTime(text) else { preconditionFailure("no time: \(text)") }
        return time
    }

    static func integer(_ value: Int) -> StrictJSON { .integer(.init(value)) }

    /// A signed file.
    static func file(
        _ type: String, _ version: Int = 1, expires: String = "2027-01-01T00:00:00Z", by keys: [SampleKey],
        _ members: [(String, StrictJSON)]
    ) throws -> [UInt8] {
        let signed = StrictJSON.object(
            [
                ("_type", .string(type)), ("expires", .string(expires)), ("spec_version", .string("1.0.31")),
                ("version", integer(version)),
            ] + members)
        let signatures = try keys.map { try $0.signature(of: signed.canonical()) }
        return StrictJSON.object([("signatures", .array(signatures)), ("signed", signed)]).text()
    }

    static func role(_ keys: [SampleKey], threshold: Int = 1) -> [(String, StrictJSON)] {
        [("keyids", .array(keys.map { .string($0.id) })), ("threshold", integer(threshold))]
    }

    static func keys(_ keys: [SampleKey]) -> StrictJSON {
        var seen: Set<[UInt8]> = []
        return .object(keys.filter { seen.insert(Array($0.id.utf8)).inserted }.map { ($0.id, $0.json) })
    }

    /// A root in which one key signs for every role, unless specified otherwise.
    static func root(
        _ version: Int = 1, key: SampleKey, timestamp: (keys: [SampleKey], threshold: Int)? = nil,
        snapshot: SampleKey? = nil, by signers: [SampleKey]? = nil, consistent: Bool = true
    ) throws -> [UInt8] {
        let timestamp = timestamp ?? ([key], 1)
        return try file(
            "root", version, by: signers ?? [key],
            [
                ("consistent_snapshot", .boolean(consistent)), ("keys", keys([key, snapshot ?? key] + timestamp.keys)),
                (
                    "roles",
                    .object([
                        ("root", .object(role([key]))), ("snapshot", .object(role([snapshot ?? key]))),
                        ("targets", .object(role([key]))),
                        ("timestamp", .object(role(timestamp.keys, threshold: timestamp.threshold))),
                    ])
                ),
            ])
    }

    static func timestamp(_ version: Int = 1, snapshot: Int = 1, by keys: [SampleKey]) throws -> [UInt8] {
        try file(
            "timestamp", version, by: keys,
            [("meta", .object([("snapshot.json", .object([("version", integer(snapshot))]))]))])
    }

    static func snapshot(_ version: Int = 1, roles: [String], by key: SampleKey) throws -> [UInt8] {
        try file(
            "snapshot", version, by: [key],
            [
                (
                    "meta",
                    .object(roles.map { ("\($0).json", .object([("version", integer(1))])) })
                )
            ])
    }

    /// A targets file that lists files with their content, and delegated roles.
    static func targets(
        _ files: [String: String] = [:], delegations: [StrictJSON] = [], keys known: [SampleKey] = [], by key: SampleKey
    ) throws -> [UInt8] {
        let listed = files.map { path, content in
            let bytes = Array(content.utf8)
            let hashes = StrictJSON.object([("sha256", .string(SHA256.hash(data: bytes).hexadecimal))])
            return (path, StrictJSON.object([("hashes", hashes), ("length", integer(bytes.count))]))
        }
        var members: [(String, StrictJSON)] = [("targets", .object(listed))]
        if !delegations.isEmpty {
            members.append(
                ("delegations", .object([("keys", keys(known)), ("roles", .array(delegations))])))
        }
        return try file("targets", by: [key], members)
    }

    /// A delegation in a targets file.
    static func delegation(
        _ name: String, _ key: SampleKey, paths: [String], isTerminating: Bool = false
    ) -> StrictJSON {
        .object(
            role([key]) + [
                ("name", .string(name)), ("paths", .array(paths.map { .string($0) })),
                ("terminating", .boolean(isTerminating)),
            ])
    }
}
