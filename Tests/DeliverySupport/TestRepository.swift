import Crypto
public import Foundation
import GlassBase
import GlassDelivery

/// A repository of signed markets in a folder, as a publisher writes it: one Ed25519 key for each role.
public final class TestRepository {
    /// A market file to publish.
    public struct File {
        /// The path in the repository.
        public var path: String
        /// The content.
        public var bytes: [UInt8]
        /// Custom metadata, as JSON.
        public var custom: String?

        /// Creates a file to publish.
        public init(_ path: String, _ bytes: [UInt8], custom: String? = nil) {
            self.path = path
            self.bytes = bytes
            self.custom = custom
        }
    }

    /// The folder, with `metadata` and `targets` in it.
    public let folder: URL
    /// The latest version of each role.
    public private(set) var versions = ["root": 1, "timestamp": 0, "snapshot": 0, "targets": 0]
    /// When the next release expires.
    public var expires = "2030-01-01T00:00:00Z"
    private var keys: [String: Curve25519.Signing.PrivateKey] = [:]

    /// Creates the folder and a repository with its first root.
    public init(_ folder: URL) throws {
        self.folder = folder
        for (number, role) in ["root", "timestamp", "snapshot", "targets"].enumerated() {
            keys[role] = try .init(rawRepresentation: Data(repeating: UInt8(number + 1), count: 32))
        }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "metadata"), withIntermediateDirectories: true)
        try writeRoot()
    }

    private func writeRoot() throws {
        var listed: [(String, StrictJSON)] = []
        var roles: [(String, StrictJSON)] = []
        for (role, key) in keys.sorted(by: { $0.key < $1.key }) {
            listed.append((Self.id(of: key), Self.json(of: key)))
            roles.append(
                (role, .object([("keyids", .array([.string(Self.id(of: key))])), ("threshold", .integer(.init(1)))])))
        }
        try write(
            "root", "\(versions["root"] ?? 1).root.json",
            [("consistent_snapshot", .boolean(true)), ("keys", .object(listed)), ("roles", .object(roles))])
    }

    /// Publishes the next root, with other keys for the timestamp.
    public func rotate() throws {
        versions["root", default: 1] += 1
        keys["timestamp"] = .init()
        try writeRoot()
    }

    /// Publishes files as the next release, which replaces all earlier files.
    public func publish(_ files: [File], revoked: [String] = []) throws {
        for role in ["timestamp", "snapshot", "targets"] { versions[role, default: 0] += 1 }
        var targets: [(String, StrictJSON)] = []
        for file in files {
            let digest = Self.hexadecimal(SHA256.hash(data: file.bytes))
            var members: [(String, StrictJSON)] = [
                ("length", .integer(.init(file.bytes.count))), ("hashes", .object([("sha256", .string(digest))])),
            ]
            if let custom = file.custom {
                members.append(("custom", try StrictJSON(reading: Array(custom.utf8), limit: 10_000)))
            }
            targets.append((file.path, .object(members)))
            let url = folder.appending(path: "targets/\(file.path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(
                to: url.deletingLastPathComponent().appending(path: "\(digest).\(url.lastPathComponent)"))
        }
        var members: [(String, StrictJSON)] = [("targets", .object(targets))]
        if !revoked.isEmpty { members.append(("revoked", .array(revoked.map { .string($0) }))) }
        try write("targets", "\(versions["targets"] ?? 0).targets.json", members)
        try write("snapshot", "\(versions["snapshot"] ?? 0).snapshot.json", [("meta", Self.meta("targets", versions))])
        try write("timestamp", "timestamp.json", [("meta", Self.meta("snapshot", versions))])
    }

    /// The metadata as a store holds it: with the latest root and without versions in the names.
    public func metadata() throws -> [String: Data] {
        func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: "metadata/\(name)")) }
        return [
            "root.json": try data("\(versions["root"] ?? 1).root.json"), "timestamp.json": try data("timestamp.json"),
            "snapshot.json": try data("\(versions["snapshot"] ?? 0).snapshot.json"),
            "targets.json": try data("\(versions["targets"] ?? 0).targets.json"),
        ]
    }

    /// Writes the latest release as an app's embedded snapshot.
    public func embed(in target: URL) throws {
        let objects = target.appending(path: "objects")
        try FileManager.default.createDirectory(at: objects, withIntermediateDirectories: true)
        for (name, data) in try metadata() { try data.write(to: target.appending(path: name)) }
        let files = FileManager.default.enumerator(
            at: folder.appending(path: "targets"), includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() {
            let digest = String(file.lastPathComponent.prefix { $0 != "." })
            guard digest.count == 64 else { continue }
            try Data(contentsOf: file).write(to: objects.appending(path: digest))
        }
    }

    private func write(_ role: String, _ name: String, _ members: [(String, StrictJSON)]) throws {
        guard let key = keys[role] else { return }
        let signed = StrictJSON.object(
            members + [
                ("_type", .string(role)), ("spec_version", .string("1.0.31")), ("expires", .string(expires)),
                ("version", .integer(.init(versions[role] ?? 1))),
            ])
        let signature = try key.signature(for: Data(signed.canonical()))
        let file = StrictJSON.object([
            ("signed", signed),
            (
                "signatures",
                .array([
                    .object([("keyid", .string(Self.id(of: key))), ("sig", .string(Self.hexadecimal(signature)))])
                ])
            ),
        ])
        try Data(file.text()).write(to: folder.appending(path: "metadata/\(name)"))
    }

    private static func meta(_ role: String, _ versions: [String: Int]) -> StrictJSON {
        .object([("\(role).json", .object([("version", .integer(.init(versions[role] ?? 0)))]))])
    }

    private static func json(of key: Curve25519.Signing.PrivateKey) -> StrictJSON {
        .object([
            ("keytype", .string("ed25519")), ("scheme", .string("ed25519")),
            ("keyval", .object([("public", .string(hexadecimal(key.publicKey.rawRepresentation)))])),
        ])
    }

    private static func id(of key: Curve25519.Signing.PrivateKey) -> String {
        hexadecimal(SHA256.hash(data: json(of: key).canonical()))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
