import Foundation
import GlassBase
import GlassDelivery

/// Checks how a metadata file is handled in one of the vector repositories, whose private keys the input cannot have.
enum FuzzedMetadata {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../GlassDeliveryTests/Fixtures/tuf").standardizedFileURL

    private static func bytes(_ path: String) -> [UInt8] {
        do { return Array(try Data(contentsOf: folder.appending(path: path))) } catch {
            preconditionFailure("a file of the vectors cannot be read: \(error)")
        }
    }

    private static let now: UpdateTime = {
        guard let now = UpdateTime("2026-06-01T12:00:00Z") else { preconditionFailure("no time") }
        return now
    }()

    /// The genuine files: a repository that lists no hashes, so that different bytes of a role are read.
    private static let genuine: [String: [UInt8]] = [
        "root": bytes("repos/good/metadata/2.root.json"),
        "timestamp": bytes("vectors/ok-no-hashes/1-timestamp.json"),
        "snapshot": bytes("vectors/ok-no-hashes/1-1.snapshot.json"),
        "targets": bytes("repos/good/metadata/1.targets.json"),
    ]

    /// Other files in the corpus that are signed with these keys.
    private static let others = [
        "vectors/ok-p256-key/1-3.root.json", "vectors/ok-unknown-fields/1-timestamp.json",
        "vectors/ok-delegation/1-1.targets.json",
    ].map(bytes)

    private static let roots = (1...3).map { bytes("repos/good/metadata/\($0).root.json") }

    /// The trusted state before an input for each role.
    private static let before: [String: TrustedSet] = {
        do {
            var set = try TrustedSet(root: roots[0])
            var sets = ["root": set]
            try set.update(root: roots[1])
            try set.update(root: roots[2])
            sets["timestamp"] = set
            try set.update(timestamp: genuine["timestamp"] ?? [], now: now)
            sets["snapshot"] = set
            try set.update(snapshot: genuine["snapshot"] ?? [], now: now)
            sets["targets"] = set
            return sets
        } catch { preconditionFailure("the vectors are not verified: \(error)") }
    }()

    /// Reads an input as the file of a role, or as the file of a store.
    static func check(_ input: [UInt8], kind: UInt8) {
        let role = ["root", "timestamp", "snapshot", "targets"][Int(kind % 4)]
        guard var set = before[role] else { return }
        let known = set.received
        do throws(MetadataError) {
            switch role {
            case "root": try set.update(root: input)
            case "timestamp": try set.update(timestamp: input, now: now)
            case "snapshot": try set.update(snapshot: input, now: now)
            default: try set.update(targets: input, now: now)
            }
            precondition(isSigned(input), "unsigned data is trusted")
        } catch {
            precondition(error.role == role && !error.text.isEmpty, "an error that does not name role and rule")
            precondition(set.received == known, "a rejected file changes the trusted state")
        }
        // As an initial root, and in a store.
        do throws(MetadataError) {
            _ = try TrustedSet(root: input)
            precondition(isSigned(input), "an unsigned root is trusted")
        } catch { precondition(error.role == "root") }
        var stored = known
        stored["\(role).json"] = input
        do throws(MetadataError) {
            let set = try TrustedSet(remembering: stored)
            for file in set.targetFiles { precondition(set.target(file.path) == file) }
        } catch { precondition(error.role == "root") }
    }

    /// Whether the signed part equals that of a genuinely signed file.
    private static func isSigned(_ input: [UInt8]) -> Bool {
        let part = signed(input)
        return (roots + others + genuine.values).contains { signed($0) == part }
    }

    private static func signed(_ bytes: [UInt8]) -> StrictJSON? {
        // An unreadable file has no signed part.
        (try? StrictJSON(reading: bytes, limit: 1 << 20, numbers: .all))?["signed"]
    }
}
