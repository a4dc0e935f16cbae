import GlassBase
import GlassDelivery

/// Creates the signed parts of targets, snapshot, and timestamp metadata. The same input results in the same bytes.
struct MetadataWriter: Sendable {
    /// The time of signing, from which lifetimes count.
    let now: UpdateTime

    /// The expiration time of metadata that is signed now.
    func expiry(of role: UpdateRole) -> String {
        UpdateTime(secondsSince1970: now.secondsSince1970 + role.lifetime).description
    }

    /// Creates targets metadata.
    func targets(
        _ entries: [TargetEntry], revoked: [String], version: Int, previous: StrictJSON?
    ) -> SignedMetadata {
        SignedMetadata(
            (previous ?? .empty).replacing(
                head(.targets, version) + [
                    ("targets", .object(entries.map { ($0.path, $0.json) })),
                    ("revoked", revoked.isEmpty ? nil : .array(Set(revoked).sorted().map(StrictJSON.string))),
                ]))
    }

    /// Creates snapshot metadata.
    func snapshot(
        of targets: [UInt8], targetsVersion: Int, version: Int, previous: StrictJSON?
    ) -> SignedMetadata {
        let listed = (previous?["meta"] ?? .empty).replacing([
            ("targets.json", Self.description(of: targets, version: targetsVersion))
        ])
        return SignedMetadata((previous ?? .empty).replacing(head(.snapshot, version) + [("meta", listed)]))
    }

    /// Creates timestamp metadata.
    func timestamp(
        of snapshot: [UInt8], snapshotVersion: Int, version: Int, previous: StrictJSON?
    ) -> SignedMetadata {
        let listed = StrictJSON.object([("snapshot.json", Self.description(of: snapshot, version: snapshotVersion))])
        return SignedMetadata((previous ?? .empty).replacing(head(.timestamp, version) + [("meta", listed)]))
    }

    private func head(_ role: UpdateRole, _ version: Int) -> [(String, StrictJSON?)] {
        [
            ("_type", .string(role.rawValue)), ("spec_version", .string(MetadataForm.specification)),
            ("version", .integer(version)), ("expires", .string(expiry(of: role))),
        ]
    }

    private static func description(of bytes: [UInt8], version: Int) -> StrictJSON {
        .object([
            ("hashes", .object([("sha256", .string(bytes.sha256))])), ("length", .integer(bytes.count)),
            ("version", .integer(version)),
        ])
    }
}
